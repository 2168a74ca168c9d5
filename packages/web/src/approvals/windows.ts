// The windows of approvals.
import { type PlainTextKey, t } from '../core/i18n/i18n.ts'
import { win } from '../core/windows/index.ts'
import { itemFromQuery, numberFromQuery } from '../items/item/item-from-query.ts'
import type { ApplicationDetailProps } from './applications/application-detail.tsx'
import type { WantedItem } from './applications/application-queries.ts'
import type { ApplyProps } from './applications/apply-window.tsx'
import type { FolderContentProps } from './applications/folder-content.tsx'
import type { ApplyForRightsProps } from './authorization/apply-for-rights.tsx'
import type { AuthorizationReviewProps } from './authorization/authorization-review.tsx'
import type { DownloadLimitProps } from './downloads/download-limit.tsx'
import type { DownloadReviewProps } from './downloads/download-review.tsx'
import type { OperationRuleProps } from './operations/operation-rule-window.tsx'
import type { UrgeProps } from './urging/urge.tsx'
import type { UrgeInfoProps } from './urging/urge-info.tsx'

const sampleItem: WantedItem = {
  ...{ serverId: 0, fId: 1, fType: 1, fName: '合作协议.docx', extName: 'docx', fileSize: 1_840_000 },
  ...{ secretLevel: 1, secretName: '内部' },
}

const nameOf = (items: readonly { readonly fName: string }[]): string => {
  const name = items[0]?.fName ?? ''
  return items.length > 1 ? t('approvals.apply.many', { name, n: items.length }) : name
}

/** The window of one application, by what is applied for and who looks at it. */
const applicationWindow = (
  title: PlainTextKey,
  titleOf: 'approvals.link.titleOf' | 'approvals.applyDownload.titleOf' | 'approvals.applyAudit.titleOf',
) =>
  win<ApplicationDetailProps, boolean>({
    title: ({ name }) => (name === undefined || name === '' ? t(title) : t(titleOf, { name })),
    size: { width: 738, height: 580 },
    fromQuery: (query) => ({ applicationId: Number(query.get('applicationId') ?? 0) }),
    load: () => import('./applications/application-detail.tsx').then((module) => module.ApplicationDetail),
    sample: { applicationId: 1, name: '合作协议.docx' },
  })

export const approvalWindows = {
  'cloudoc-authorization-apply': win<ApplyForRightsProps, { readonly authorizationId: number }>({
    title: ({ item, others = [] }) => {
      const n = others.length + 1
      const name = n === 1 ? item.fName : t('approvals.apply.many', { name: item.fName, n })
      return t('approvals.apply.titleOf', { name })
    },
    size: { width: 680, height: 500 },
    minSize: { width: 680, height: 500 },
    fromQuery: async (query) => ({ item: await itemFromQuery(query) }),
    load: () => import('./authorization/apply-for-rights.tsx').then((module) => module.ApplyForRights),
    sample: { item: { serverId: 0, fId: 1, fType: 1, fName: '供应商名录.xlsx' } },
  }),
  'cloudoc-authorization-review': win<AuthorizationReviewProps, boolean>({
    title: ({ name }) => (name === undefined ? t('approvals.review.title') : t('approvals.review.titleOf', { name })),
    size: { width: 680, height: 550 },
    fromQuery: (query) => ({ authorizationId: numberFromQuery(query, 'authorizationId') }),
    load: () => import('./authorization/authorization-review.tsx').then((module) => module.AuthorizationReview),
    sample: { authorizationId: 1, name: '供应商名录.xlsx' },
  }),
  'cloudoc-apply-download': win<ApplyProps, boolean>({
    title: ({ items }) => t('approvals.applyDownload.titleOf', { name: nameOf(items) }),
    size: { width: 738, height: 580 },
    fromQuery: async (query) => ({ items: [await itemFromQuery(query)] }),
    load: () => import('./applications/apply-window.tsx').then((module) => module.ApplyForDownload),
    sample: { items: [sampleItem] },
  }),
  'cloudoc-apply-link': win<ApplyProps, boolean>({
    title: ({ items }) => t('approvals.applyLink.titleOf', { name: nameOf(items) }),
    size: { width: 738, height: 580 },
    fromQuery: async (query) => ({ items: [await itemFromQuery(query)] }),
    load: () => import('./applications/apply-window.tsx').then((module) => module.ApplyForLinks),
    sample: { items: [sampleItem] },
  }),
  'cloudoc-apply-download-detail': applicationWindow(
    'approvals.applyDownload.title',
    'approvals.applyDownload.titleOf',
  ),
  'cloudoc-apply-audit': applicationWindow('approvals.applyAudit.title', 'approvals.applyAudit.titleOf'),
  'cloudoc-apply-link-detail': applicationWindow('approvals.link.title', 'approvals.link.titleOf'),
  'cloudoc-apply-folder-detail': win<FolderContentProps>({
    title: ({ name }) => name,
    size: { width: 738, height: 580 },
    fromQuery: (query) => ({
      applicationId: numberFromQuery(query, 'applicationId'),
      folderId: numberFromQuery(query, 'folderId'),
      name: query.get('name') ?? t('approvals.applyDownload.title'),
      isLink: query.get('isLink') === 'true',
    }),
    load: () => import('./applications/folder-content.tsx').then((module) => module.FolderContent),
    sample: { applicationId: 1, folderId: 1, name: '02 产品设计稿' },
  }),
  'cloudoc-download-limit': win<DownloadLimitProps>({
    title: ({ count, limit }) => t(count < limit ? 'approvals.downloads.today' : 'approvals.downloads.usedUp'),
    size: { width: 550, height: 'auto' },
    single: true,
    load: () => import('./downloads/download-limit.tsx').then((module) => module.DownloadLimit),
    sample: { count: 200, limit: 200, until: 1_800_000_000_000, name: '合作协议.docx', items: 3, size: 46_766_490 },
  }),
  'approvals-more-downloads': win<DownloadReviewProps, boolean>({
    title: 'approvals.downloads.title',
    size: { width: 680, height: 550 },
    load: () => import('./downloads/download-review.tsx').then((module) => module.DownloadReview),
    sample: { reviewId: 1 },
  }),
  'cloudoc-urge': win<UrgeProps, { readonly notifyId: number }>({
    title: ({ item }) => t('approvals.urge.titleOf', { name: item.fName }),
    size: { width: 920, height: 660 },
    fromQuery: async (query) => ({ item: await itemFromQuery(query) }),
    load: () => import('./urging/urge.tsx').then((module) => module.Urge),
    sample: { item: { serverId: 0, fId: 1, fType: 1, fName: 'Q4 销售预测与回款计划.xlsx' } },
  }),
  'cloudoc-urge-info': win<UrgeInfoProps>({
    title: ({ name }) => (name === undefined ? t('approvals.urge.title') : t('approvals.urge.titleOf', { name })),
    size: { width: 738, height: 580 },
    load: () => import('./urging/urge-info.tsx').then((module) => module.UrgeInfo),
    fromQuery: (query) => ({ notifyId: Number(query.get('notifyId') ?? 0) }),
    sample: { notifyId: 1, name: 'Q4 销售预测与回款计划.xlsx' },
  }),
  'company-operation-rule': win<OperationRuleProps, boolean>({
    title: ({ rule }) => t(rule === undefined ? 'approvals.rule.new' : 'approvals.rule.change'),
    size: { width: 640, height: 620 },
    load: () => import('./operations/operation-rule-window.tsx').then((module) => module.OperationRuleWindow),
    sample: { libraries: [{ libraryId: 1, name: '公司文档' }] },
  }),
  'cloudoc-auditLog': win<object>({
    title: 'approvals.sensitive.log',
    size: { width: 938, height: 580 },
    single: true,
    fromQuery: () => ({}),
    load: () => import('./sensitive/audit-log.tsx').then((module) => module.AuditLog),
    sample: {},
  }),
  'approvals-stand-in': win<object, boolean>({
    title: 'approvals.standIn.title',
    size: { width: 520, height: 'auto' },
    single: true,
    load: () => import('./authorization/stand-in.tsx').then((module) => module.StandIn),
    sample: {},
  }),
}
