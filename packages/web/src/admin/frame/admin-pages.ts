// The pages of the administration, and the powers they need.
import type { Power } from '@cloudoc/domain'
import { type AdminPage, adminPages as pagesOfAreas } from '../../core/area/area.ts'

export const adminPageGroups = ['top', 'organisation', 'policy', 'audit', 'operation'] as const

export const adminAddress = '/doc/admin'

/** Loads the pages of all areas, in display order. */
export async function loadAdminPages(): Promise<readonly AdminPage[]> {
  const pages = await pagesOfAreas()
  return pages.toSorted(
    (a, b) => adminPageGroups.indexOf(a.group) - adminPageGroups.indexOf(b.group) || a.order - b.order,
  )
}

/** The powers that open a page; each of them is enough. */
export function powersOf({ power }: AdminPage): readonly Power[] {
  return typeof power === 'string' ? [power] : power
}

/** Whether a user with these powers may open a page. The server decides what data it shows. */
export function mayOpen(page: AdminPage, powers: readonly Power[]): boolean {
  return powersOf(page).some((power) => powers.includes(power))
}
