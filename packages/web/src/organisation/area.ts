// The organisation: the pages on which administrators manage users and departments ([R347]-[R349]).
export { adminPages } from './pages.tsx'
export { organisationWindows as windows } from './windows.ts'

import { refetchOrganisation } from './shared/organisation-queries.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const refetch = refetchOrganisation
