// Whether a call's gates let it through, given the items they name as the actor meets them.
import type { GateUse, ItemRef } from '@cloudoc/contract'
import { type CodeName, denial, fail, gates } from '@cloudoc/domain'
import type { Access } from '../access.ts'
import type { Actor } from '../actor.ts'

/** What an item is known by in one call. */
export const keyOf = (item: ItemRef): string => `${item.fType}:${item.fId}`

/** Passes every gate or fails with the code of the first that refuses; an item that is not among `met` is not there. */
export function passGates(
  actor: Actor | undefined,
  uses: readonly GateUse[],
  met: ReadonlyMap<string, Access>,
): ReadonlyMap<string, Access> {
  if (uses.length > 0 && actor === undefined) return fail('notLoggedIn')
  for (const use of uses) {
    const code = refusalAt(use, actor, met)
    if (code !== undefined) fail(code)
  }
  return met
}

/** Those that every gate lets through, or fails with the code of the first refusal where there are none. */
export function passSome(
  actor: Actor | undefined,
  uses: readonly GateUse[],
  met: ReadonlyMap<string, Access>,
): ReadonlyMap<string, Access> {
  const passed = new Map(met)
  for (const use of uses) if (refusalAt(use, actor, met) !== undefined) passed.delete(keyOf(use.item))
  return passed.size === 0 ? passGates(actor, uses, met) : passed
}

function refusalAt(
  { item, action }: GateUse,
  actor: Actor | undefined,
  met: ReadonlyMap<string, Access>,
): CodeName | undefined {
  const key = keyOf(item)
  if (actor?.scope !== undefined && !actor.scope.has(`${action}:${key}`)) return 'noPermission'
  const access = met.get(key)
  return access === undefined ? 'notFound' : denial(gates[action], access.facts)
}

/** The rows that gates ask to be locked, each once and as strongly as any of them asks. */
export function locksOf(uses: readonly GateUse[]): { fId: number; lock: 'change' | 'hold' }[] {
  const locks = new Map<number, 'change' | 'hold'>()
  for (const { item, lock } of uses) {
    if (lock !== undefined && locks.get(item.fId) !== 'change') locks.set(item.fId, lock)
  }
  return [...locks].map(([fId, lock]) => ({ fId, lock }))
}
