// Labels for permissions: the name of the group if the mask is one, otherwise each permission.
import { groupOf, hasRight, type RightName, rights } from '@cloudoc/domain'
import type { Translate } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'

/** The permissions that can be requested individually. */
export const singleRights = [
  'preview',
  'download',
  'print',
  'upload',
  'move',
  'modify',
  'delete',
  'externalLink',
  'grant',
] as const satisfies readonly RightName[]

export const printRights = (): boolean => sessionStore.getState().session?.setting.print_rights ?? false

/** The permissions shown separately. Printing is included only if it is a separate permission. */
export const listedRights = (): readonly (typeof singleRights)[number][] =>
  singleRights.filter((name) => name !== 'print' || printRights())

/** The name of each permission in a mask. */
export function rightNames(t: Translate, mask: number): readonly string[] {
  return listedRights()
    .filter((name) => hasRight(rights(mask), name))
    .map((name) => t(`drive.rights.${name}`))
}

/** The label of a mask. */
export function rightsLabel(t: Translate, mask: number): string {
  const group = groupOf(rights(mask), { printRights: printRights() })
  if (group !== 'custom' && group !== 'invisible') return t(`approvals.group.${group}`)
  return rightNames(t, mask).join(t('drive.rights.and'))
}
