// The windows of libraries.
import { t } from '../core/i18n/i18n.ts'
import { win } from '../core/windows/index.ts'
import type { WhatIfProps } from '../drive/access/what-if.tsx'
import type { CancelProps } from '../sharing/administration/cancel-links.tsx'
import type { LimitProps } from '../sharing/administration/limit-window.tsx'
import type { ReportsProps } from '../sharing/administration/link-reports.tsx'
import type { PolicyProps } from '../sharing/administration/policy-window.tsx'
import type { TemplateProps } from '../viewing/watermarks/template-window.tsx'

/** What this area adds to the window catalogue. */
export const companyWindows = {
  'company-new-library': win<Readonly<Record<string, never>>, { readonly libraryId: number }>({
    title: 'company.library.new',
    size: { width: 520, height: 'auto' },
    load: () => import('../drive/libraries/new-library.tsx').then((module) => module.NewLibrary),
    sample: {},
  }),
  'company-link-policy': win<PolicyProps, boolean>({
    title: ({ policy }) => t(policy === undefined ? 'company.links.policy.new' : 'company.links.policy.change'),
    size: { width: 560, height: 'auto' },
    load: () => import('../sharing/administration/policy-window.tsx').then((module) => module.PolicyWindow),
    sample: {},
  }),
  'company-download-limit': win<LimitProps, boolean>({
    title: ({ limit }) => t(limit === undefined ? 'company.links.limit.new' : 'company.links.limit.change'),
    size: { width: 520, height: 'auto' },
    load: () => import('../sharing/administration/limit-window.tsx').then((module) => module.LimitWindow),
    sample: {},
  }),
  'company-cancel-links': win<CancelProps, boolean>({
    title: ({ links }) => t('company.links.cancel', { n: links.length }),
    size: { width: 520, height: 'auto' },
    load: () => import('../sharing/administration/cancel-links.tsx').then((module) => module.CancelLinks),
    sample: { links: [{ externalId: 1, fName: '渠道底价表 2026.xlsx', creatorName: '王敏' }] },
  }),
  'company-link-reports': win<ReportsProps>({
    title: ({ link }) => t('company.links.reports.titleOf', { name: link.fName }),
    size: { width: 560, height: 'auto' },
    load: () => import('../sharing/administration/link-reports.tsx').then((module) => module.LinkReports),
    sample: { link: { externalId: 1, fName: '渠道底价表 2026.xlsx', creatorName: '王敏' } },
  }),
  'company-watermark-template': win<TemplateProps, boolean>({
    title: ({ template }) =>
      t(template === undefined ? 'company.mark.new' : 'company.mark.edit', { name: template?.templateName ?? '' }),
    size: { width: 1030, height: 690 },
    load: () => import('../viewing/watermarks/template-window.tsx').then((module) => module.TemplateWindow),
    sample: {},
  }),
  'company-what-if': win<WhatIfProps>({
    title: ({ item }) => t('company.whatIf.titleOf', { name: item.fName }),
    size: { width: 720, height: 'auto' },
    load: () => import('../drive/access/what-if.tsx').then((module) => module.WhatIf),
    sample: { item: { fType: 2, fId: 1, fName: '华东大区', pathString: '市场中心' } },
  }),
}
