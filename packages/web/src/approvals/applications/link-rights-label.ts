// How the rights of a link that is applied for are named.
import { linkRightNames, linkRights } from '@cloudoc/domain'
import type { Translate } from '../../core/i18n/i18n.ts'

/** The label of a link's permissions. */
export function linkRightsLabel(say: Translate, rights: number): string {
  const names = linkRightNames.filter((name) => (rights & linkRights[name]) !== 0)
  return names.map((name) => say(`links.may.${name}`)).join(say('links.and'))
}
