// The rights of an entry as text and as options, and its duration.
import { groupOf, groupRights, hasRight, Right, type RightName, rights } from '@cloudoc/domain'
import type { Translate } from '../../core/i18n/i18n.ts'
import type { SelectOption } from '../../kit/select.tsx'

/** The single rights of an entry, in display order. */
export const singleRights = [
  'display',
  'preview',
  'print',
  'download',
  'upload',
  'move',
  'modify',
  'delete',
  'externalLink',
  'grant',
  'secretLevel',
] as const satisfies readonly RightName[]

/** The single rights that count under these settings: printing and secret levels may be off ([X5], [R235]). */
export const singleRightsFor = (setting: {
  readonly print_rights: boolean
  readonly secret_manage: boolean
}): readonly (typeof singleRights)[number][] =>
  singleRights.filter(
    (name) => (name !== 'print' || setting.print_rights) && (name !== 'secretLevel' || setting.secret_manage),
  )

const groups = ['preview', 'download', 'edit', 'full', 'invisible'] as const

/** Returns a short text for a mask: the name of its group, or the number of rights. */
export function rightsLabel(mask: number, printRights: boolean, t: Translate): string {
  if ((mask & Right.deny) !== 0) return t('rights.group.invisible')
  if (mask === 0) return t('rights.unseen')
  const group = groupOf(rights(mask), { printRights })
  if (group !== 'custom') return t(`rights.group.${group}`)
  const held = singleRights.filter((name) => (name !== 'print' || printRights) && hasRight(rights(mask), name))
  return t('rights.group.custom', { n: held.length })
}

/** Returns the named groups as options, plus the mask itself if it is not one of them. */
export function rightsOptions(mask: number, printRights: boolean, t: Translate): SelectOption<number>[] {
  const named = groups.map((name) => ({
    value: groupRights(name, { printRights }) as number,
    label: t(`rights.group.${name}`),
  }))
  return named.some(({ value }) => value === mask)
    ? named
    : [{ value: mask, label: rightsLabel(mask, printRights, t) }, ...named]
}

/** Returns the groups that grant rights. */
export const grantableOptions = (printRights: boolean, t: Translate): SelectOption<number>[] =>
  groups
    .filter((name) => name !== 'invisible')
    .map((name) => ({ value: groupRights(name, { printRights }), label: t(`rights.group.${name}`) }))

const day = 86_400_000
/** The preset durations of an entry, by name. */
export const expirySpans = { never: null, week: 7 * day, month: 30 * day, quarter: 90 * day, year: 365 * day } as const
export type ExpirySpan = keyof typeof expirySpans

export const expirySpanOptions = (t: Translate): SelectOption<ExpirySpan>[] =>
  (Object.keys(expirySpans) as ExpirySpan[]).map((value) => ({ value, label: t(`rights.span.${value}`) }))

/** Returns the expiry of an entry that starts now. */
export function endOf(span: ExpirySpan, now: number): number | null {
  const length = expirySpans[span]
  return length === null ? null : now + length
}
