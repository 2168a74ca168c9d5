// Which pages of the administration there are, and whose they are.
import type { Power } from '@cloudoc/domain'
import { type AdminPage, areas } from '../../core/area/area.ts'

export const adminPageGroups = ['top', 'organisation', 'policy', 'audit', 'operation'] as const

export const adminAddress = '/doc/admin'

/** The pages of all areas, in the order in which they stand. */
export function adminPages(): readonly AdminPage[] {
  return areas()
    .flatMap((area) => area.adminPages ?? [])
    .sort((a, b) => adminPageGroups.indexOf(a.group) - adminPageGroups.indexOf(b.group) || a.order - b.order)
}

/** The powers of which each opens a page. */
export function powersOf({ power }: AdminPage): readonly Power[] {
  return typeof power === 'string' ? [power] : power
}

/** Whether somebody with these powers may open a page; the server decides on what it shows. */
export function mayOpen(page: AdminPage, powers: readonly Power[]): boolean {
  return powersOf(page).some((power) => powers.includes(power))
}
