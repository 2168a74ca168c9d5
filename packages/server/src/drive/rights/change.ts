/*
 * The single function that changes the rights on an item. It checks that the author may grant what they grant, writes
 * the entries, and publishes the result: the event, the reminders to affected users, and the item's history.
 */
import {
  fail,
  grantedRights,
  hasRight,
  mayWithhold,
  Right,
  type RightsEntry,
  type RightsLevel,
  rightsOf,
  rightsStateAt,
  selectableRights,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import type { LevelBefore } from '../../core/events.ts'
import type { Settings } from '../../core/settings.ts'
import { knownOf, presentOf } from '../../people/organisation/index.ts'
import { itemEvent } from '../tree/index.ts'
import { type ItemLevel, loadLevels } from './levels.ts'
import { reminders } from './reminders.ts'

const tables = { user: 'account', group: 'org_group', role: 'role' } as const
type Subject = Pick<RightsEntry, 'subjectType' | 'subjectId'>

export const keyOf = ({ subjectType, subjectId }: Subject): string => `${subjectType}:${subjectId}`

/** The names of subjects by type and id. Subjects that do not exist are missing. */
export async function namesOf(db: Db, subjects: readonly Subject[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const type of ['user', 'group', 'role'] as const) {
    const ids = [...new Set(subjects.filter((s) => s.subjectType === type).map((s) => s.subjectId))]
    if (ids.length === 0) continue
    const rows = await sql<{ id: number; name: string }>`
      select id, name from ${sql.table(tables[type])} where id = any(${ids})`.execute(db)
    for (const row of rows.rows) names.set(`${type}:${row.id}`, row.name)
  }
  return names
}

/** The names of the subjects and approvers of entries. */
export const namesAround = (db: Db, entries: readonly RightsEntry[]): Promise<Map<string, string>> =>
  namesOf(
    db,
    entries.flatMap((entry) => [entry, ...approverOf(entry)]),
  )

/** The user who approved the request behind an entry, as a subject; empty if there was no request. */
const approverOf = ({ kind, givenBy }: RightsEntry): Subject[] =>
  kind === 'application' && givenBy !== undefined ? [{ subjectType: 'user', subjectId: givenBy }] : []

/** The approval behind an entry, as returned to clients. */
export function approvalOf(entry: RightsEntry, named: ReadonlyMap<string, string>) {
  const [approvedBy] = approverOf(entry).flatMap((one) => named.get(keyOf(one)) ?? [])
  if (approvedBy === undefined) return {}
  return { approvedBy, ...(entry.givenAt !== undefined && { approvedAt: entry.givenAt }) }
}

type Wanted = Subject & { readonly rights: number; readonly expireTime?: number | null | undefined }

/** Refuses masks that cannot be granted: unknown or computed bits, and a deny combined with other bits. */
export function assertMask(mask: number): void {
  if ((mask & ~(selectableRights | Right.deny)) !== 0)
    fail('badRequest', { zh: '权限中有不能授予的位', en: 'rights: bits that nobody can give' })
  if ((mask & Right.deny) !== 0 && mask !== Right.deny)
    fail('badRequest', { zh: '“不可见”不能与其他权限同时设置', en: 'rights: a deny gives nothing beside it' })
}

/**
 * Refuses invalid lists: duplicate subjects, subjects that do not exist or have left, rights that cannot be granted,
 * and expiry times in the past. Entries that already exist on the item or above it and are unchanged are always
 * accepted.
 */
export async function assertEntries(
  db: Db,
  actor: Account,
  wanted: readonly Wanted[],
  levels: readonly Pick<RightsLevel, 'entries'>[],
  now: number,
): Promise<void> {
  if (new Set(wanted.map(keyOf)).size !== wanted.length)
    fail('badRequest', { zh: '同一对象只能有一项权限', en: 'entries: one entry for a subject' })
  const there = Map.groupBy(
    levels.flatMap(({ entries }) => entries),
    keyOf,
  )
  const fresh = wanted.filter(
    (one) =>
      there.get(keyOf(one))?.some((had) => had.rights === one.rights && had.expireTime === (one.expireTime ?? null)) !==
      true,
  )
  for (const { rights, expireTime } of fresh) {
    assertMask(rights)
    if ((expireTime ?? Infinity) <= now)
      fail('badRequest', { zh: '截止时间已过', en: 'expireTime: it is over already' })
  }
  // Subjects that are already in the list are known to everybody who reads it.
  const named = fresh.filter((one) => !there.has(keyOf(one)))
  if ((await presentOf(db, fresh)).length !== fresh.length || (await knownOf(db, actor, named)).length !== named.length)
    fail('notFound', { zh: '授权对象不存在或已离开', en: 'entries: somebody who is not there, or has left' })
}

/** The new rights on one item. */
export interface NewLevel {
  readonly inherit: boolean
  readonly restricted: boolean
  readonly entries: readonly RightsEntry[]
}

/** Entries as sent by a client. */
export const independent = (entries: readonly Wanted[]): RightsEntry[] =>
  entries.map(({ subjectType, subjectId, rights, expireTime }) => ({
    subjectType,
    subjectId,
    rights,
    kind: 'independent',
    expireTime: expireTime ?? null,
  }))

/** The levels down to an item, before and after a change. */
export interface Change {
  readonly levels: readonly ItemLevel[]
  readonly own: ItemLevel
  readonly after: readonly ItemLevel[]
}

export function changed(levels: readonly ItemLevel[], to: NewLevel): Change {
  const own = levels.at(-1) ?? fail('notFound')
  return { levels, own, after: [...levels.slice(0, -1), { ...own, ...to }] }
}

export async function levelsOf(db: Db, id: number): Promise<readonly ItemLevel[]> {
  return (await loadLevels(db, [id])).get(id) ?? fail('notFound')
}

/** How a change was made, for the readers of the history. */
interface Manner {
  readonly what: 'set' | 'share' | 'paste' | 'clear' | 'undo'
  readonly withoutMyself: boolean
  readonly message?: string
}

/** Changes the rights on an item whose gate has passed. Returns the id of the change in the history. */
export async function changeRights(
  context: WriteContext,
  settings: Settings,
  access: Access,
  levels: readonly ItemLevel[],
  to: NewLevel,
  { what, withoutMyself, message = '' }: Manner,
): Promise<{ changeId?: number }> {
  const { tx, now } = context
  const actor = actorOf(context)
  const { row } = access
  const { own, after } = changed(levels, to)
  assertMayGive(actor, access, { levels, own, after }, withoutMyself, now)
  // An application entry is either unchanged or removed.
  const kept = to.entries.filter(({ kind }) => kind === 'application')
  await tx.deleteFrom('entry').where('item_id', '=', row.id).where('kind', '=', 'independent').execute()
  const stay = new Set(kept.map(keyOf))
  for (const { subjectType, subjectId } of own.entries.filter((one) => one.kind === 'application'))
    if (!stay.has(keyOf({ subjectType, subjectId })))
      await tx
        .deleteFrom('entry')
        .where('item_id', '=', row.id)
        .where('kind', '=', 'application')
        .where('subject_type', '=', subjectType)
        .where('subject_id', '=', subjectId)
        .execute()
  const written = to.entries.filter(({ kind }) => kind === 'independent')
  const before = new Map(own.entries.filter(({ kind }) => kind === 'independent').map((entry) => [keyOf(entry), entry]))
  if (written.length > 0) {
    await tx
      .insertInto('entry')
      .values(
        written.map((entry) => {
          const had = before.get(keyOf(entry))
          // Unchanged entries retain the user who granted them.
          const same = had?.rights === entry.rights && had.expireTime === entry.expireTime
          return {
            item_id: row.id,
            subject_type: entry.subjectType,
            subject_id: entry.subjectId,
            rights: entry.rights,
            kind: entry.kind,
            expires_at: entry.expireTime,
            created_by: (same ? had.givenBy : undefined) ?? actor.accountId,
            created_at: (same ? had.givenAt : undefined) ?? now,
          }
        }),
      )
      .execute()
  }
  await tx
    .updateTable('item')
    .set({
      inherit: to.inherit,
      restricted: to.restricted,
      own_rules: !to.inherit || to.restricted || to.entries.length > 0,
      withholds: mayWithhold(to.entries),
    })
    .where('id', '=', row.id)
    .execute()
  const beforeLevel = plainLevel(own)
  const changeId = await record(context, row.id, actor.accountId, what, beforeLevel, plainLevel(to))
  context.event(itemEvent(row, 'rights', actor.name, { before: beforeLevel }))
  const told = await reminders(tx, settings, { row, levels, after, author: actor, now, message })
  for (const reminder of told) context.event(reminder)
  return changeId === undefined ? {} : { changeId }
}

/** The rights set on an item, without who granted them. */
export const plainLevel = ({ inherit, restricted, entries }: NewLevel): LevelBefore => ({
  inherit,
  restricted,
  entries: entries.map(({ subjectType, subjectId, rights, kind, expireTime }) => ({
    subjectType,
    subjectId,
    rights,
    kind,
    expireTime,
  })),
})

/** Writes a change into the item's history. A change that alters nothing is not recorded. */
export async function record(
  { tx, now }: Pick<WriteContext, 'tx' | 'now'>,
  itemId: number,
  accountId: number,
  what: Manner['what'] | 'approve' | 'revoke',
  before: LevelBefore,
  after: LevelBefore,
): Promise<number | undefined> {
  const [was, became] = [JSON.stringify(before), JSON.stringify(after)]
  if (was === became) return undefined
  const { id } = await tx
    .insertInto('rights_change')
    .values({ item_id: itemId, account_id: accountId, created_at: now, what, before: was, after: became })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Refuses a list that grants more than its author has, or that takes the right to change it from the author without
 * `withoutMyself`.
 */
function assertMayGive(
  actor: Account,
  { facts }: Access,
  { levels, after }: Change,
  withoutMyself: boolean,
  now: number,
): void {
  if (hasRight(facts.rights, 'full')) return
  const options = { printRights: facts.settings.print_rights, isManager: false }
  // Extending an entry that would have expired counts as granting it from that time on.
  const ends = levels.flatMap(({ entries }) => entries.map(({ expireTime }) => expireTime ?? now))
  const moments = [...new Set([now, ...ends.filter((end) => end > now)])]
  const given = moments.reduce(
    (mask, at) => mask | grantedRights(rightsStateAt(levels, at).inForce, rightsStateAt(after, at).inForce, options),
    0,
  )
  if ((given & ~facts.rights) !== 0) fail('noPermission', 'entries: they give more than you hold')
  if (!withoutMyself && !hasRight(rightsOf(rightsStateAt(after, now), actor.subjects, options).rights, 'grant'))
    fail('badRequest', 'entries: you could not change them any more; say withoutMyself where that is meant')
}
