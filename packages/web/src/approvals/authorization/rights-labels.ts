// Rights in words: the name of a group where they are one, else each of them.
import { groupOf, hasRight, type RightName, rights } from '@cloudoc/domain'
import type { Translate } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'

/** What can be asked for one by one. */
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

/** The rights that are told apart here: printing only where it is a right of its own. */
export const listedRights = (): readonly (typeof singleRights)[number][] =>
  singleRights.filter((name) => name !== 'print' || printRights())

/** Each right of a mask by name. */
export function rightNames(t: Translate, mask: number): readonly string[] {
  return listedRights()
    .filter((name) => hasRight(rights(mask), name))
    .map((name) => t(`drive.rights.${name}`))
}

/** A mask in words. */
export function rightsLabel(t: Translate, mask: number): string {
  const group = groupOf(rights(mask), { printRights: printRights() })
  if (group !== 'custom' && group !== 'invisible') return t(`approvals.group.${group}`)
  return rightNames(t, mask).join(t('drive.rights.and'))
}
