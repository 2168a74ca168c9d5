// The windows of libraries.
import { t } from '../core/i18n/i18n.ts'
import { win } from '../core/windows/index.ts'
import type { WhatIfProps } from './access/what-if.tsx'

/** What this area adds to the window catalogue. */
export const companyWindows = {
  'company-new-library': win<Readonly<Record<string, never>>, { readonly libraryId: number }>({
    title: 'company.library.new',
    size: { width: 520, height: 'auto' },
    load: () => import('./libraries/new-library.tsx').then((module) => module.NewLibrary),
    sample: {},
  }),
  'company-what-if': win<WhatIfProps>({
    title: ({ item }) => t('company.whatIf.titleOf', { name: item.fName }),
    size: { width: 720, height: 'auto' },
    load: () => import('./access/what-if.tsx').then((module) => module.WhatIf),
    sample: { item: { fType: 2, fId: 1, fName: '华东大区', pathString: '市场中心' } },
  }),
}
