// The windows of mail.
import { t } from '../core/i18n/i18n.ts'
import { win } from '../core/windows/index.ts'
import { itemFromQuery, numberFromQuery } from '../items/item/item-from-query.ts'
import type { BoxesProps } from './boxes-window.tsx'
import type { ComposeProps } from './compose.tsx'
import type { MailDetailProps } from './mail-detail.tsx'

export interface SendFilesProps extends ComposeProps {
  readonly count: number
}

export const mailWindows = {
  // The size of the notes of the mocks; the documents give none (X79).
  'email-boxes': win<BoxesProps>({
    title: 'email.box.title',
    size: { width: 800, height: 640 },
    minSize: { width: 620, height: 480 },
    load: () => import('./boxes-window.tsx').then((module) => module.BoxesWindow),
    sample: {},
  }),
  'email-compose': win<ComposeProps>({
    title: 'email.compose.new',
    size: { width: 820, height: 640 },
    minSize: { width: 480, height: 420 },
    load: () => import('./compose.tsx').then((module) => module.Compose),
    sample: { outgoingId: 1 },
  }),
  // [R077] [R290]
  'cloudoc-file-sendEmail': win<SendFilesProps>({
    title: ({ count }) => t('email.send.title', { n: count }),
    size: { width: 690, height: 608 },
    fromQuery: async (query) => {
      const item = await itemFromQuery(query)
      const { draftWith } = await import('./compose-queries.ts')
      return draftWith([item])
    },
    load: () => import('./compose.tsx').then((module) => module.Compose),
    sample: { outgoingId: 1, count: 2 },
  }),
  'cloudoc-email-detail': win<MailDetailProps>({
    title: ({ subject = '' }) => (subject === '' ? t('email.rail') : t('email.detail.title', { subject })),
    size: { width: 760, height: 600 },
    fromQuery: (query) => ({ mailId: numberFromQuery(query, 'mailId') }),
    minSize: { width: 480, height: 360 },
    load: () => import('./mail-detail.tsx').then((module) => module.MailDetailWindow),
    sample: { mailId: 1, subject: '合同' },
  }),
}
