// Whether a call's gates let it through, given the objects they name as the actor sees them.
import type { GateUse, ItemRef, ItemUse, Lock, ObjectId, ObjectKind, ObjectUse } from '@cloudoc/contract'
import { type CodeName, denial, fail, gates } from '@cloudoc/domain'
import type { Access, ObjectAccess } from '../access.ts'
import type { Actor } from '../actor.ts'
import type { Db, Tx } from '../db/database.ts'
import type { SomeObjects } from '../loaders.ts'

/** The key of an item within one call. */
export const keyOf = (item: ItemRef): string => `${item.fType}:${item.fId}`

/** The key of an object of another kind. */
export const keyOfObject = ({ kind }: ObjectKind, id: ObjectId): string => `${kind} ${id}`

const keyOfUse = (use: GateUse): string => ('item' in use ? keyOf(use.item) : keyOfObject(use.object, use.id))

/** What a call's gates have loaded, by key. */
export type Found = ReadonlyMap<string, Access | ObjectAccess>

/**
 * Passes every gate, or fails with the code of the first refusal. What is not in `met` does not exist for the actor.
 */
export function passGates(actor: Actor | undefined, uses: readonly GateUse[], met: Found): Found {
  if (uses.length > 0 && actor === undefined) return fail('notLoggedIn')
  for (const use of uses) {
    const code = refusalAt(use, actor, met)
    if (code !== undefined) fail(code)
  }
  return met
}

/** Returns the uses that every gate lets through. Fails with the code of the first refusal if there are none. */
export function passSome(
  actor: Actor | undefined,
  uses: readonly GateUse[],
  met: Found,
): { readonly passed: Found; readonly refused: ReadonlyMap<string, CodeName> } {
  const passed = new Map(met)
  const refused = new Map<string, CodeName>()
  for (const use of uses) {
    const code = refusalAt(use, actor, met)
    if (code === undefined) continue
    passed.delete(keyOfUse(use))
    refused.set(keyOfUse(use), code)
  }
  return { passed: passed.size === 0 ? passGates(actor, uses, met) : passed, refused }
}

function refusalAt(use: GateUse, actor: Actor | undefined, met: Found): CodeName | undefined {
  return denialTo(actor, use, met.get(keyOfUse(use)))
}

/** The code with which a gate refuses the actor, by its rule or by the actor's limit. Undefined if it passes. */
export function denialTo(
  actor: Actor | undefined,
  use: GateUse,
  found: Access | ObjectAccess | undefined,
): CodeName | undefined {
  const beyond = actor?.limit?.(use, found)
  if (beyond !== undefined) return beyond
  if (found === undefined) return 'notFound'
  if ('item' in use) return denial(gates[use.action], (found as Access).facts)
  const rule = use.object.gates[use.action]
  if (rule === undefined) throw new Error(`${use.object.kind} has no gate ${use.action}`)
  return denial(rule, found.facts as never)
}

/** The items that a call's gates have passed, and those that objects of other kinds show. */
export const itemsOf = (uses: readonly GateUse[], passed: Found): number[] =>
  uses.flatMap((use) => {
    const found = passed.get(keyOfUse(use))
    if (found === undefined) return []
    return 'item' in use ? [use.item.fId] : ((found as ObjectAccess).itemId ?? [])
  })

export const isOfItem = (use: GateUse): use is ItemUse => 'item' in use
const isOfObject = (use: GateUse): use is ObjectUse => !('item' in use)

/** The rows that gates lock, each once and with the strongest lock that any of them needs. */
export function locksOf(uses: readonly GateUse[]): { fId: number; lock: Lock }[] {
  const locks = new Map<number, Lock>()
  for (const { item, lock } of uses.filter(isOfItem)) {
    if (lock !== undefined && locks.get(item.fId) !== 'change') locks.set(item.fId, lock)
  }
  return [...locks].map(([fId, lock]) => ({ fId, lock }))
}

/** Loads and locks objects of every kind except items. */
export interface ObjectGates {
  /** Whether any of the gates uses such an object. */
  concern(uses: readonly GateUse[]): boolean
  /** Loads the objects that the actor may know of, by key. */
  load(db: Db, actor: Actor, uses: readonly GateUse[]): Promise<Map<string, ObjectAccess>>
  /** Locks kind by kind in the order of registration, and each kind in the order of ids: no two calls can deadlock. */
  lock(tx: Tx, uses: readonly GateUse[]): Promise<void>
}

/** Combines the kinds of objects that features have registered. */
export function createObjectGates(registered: readonly SomeObjects[]): ObjectGates {
  const kinds = new Set(registered.map(({ kind }) => kind.kind))
  if (kinds.size < registered.length) throw new Error('a kind of object is registered twice')
  /** The gates of one kind, grouped by object. */
  const usesOf = ({ kind }: SomeObjects, uses: readonly GateUse[]): Map<ObjectId, ObjectUse[]> =>
    Map.groupBy(
      uses.filter(isOfObject).filter(({ object }) => object.kind === kind.kind),
      ({ id }) => id,
    )
  return {
    concern: (uses) => uses.some(isOfObject),

    async load(db, actor, uses) {
      for (const use of uses)
        if (isOfObject(use) && !kinds.has(use.object.kind)) throw new Error(`nobody registers ${use.object.kind}`)
      const found = new Map<string, ObjectAccess>()
      for (const objects of registered) {
        const ids = [...usesOf(objects, uses).keys()]
        if (ids.length === 0) continue
        for (const [id, met] of await objects.load(db, actor, ids)) found.set(keyOfObject(objects.kind, id), met)
      }
      return found
    },

    async lock(tx, uses) {
      for (const objects of registered) {
        const wanted = [...usesOf(objects, uses)].sort(([a], [b]) => (a < b ? -1 : 1))
        for (const [id, own] of wanted) {
          const locks = own.flatMap(({ lock }) => lock ?? [])
          if (locks.length > 0) await objects.lock(tx, id, locks.includes('change') ? 'change' : 'hold')
        }
      }
    },
  }
}
