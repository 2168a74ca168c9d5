/*
 * The evaluator of access rights on items: the only code that says what rights a user has.
 *
 * Each item has a level: its own entries, whether it inherits, and whether it is restricted. `rightsStateBelow` goes one
 * level down the tree: it computes the state at a child (the entries in force, and who they are limited to) from the
 * state at its parent. `rightsOf` computes one user's rights from a state. They are separate because the first is the
 * same for all users: a list evaluates its folder once, and goes one level further for each child.
 *
 * The steps inside them are not exported, so that nobody can evaluate entries without restricted folders ([R210]).
 *
 * Restrictions that also apply to users with all rights (secret level, restricted documents, read-only folders) are
 * part of the gates, not of this module.
 */
import { closeRights, Right, type Rights, rights } from './rights.ts'

/** The kind of subject that an entry applies to. */
export type SubjectType = 'user' | 'group' | 'role'

/** The rights of one subject on one item. */
export interface RightsEntry {
  readonly subjectType: SubjectType
  readonly subjectId: number
  readonly rights: number
  /**
   * An application entry comes from an approved request: it is added to the rights of the subject and replaces nothing.
   */
  readonly kind: 'independent' | 'application'
  /** Expiry in milliseconds since 1970; from then on the entry is ignored. Null: never. */
  readonly expireTime: number | null
  /** Who granted it, and when, if known. */
  readonly givenBy?: number
  readonly givenAt?: number
}

/** The rights settings of one item. */
export interface RightsLevel {
  readonly itemId: number
  readonly inherit: boolean
  /** In a restricted folder users see only the items that they created ([R210]). */
  readonly restricted: boolean
  /** The user who created the item. */
  readonly createdBy: number
  readonly entries: readonly RightsEntry[]
}

/** An entry in force at an item, with the item that it was set on. */
export interface EntryInForce extends RightsEntry {
  readonly sourceId: number
}

/** What determines the rights at an item, the same for all users. */
export interface RightsState {
  readonly inForce: readonly EntryInForce[]
  /** Whether the items directly below are limited to their creators ([R210]). */
  readonly restricted: boolean
  /** The only user, besides the managers, who has rights: the creator of an item in a restricted folder. */
  readonly onlyFor: number | undefined
}

/** The state above a library root. */
export const topRightsState: RightsState = { inForce: [], restricted: false, onlyFor: undefined }

/** A user with their effective departments and roles. */
export interface Subjects {
  readonly userId: number
  readonly groupIds: ReadonlySet<number>
  readonly roleIds: ReadonlySet<number>
}

/** One step in the derivation of a user's rights, for the dialog that explains them. */
export type RightsReason =
  | { readonly step: 'entry'; readonly entry: EntryInForce }
  | { readonly step: 'deny'; readonly entry: EntryInForce }
  | { readonly step: 'manager' }
  /** The item belongs to another user and lies in a restricted folder ([R210]). */
  | { readonly step: 'restricted' }
  /**
   * An entry that does not apply because of the item `at`: it expired there, an own entry replaced it, or inheritance
   * is off there.
   */
  | { readonly step: 'expired' | 'replaced' | 'closed'; readonly entry: EntryInForce; readonly at: number }
  | { readonly step: 'dependencies'; readonly added: Rights }

/** A user's rights on an item, with their derivation. */
export interface EffectiveRights {
  readonly rights: Rights
  readonly reasons: readonly RightsReason[]
}

/** Inputs of the evaluation other than the entries. */
export interface RightsOptions {
  /** The server setting `print_rights`. [X5] */
  readonly printRights: boolean
  /** Whether the user owns or manages the library; no entry can restrict such a user. */
  readonly isManager: boolean
}

/**
 * Goes one level down the tree: returns the state at `level`, given the state at its parent at the same time. A
 * restricted folder also restricts its subfolders, unless they close inheritance.
 */
export function rightsStateBelow(
  above: Pick<RightsState, 'inForce' | 'restricted'>,
  level: RightsLevel,
  now: number,
): RightsState {
  return {
    inForce: entriesAt(above.inForce, level, now),
    restricted: level.restricted || (level.inherit && above.restricted),
    onlyFor: above.restricted ? level.createdBy : undefined,
  }
}

/** The state at the last of the levels; the levels start at the library root. */
export function rightsStateAt(levels: readonly RightsLevel[], now: number): RightsState {
  return levels.reduce<RightsState>((above, level) => rightsStateBelow(above, level, now), topRightsState)
}

/** Returns the parent's list itself, not a copy, if the level adds nothing. */
function entriesAt(parent: readonly EntryInForce[], level: RightsLevel, now: number): readonly EntryInForce[] {
  const own = level.entries.filter((entry) => entry.expireTime === null || entry.expireTime > now)
  if (level.inherit && own.length === 0) return parent
  const replaced = new Set(own.filter((entry) => entry.kind === 'independent').map(subjectKey))
  const inherited = level.inherit
    ? parent.filter((entry) => entry.kind === 'application' || !replaced.has(subjectKey(entry)))
    : []
  return [...inherited, ...own.map((entry) => ({ ...entry, sourceId: level.itemId }))]
}

/**
 * Returns the rights of one user in a state: the union of the user's entries. Deny overrides everything except manager
 * rights, and nobody but the managers has rights on the items of others in a restricted folder ([R210]).
 */
export function rightsOf(state: RightsState, who: Subjects, options: RightsOptions): EffectiveRights {
  const mine = state.inForce.filter((entry) => concerns(entry, who))
  const reasons: RightsReason[] = mine.map((entry) => ({
    step: (entry.rights & Right.deny) !== 0 ? 'deny' : 'entry',
    entry,
  }))
  if (options.isManager) return { rights: rights(Right.full), reasons: [...reasons, { step: 'manager' }] }
  if (state.onlyFor !== undefined && state.onlyFor !== who.userId)
    return { rights: rights(0), reasons: [...reasons, { step: 'restricted' }] }

  const union = mine.reduce((mask, entry) => mask | entry.rights, 0) & ~Right.full
  if ((union & Right.deny) !== 0) return { rights: rights(Right.deny), reasons }

  const closed = closeRights(rights(union), options)
  if (closed !== union) reasons.push({ step: 'dependencies', added: rights(closed & ~union) })
  return { rights: closed, reasons }
}

/** Returns a user's rights at the last of the levels; the levels start at the library root. */
export function effectiveRights(
  levels: readonly RightsLevel[],
  who: Subjects,
  options: RightsOptions & { readonly now: number },
): EffectiveRights {
  return rightsOf(rightsStateAt(levels, options.now), who, options)
}

/** Same, but also returns the entries that do not apply: expired, replaced, or stopped by closed inheritance. */
export function explainRights(
  levels: readonly RightsLevel[],
  who: Subjects,
  options: RightsOptions & { readonly now: number },
): EffectiveRights {
  const lost: RightsReason[] = []
  let state = topRightsState
  for (const level of levels) {
    const next = rightsStateBelow(state, level, options.now)
    const at = level.itemId
    for (const entry of state.inForce)
      if (!next.inForce.includes(entry) && concerns(entry, who))
        lost.push({ step: level.inherit ? 'replaced' : 'closed', entry, at })
    for (const entry of level.entries)
      if (entry.expireTime !== null && entry.expireTime <= options.now && concerns(entry, who))
        lost.push({ step: 'expired', entry: { ...entry, sourceId: at }, at })
    state = next
  }
  const { rights: mask, reasons } = rightsOf(state, who, options)
  return { rights: mask, reasons: [...lost, ...reasons] }
}

/**
 * Returns whether own entries may hide an inheriting item from a user who sees its parent. If false, the parent's
 * entries continue or are replaced by entries that also grant display, even after some of them have expired.
 */
export function mayWithhold(entries: readonly Pick<RightsEntry, 'rights'>[]): boolean {
  return entries.some(({ rights: mask }) => (mask & (Right.deny | Right.display)) !== Right.display)
}

/**
 * Returns the rights that a change of the entries in force may newly grant to any user. If a deny ends, it is unknown
 * who had which rights without it, so all rights in force count as granted.
 */
export function grantedRights(
  before: readonly EntryInForce[],
  after: readonly EntryInForce[],
  options: Pick<RightsOptions, 'printRights'>,
): Rights {
  const denied = (inForce: readonly EntryInForce[]): string[] =>
    inForce.filter((entry) => (entry.rights & Right.deny) !== 0).map(subjectKey)
  const stillDenied = new Set(denied(after))
  const had = denied(before).every((key) => stillDenied.has(key)) ? bySubject(before) : new Map<string, number>()
  const given = [...bySubject(after)].reduce((mask, [key, rightsOfSubject]) => {
    const held = closeRights(rights(had.get(key) ?? 0), options)
    return mask | (closeRights(rights(rightsOfSubject), options) & ~held)
  }, 0)
  return rights(given)
}

/** Returns the combined rights of each subject. */
function bySubject(inForce: readonly EntryInForce[]): Map<string, number> {
  const masks = new Map<string, number>()
  for (const entry of inForce) {
    const key = subjectKey(entry)
    masks.set(key, (masks.get(key) ?? 0) | (entry.rights & ~(Right.deny | Right.full)))
  }
  return masks
}

function subjectKey(entry: RightsEntry): string {
  return `${entry.subjectType}:${entry.subjectId}`
}

/** Returns whether an entry applies to a user: by name, department or role. */
export function concerns(entry: RightsEntry, who: Subjects): boolean {
  switch (entry.subjectType) {
    case 'user':
      return entry.subjectId === who.userId
    case 'group':
      return who.groupIds.has(entry.subjectId)
    case 'role':
      return who.roleIds.has(entry.subjectId)
  }
}
