// The organisation: the pages on which administrators manage users and departments ([R347]-[R349]).
export { organisationWindows as windows } from './windows.ts'

import { organisationNotices } from './notices.tsx'
import { refetchOrganisation } from './shared/organisation-queries.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const notices = organisationNotices
export const adminPages = () => import('./admin-pages.tsx').then((module) => module.adminPages)
export const refetch = refetchOrganisation
