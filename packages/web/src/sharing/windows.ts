// The windows of sharing ([R076]).
import type { ExternalLink } from '@cloudoc/contract'
import { api } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import { win } from '../core/windows/index.ts'
import { itemFromQuery, numberFromQuery } from '../items/item/item-from-query.ts'
import type { CancelLinksProps } from './administration/cancel-links.tsx'
import type { DownloadLimitWindowProps } from './administration/download-limit-window.tsx'
import type { LinkPolicyWindowProps } from './administration/link-policy-window.tsx'
import type { LinkReportsProps } from './administration/link-reports.tsx'
import type { CreateLinkProps } from './links/create-link.tsx'
import type { LinkDetailProps } from './links/link-detail.tsx'
import type { LinkListProps } from './links/link-list.tsx'
import type { RequestLinkApprovalProps } from './links/request-link-approval.tsx'
import type { SendLinkMailProps } from './links/send-mail.tsx'

const sample = { item: { serverId: 0, fId: 1, fType: 1, fName: '合作协议.docx' } } as const

export const sharingWindows = {
  'cloudoc-link-create': win<CreateLinkProps, ExternalLink>({
    title: ({ item, link }) =>
      t(link === undefined ? 'links.create.titleOf' : 'links.modify.titleOf', { name: item.fName }),
    size: { width: 630, height: 690 },
    fromQuery: async (query) => ({ item: await itemFromQuery(query) }),
    load: () => import('./links/create-link.tsx').then((module) => module.CreateLink),
    sample,
  }),
  'sharing-request-approval': win<RequestLinkApprovalProps, boolean>({
    title: ({ link }) => t('links.ask.titleOf', { name: link.fName }),
    size: { width: 520, height: 'auto' },
    load: () => import('./links/request-link-approval.tsx').then((module) => module.RequestLinkApproval),
    sample: { link: { externalId: 1, fName: '合作协议.docx', rights: 12, endTime: 1_800_000_000_000 } },
  }),
  'cloudoc-link-list': win<LinkListProps>({
    title: ({ item }) => t('links.list.titleOf', { name: item.fName }),
    size: { width: 900, height: 515 },
    fromQuery: async (query) => ({ item: await itemFromQuery(query) }),
    load: () => import('./links/link-list.tsx').then((module) => module.LinkList),
    sample,
  }),
  'cloudoc-link-detail': win<LinkDetailProps>({
    title: ({ name }) => t('links.detail.titleOf', { name }),
    size: { width: 1030, height: 690 },
    fromQuery: (query) => ({ externalId: numberFromQuery(query, 'externalId'), name: '' }),
    load: () => import('./links/link-detail.tsx').then((module) => module.LinkDetail),
    sample: { externalId: 1, name: '给渠道的修订稿' },
  }),
  'cloudoc-link-detail-lite': win<LinkListProps>({
    title: ({ item }) => t('links.lite.titleOf', { name: item.fName }),
    size: { width: 660, height: 480 },
    fromQuery: async (query) => ({ item: await itemFromQuery(query) }),
    load: () => import('./links/link-lite.tsx').then((module) => module.LinkLite),
    sample,
  }),
  'cloudoc-link-sendMail': win<SendLinkMailProps>({
    title: ({ link }) => t('links.mail.titleOf', { name: link.fName }),
    size: { width: 520, height: 'auto' },
    fromQuery: async (query) => ({
      link: await api.getExternalInfo({ externalId: numberFromQuery(query, 'externalId') }),
    }),
    load: () => import('./links/send-mail.tsx').then((module) => module.SendLinkMail),
    sample: { link: { externalId: 1, fName: '合作协议.docx', hasPassword: true, mails: [] } },
  }),
  'company-link-policy': win<LinkPolicyWindowProps, boolean>({
    title: ({ policy }) => t(policy === undefined ? 'company.links.policy.new' : 'company.links.policy.change'),
    size: { width: 560, height: 'auto' },
    load: () => import('./administration/link-policy-window.tsx').then((module) => module.LinkPolicyWindow),
    sample: {},
  }),
  'company-download-limit': win<DownloadLimitWindowProps, boolean>({
    title: ({ limit }) => t(limit === undefined ? 'company.links.limit.new' : 'company.links.limit.change'),
    size: { width: 520, height: 'auto' },
    load: () => import('./administration/download-limit-window.tsx').then((module) => module.DownloadLimitWindow),
    sample: {},
  }),
  'company-cancel-links': win<CancelLinksProps, boolean>({
    title: ({ links }) => t('company.links.cancel', { n: links.length }),
    size: { width: 520, height: 'auto' },
    load: () => import('./administration/cancel-links.tsx').then((module) => module.CancelLinks),
    sample: { links: [{ externalId: 1, fName: '渠道底价表 2026.xlsx', creatorName: '王敏' }] },
  }),
  'company-link-reports': win<LinkReportsProps>({
    title: ({ link }) => t('company.links.reports.titleOf', { name: link.fName }),
    size: { width: 560, height: 'auto' },
    load: () => import('./administration/link-reports.tsx').then((module) => module.LinkReports),
    sample: { link: { externalId: 1, fName: '渠道底价表 2026.xlsx', creatorName: '王敏' } },
  }),
}
