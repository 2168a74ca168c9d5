/*
 * The areas of the product, one line each. core/area defines what an area declares. What is needed before sign-in is
 * loaded with the page; everything else is loaded after sign-in, to keep the login page small.
 */
export * as core from '../core/i18n/texts.ts'
export * as people from '../people/area.ts'
export * as app from './area.ts'

export const drive = () => import('../drive/area.ts')
export const items = () => import('../items/area.ts')
export const transfer = () => import('../transfer/area.ts')
export const viewing = () => import('../viewing/area.ts')
export const editing = () => import('../editing/area.ts')
export const admin = () => import('../admin/area.ts')
export const notify = () => import('../notify/area.ts')
export const system = () => import('../system/area.ts')
export const organisation = () => import('../organisation/area.ts')
export const account = () => import('../account/area.ts')
export const sharing = () => import('../sharing/area.ts')
export const approvals = () => import('../approvals/area.ts')
export const workflow = () => import('../workflow/area.ts')
export const signing = () => import('../signing/area.ts')
export const exchange = () => import('../exchange/area.ts')
export const mail = () => import('../mail/area.ts')
export const talk = () => import('../talk/area.ts')
export const mobile = () => import('../mobile/area.ts')
