// The windows of mail.
import { t } from '../core/i18n/i18n.ts'
import { win } from '../core/windows/index.ts'
import { itemFromQuery, numberFromQuery } from '../items/item/item-from-query.ts'
import type { ContentPreviewProps } from '../viewing/previewer/content-preview.tsx'
import type { BoxesProps } from './boxes-window.tsx'
import type { ComposeProps } from './compose.tsx'
import type { MailDetailProps } from './mail-detail.tsx'
import { withTexts } from './page-texts.ts'

export interface SendFilesProps extends ComposeProps {
  readonly count: number
}

export const mailWindows = {
  /** An attachment, in the viewers of the previewer. */
  'email-attachment': win<ContentPreviewProps>({
    title: 'email.rail',
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('../viewing/previewer/content-preview.tsx').then((module) => module.ContentPreview),
    sample: { fName: '合同.docx', fileSize: 1024, url: '/services2/mail/attachmentPreview/1/0' },
  }),
  // The size of the notes of the mocks; the documents give none (X79).
  'email-boxes': win<BoxesProps>({
    title: 'email.box.title',
    size: { width: 800, height: 640 },
    minSize: { width: 620, height: 480 },
    load: () => withTexts(() => import('./boxes-window.tsx')).then((module) => module.BoxesWindow),
    sample: {},
  }),
  'email-compose': win<ComposeProps>({
    title: 'email.compose.new',
    size: { width: 820, height: 640 },
    minSize: { width: 480, height: 420 },
    load: () => withTexts(() => import('./compose.tsx')).then((module) => module.Compose),
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
    load: () => withTexts(() => import('./compose.tsx')).then((module) => module.Compose),
    sample: { outgoingId: 1, count: 2 },
  }),
  'cloudoc-email-detail': win<MailDetailProps>({
    title: ({ subject = '' }) => (subject === '' ? t('email.rail') : t('email.detail.title', { subject })),
    size: { width: 760, height: 600 },
    fromQuery: (query) => ({ mailId: numberFromQuery(query, 'mailId') }),
    minSize: { width: 480, height: 360 },
    load: () => withTexts(() => import('./mail-detail.tsx')).then((module) => module.MailDetailWindow),
    sample: { mailId: 1, subject: '合同' },
  }),
}
