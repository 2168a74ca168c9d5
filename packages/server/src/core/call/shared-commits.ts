/*
 * Calls of one moment that commit in one transaction: one wait for the disk, and a few statements instead of ten for
 * each.
 *
 * Each call has its own session check, gates, events, audit row and outcome. No call waits for a lock that another
 * transaction holds. A call that would have to wait gets its own transaction, and so does every call if the shared
 * transaction is refused as a whole.
 */
import type { GateUse, ItemUse } from '@cloudoc/contract'
import { ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../access.ts'
import type { AccountActor, Actor } from '../actor.ts'
import { batched, type Outcome } from '../batcher.ts'
import { type Db, isConnectionLost, isRolledBack, type Tx } from '../db/database.ts'
import { type Change, commitChanges } from '../events.ts'
import type { Gatekeeper } from '../loaders.ts'
import type { Commit } from '../reactions.ts'
import type { SharedWork, WriteContext } from './context.ts'
import { type Found, isOfItem, keyOf, passGates } from './gates.ts'

/** A call that is about to commit. */
interface Committing {
  readonly name: string
  readonly actor: Actor | undefined
  uses(): readonly GateUse[]
  writing(tx: Tx, passed: Found, uses: readonly GateUse[]): { context: WriteContext; changes: readonly Change[] }
}

interface Parts {
  readonly db: Db
  readonly gatekeeper: Gatekeeper
  readonly actingAnew: (tx: Tx, sessionIds: readonly number[]) => Promise<ReadonlyMap<number, AccountActor>>
  readonly commit: Commit
  readonly committed: () => void
  readonly pause: (point: string) => Promise<void>
}

/** Does a call's part of shared work. Undefined if it must be done alone. */
export type SharedCommits = <I, O>(
  work: SharedWork<I, O>,
  call: Committing,
  input: I | Promise<I>,
) => Promise<{ value: O } | undefined>

interface Member {
  readonly call: Committing
  readonly actor: AccountActor
  readonly uses: readonly ItemUse[]
  readonly input: unknown
}

type Work = SharedWork<unknown, unknown>

/** As many as are likely to arrive while one transaction is written. More would delay the first ones. */
const most = 64
/** One: calls that arrive during the wait for the disk make the next batch larger. */
const concurrency = 1
/** A few syncs of a disk: two transactions of four calls cost a third more than one of eight. */
const patienceMs = 5
/** Longer than any lock is normally held. A call that waits longer waits alone. */
const lockTimeout = '500ms'

/** One queue for each kind of shared work. */
export function createSharedCommits(parts: Parts): SharedCommits {
  const queues = new Map<Work, (member: Member | Promise<Member>) => Promise<{ value: unknown } | undefined>>()
  return async <I, O>(work: SharedWork<I, O>, call: Committing, input: I | Promise<I>) => {
    const { actor } = call
    const all = call.uses()
    const uses = all.filter(isOfItem)
    // Only items and accounts are handled in batches. Objects of other kinds and outsiders are rare, and cannot be
    // loaded for many actors at once.
    if (actor?.kind !== 'account' || uses.length < all.length) return undefined
    const key = work as unknown as Work
    let queue = queues.get(key)
    if (queue === undefined) {
      queue = batched({ most, atOnce: concurrency, patienceMs }, (members) => commitBatch(parts, key, members))
      queues.set(key, queue)
    }
    const member = (ready: unknown): Member => ({ call, actor, uses, input: ready })
    return queue(input instanceof Promise ? input.then(member) : member(input)) as Promise<{ value: O } | undefined>
  }
}

const alone = { value: undefined }

/** A reaction refuses a part of the shared transaction: each call is then repeated alone. */
class BatchRefused extends Error {}

async function refusedAlone(reacting: Promise<void>): Promise<void> {
  try {
    await reacting
  } catch (error) {
    throw error instanceof ResultError ? new BatchRefused() : error
  }
}

async function commitBatch(
  parts: Parts,
  work: Work,
  members: readonly Member[],
): Promise<readonly Outcome<{ value: unknown } | undefined>[]> {
  const outcomes: Outcome<{ value: unknown } | undefined>[] = members.map(() => alone)
  let ending = false
  try {
    const wrote = await parts.db.transaction().execute(async (tx) => {
      const admitted: { at: number; member: Member; context: WriteContext; changes: readonly Change[] }[] = []
      for (const [at, entry] of (await admit(parts, tx, members)).entries()) {
        const member = members[at]
        if (member === undefined || entry === 'alone') continue
        if ('error' in entry) outcomes[at] = entry
        else admitted.push({ at, member, ...member.call.writing(tx, entry.value, member.uses) })
      }
      const done = await work.batch(
        tx,
        admitted.map(({ member, context }) => ({ context, input: member.input })),
      )
      const changes: Change[] = []
      for (const [n, { at, changes: own }] of admitted.entries()) {
        const outcome = done[n]
        if (outcome === undefined) continue
        outcomes[at] = 'error' in outcome ? outcome : { value: outcome }
        if ('value' in outcome) changes.push(...own)
      }
      await refusedAlone(parts.commit.react(tx, changes))
      for (const name of new Set(members.map(({ call }) => call.name))) await parts.pause(`commit ${name}`)
      ending = true
      await commitChanges(tx, changes)
      return changes.some(({ events }) => events.length > 0)
    })
    if (wrote) parts.committed()
    return outcomes
  } catch (error) {
    if (error instanceof BatchRefused) return members.map(() => alone)
    if (!isRolledBack(error) && (ending || !isConnectionLost(error))) throw error
    return members.map(() => alone)
  }
}

/** Reads sessions, locks rows and loads items for all members at once, and checks the gates of each. */
async function admit(parts: Parts, tx: Tx, members: readonly Member[]): Promise<(Outcome<Found> | 'alone')[]> {
  const { gatekeeper } = parts
  const uses = members.flatMap((member) => member.uses)
  const asked = members.flatMap(({ actor, uses: own }) => own.map(({ item }) => ({ actor, item })))
  // Sent together, in this order: what the gates use is read after the rows are locked. Plans are cached: most of these
  // statements take lists, which would otherwise be planned each time.
  const [, actors, held, found] = await Promise.all([
    sql`select set_config('lock_timeout', ${lockTimeout}, true),
      set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx),
    parts.actingAnew(tx, [...new Set(members.map(({ actor }) => actor.sessionId))]),
    gatekeeper.tryLock(tx, [...new Set(uses.filter(({ lock }) => lock === 'hold').map(({ item }) => item.fId))]),
    gatekeeper.accessEach(tx, asked),
  ])
  let at = 0
  return members.map(({ actor, uses: own }) => {
    const met = new Map<string, Access>()
    for (const { item } of own) {
      const access = found[at]
      at += 1
      if (access !== undefined) met.set(keyOf(item), access)
    }
    if (!isAsBefore(actor, actors.get(actor.sessionId))) return 'alone'
    if (own.some(({ item, lock }) => lock === 'change' || (lock === 'hold' && !held.has(item.fId)))) return 'alone'
    try {
      return { value: passGates(actor, own, met) }
    } catch (error) {
      return { error }
    }
  })
}

/** Whether the session is still valid, and everything its items were evaluated with is unchanged. */
function isAsBefore(actor: AccountActor, anew: AccountActor | undefined): boolean {
  return (
    anew !== undefined &&
    areSame(anew.subjects.groupIds, actor.subjects.groupIds) &&
    areSame(anew.subjects.roleIds, actor.subjects.roleIds) &&
    anew.settings === actor.settings &&
    anew.secretLevel === actor.secretLevel &&
    anew.quota === actor.quota
  )
}

function areSame(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one === other || (one.size === other.size && [...one].every((each) => other.has(each)))
}
