// The windows of sharing ([R076]).
import { t } from '../core/i18n/i18n.ts'
import { win } from '../core/windows/index.ts'
import type { CancelProps } from './administration/cancel-links.tsx'
import type { LimitProps } from './administration/download-limit-window.tsx'
import type { PolicyProps } from './administration/link-policy-window.tsx'
import type { ReportsProps } from './administration/link-reports.tsx'
import type { CreateProps } from './links/create-link.tsx'
import type { DetailProps } from './links/link-detail.tsx'
import type { ListProps } from './links/link-list.tsx'
import type { AskProps } from './links/request-link-approval.tsx'
import type { MailProps } from './links/send-mail.tsx'

const sample = { item: { fId: 1, fType: 1, fName: '合作协议.docx' } } as const

export const sharingWindows = {
  'cloudoc-link-create': win<CreateProps, boolean>({
    title: ({ item, link }) =>
      t(link === undefined ? 'links.create.titleOf' : 'links.modify.titleOf', { name: item.fName }),
    size: { width: 630, height: 690 },
    load: () => import('./links/create-link.tsx').then((module) => module.CreateLink),
    sample,
  }),
  'cloudoc-apply-link': win<AskProps, boolean>({
    title: ({ link }) => t('links.ask.titleOf', { name: link.fName }),
    size: { width: 520, height: 'auto' },
    load: () => import('./links/request-link-approval.tsx').then((module) => module.AskForLink),
    sample: { link: { externalId: 1, fName: '合作协议.docx', rights: 12, endTime: 1_800_000_000_000 } },
  }),
  'cloudoc-link-list': win<ListProps>({
    title: ({ item }) => t('links.list.titleOf', { name: item.fName }),
    size: { width: 900, height: 515 },
    load: () => import('./links/link-list.tsx').then((module) => module.LinkList),
    sample,
  }),
  'cloudoc-link-detail': win<DetailProps>({
    title: ({ name }) => t('links.detail.titleOf', { name }),
    size: { width: 1030, height: 690 },
    load: () => import('./links/link-detail.tsx').then((module) => module.LinkDetail),
    sample: { externalId: 1, name: '给渠道的修订稿' },
  }),
  'cloudoc-link-detail-lite': win<ListProps>({
    title: ({ item }) => t('links.lite.titleOf', { name: item.fName }),
    size: { width: 660, height: 480 },
    load: () => import('./links/link-lite.tsx').then((module) => module.LinkLite),
    sample,
  }),
  'cloudoc-link-sendMail': win<MailProps>({
    title: ({ link }) => t('links.mail.titleOf', { name: link.fName }),
    size: { width: 520, height: 'auto' },
    load: () => import('./links/send-mail.tsx').then((module) => module.SendLink),
    sample: { link: { externalId: 1, fName: '合作协议.docx', hasPassword: true, mails: [] } },
  }),
  'company-link-policy': win<PolicyProps, boolean>({
    title: ({ policy }) => t(policy === undefined ? 'company.links.policy.new' : 'company.links.policy.change'),
    size: { width: 560, height: 'auto' },
    load: () => import('./administration/link-policy-window.tsx').then((module) => module.PolicyWindow),
    sample: {},
  }),
  'company-download-limit': win<LimitProps, boolean>({
    title: ({ limit }) => t(limit === undefined ? 'company.links.limit.new' : 'company.links.limit.change'),
    size: { width: 520, height: 'auto' },
    load: () => import('./administration/download-limit-window.tsx').then((module) => module.LimitWindow),
    sample: {},
  }),
  'company-cancel-links': win<CancelProps, boolean>({
    title: ({ links }) => t('company.links.cancel', { n: links.length }),
    size: { width: 520, height: 'auto' },
    load: () => import('./administration/cancel-links.tsx').then((module) => module.CancelLinks),
    sample: { links: [{ externalId: 1, fName: '渠道底价表 2026.xlsx', creatorName: '王敏' }] },
  }),
  'company-link-reports': win<ReportsProps>({
    title: ({ link }) => t('company.links.reports.titleOf', { name: link.fName }),
    size: { width: 560, height: 'auto' },
    load: () => import('./administration/link-reports.tsx').then((module) => module.LinkReports),
    sample: { link: { externalId: 1, fName: '渠道底价表 2026.xlsx', creatorName: '王敏' } },
  }),
}
