/*
 * Who may do what with an item.
 *
 * Each item has a level: its own entries and whether it inherits. `entriesAt` goes one level down the tree, from what is
 * in force at a parent to what is in force at its child; `rightsFrom` reads one person's rights from what is in force.
 * The two are apart because the first is the same for everybody: a list evaluates its folder once and goes one step
 * further only for the children that have entries of their own.
 *
 * What binds even those who hold every right (secret level, restricted documents, read-only folders) is not here but in
 * the gates.
 */
import { closeRights, Right, type Rights, rights } from './rights.ts'

/** What an entry is given to. */
export type SubjectType = 'user' | 'group' | 'role'

/** Rights given to one subject on one item. */
export interface RightsEntry {
  readonly subjectType: SubjectType
  readonly subjectId: number
  readonly rights: number
  /** An application entry came from an approved request: it adds to what the subject has and replaces nothing. */
  readonly kind: 'independent' | 'application'
  /** Milliseconds since 1970; from this moment on the entry does not exist. Null: never. */
  readonly expireTime: number | null
  /** Who gave it, and when, where that is known. */
  readonly givenBy?: number
  readonly givenAt?: number
}

/** What one item says about rights. */
export interface RightsLevel {
  readonly itemId: number
  readonly inherit: boolean
  readonly entries: readonly RightsEntry[]
}

/** An entry that counts at an item, with the item it was set on. */
export interface EntryInForce extends RightsEntry {
  readonly sourceId: number
}

/** A person with the departments and roles that count for them. */
export interface Subjects {
  readonly userId: number
  readonly groupIds: ReadonlySet<number>
  readonly roleIds: ReadonlySet<number>
}

/** One step on the way to a person's rights, for the dialog that explains them. */
export type RightsReason =
  | { readonly step: 'entry'; readonly entry: EntryInForce }
  | { readonly step: 'deny'; readonly entry: EntryInForce }
  | { readonly step: 'manager' }
  /** What would count but for the item `at`: it ended there, an own entry replaced it, or inheritance is closed there. */
  | { readonly step: 'expired' | 'replaced' | 'closed'; readonly entry: EntryInForce; readonly at: number }
  | { readonly step: 'dependencies'; readonly added: Rights }

/** A person's rights on an item and how they came about. */
export interface EffectiveRights {
  readonly rights: Rights
  readonly reasons: readonly RightsReason[]
}

/** What the evaluation depends on besides the entries. */
export interface RightsOptions {
  /** The server setting `print_rights`. [X5] */
  readonly printRights: boolean
  /** Whether the person owns or manages the library, which no entry can take away. */
  readonly isManager: boolean
}

/**
 * One step down the tree: what is in force at `level`, given what is in force at its parent at the same moment.
 * Answers the parent's own list, not a copy, where the level adds nothing.
 */
export function entriesAt(parent: readonly EntryInForce[], level: RightsLevel, now: number): readonly EntryInForce[] {
  const own = level.entries.filter((entry) => entry.expireTime === null || entry.expireTime > now)
  if (level.inherit && own.length === 0) return parent
  const replaced = new Set(own.filter((entry) => entry.kind === 'independent').map(subjectKey))
  const inherited = level.inherit
    ? parent.filter((entry) => entry.kind === 'application' || !replaced.has(subjectKey(entry)))
    : []
  return [...inherited, ...own.map((entry) => ({ ...entry, sourceId: level.itemId }))]
}

/** The rights one person has from what is in force: the union of their entries, where deny wins over all but a manager. */
export function rightsFrom(inForce: readonly EntryInForce[], who: Subjects, options: RightsOptions): EffectiveRights {
  const mine = inForce.filter((entry) => concerns(entry, who))
  const reasons: RightsReason[] = mine.map((entry) => ({
    step: (entry.rights & Right.deny) !== 0 ? 'deny' : 'entry',
    entry,
  }))
  if (options.isManager) return { rights: rights(Right.full), reasons: [...reasons, { step: 'manager' }] }

  const union = mine.reduce((mask, entry) => mask | entry.rights, 0) & ~Right.full
  if ((union & Right.deny) !== 0) return { rights: rights(Right.deny), reasons }

  const closed = closeRights(rights(union), options)
  if (closed !== union) reasons.push({ step: 'dependencies', added: rights(closed & ~union) })
  return { rights: closed, reasons }
}

/** A person's rights at the last of the levels, which lead down from the library root. */
export function effectiveRights(
  levels: readonly RightsLevel[],
  who: Subjects,
  options: RightsOptions & { readonly now: number },
): EffectiveRights {
  const inForce = levels.reduce<readonly EntryInForce[]>((parent, level) => entriesAt(parent, level, options.now), [])
  return rightsFrom(inForce, who, options)
}

/** The same, with what would count but for something on the way: what has ended, what was replaced, what stopped. */
export function explainRights(
  levels: readonly RightsLevel[],
  who: Subjects,
  options: RightsOptions & { readonly now: number },
): EffectiveRights {
  const lost: RightsReason[] = []
  let inForce: readonly EntryInForce[] = []
  for (const level of levels) {
    const next = entriesAt(inForce, level, options.now)
    const at = level.itemId
    for (const entry of inForce)
      if (!next.includes(entry) && concerns(entry, who))
        lost.push({ step: level.inherit ? 'replaced' : 'closed', entry, at })
    for (const entry of level.entries)
      if (entry.expireTime !== null && entry.expireTime <= options.now && concerns(entry, who))
        lost.push({ step: 'expired', entry: { ...entry, sourceId: at }, at })
    inForce = next
  }
  const { rights: mask, reasons } = rightsFrom(inForce, who, options)
  return { rights: mask, reasons: [...lost, ...reasons] }
}

/**
 * Whether own entries may hide an item that inherits from somebody who sees its parent. Where this says no, what is in
 * force at the parent goes on or is replaced by entries that show the item too, also when some of them have ended.
 */
export function mayWithhold(entries: readonly Pick<RightsEntry, 'rights'>[]): boolean {
  return entries.some(({ rights: mask }) => (mask & (Right.deny | Right.display)) !== Right.display)
}

/**
 * What a change of the entries in force gives: the rights that somebody may have after it and had not before. Where a deny
 * ends nobody can say who had what without it, so that all that is in force is given.
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

/** What the entries of each subject grant together. */
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

/** Whether an entry is somebody's: by name, by a department or by a role. */
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
