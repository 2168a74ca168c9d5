/*
 * Notifies followers of changes (push 6). The recipients follow the item or an ancestor of its current or previous
 * location. Whether they may learn of the change is decided by the same rule as for any other change
 * (drive/rights/audience.ts). A wrong result is a data leak, so this is one separately tested function. Users are not
 * notified of their own changes.
 *
 * The elected leader process runs it asynchronously, so the number of followers does not slow down the writer of a
 * change.
 */
import { type PushContent, type PushPayload, pushes } from '@cloudoc/contract'
import { hasRight, InterestType, OperateType, rightsStateAt } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type FeatureEvent, type ItemEvent, type PersonalEvent, personal } from '../../core/events.ts'
import type { StoredEvent } from '../../core/push/index.ts'
import type { Settings } from '../../core/settings.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { itemAudience, loadLevels, managersOf, rightsAt } from '../rights/index.ts'

/** A user downloaded a file. Written only if somebody follows its downloads. */
export interface DownloadEvent extends FeatureEvent {
  readonly kind: 'follow.download'
  readonly itemId: number
  readonly libraryId: number
  readonly operatorId: number
  readonly operatorName: string
}

type Followed = ItemEvent | DownloadEvent
type FollowChange = PushContent<'followChange'>

interface Follower {
  readonly n: number
  readonly account_id: number
  readonly people: number[]
  readonly groups: number[]
}

/** Creates the pushes to followers for the given events. */
export async function notifyFollowers(
  tx: Tx,
  settings: Settings,
  events: readonly StoredEvent<Followed>[],
  now: number,
): Promise<PersonalEvent[]> {
  const said = await worthNotifying(tx, events)
  const followers = await followersOf(tx, said)
  if (followers.length === 0) return []
  const concerned = new Set(followers.map(({ n }) => n))
  const told = said.filter((_, n) => concerned.has(n))
  const accounts = await loadAccounts(
    tx,
    settings,
    [...new Set([...followers.map(({ account_id }) => account_id), ...told.flatMap((one) => operatorOf(one) ?? [])])],
    now,
  )
  const views = await viewsOf(tx, told, now)
  const found = new Map<string, { payload: FollowChange; people: number[] }>()
  for (const follower of followers) {
    const stored = said[follower.n]
    const account = accounts.get(follower.account_id)
    if (stored === undefined || account === undefined || !isAskedFor(follower, accounts.get(operatorOf(stored) ?? 0)))
      continue
    const payload = views.get(stored.position)?.(account)
    if (payload === undefined) continue
    const key = `${stored.position} ${JSON.stringify(payload)}`
    const same = found.get(key)
    if (same === undefined) found.set(key, { payload, people: [account.accountId] })
    else same.people.push(account.accountId)
  }
  const names = await namesOf(
    tx,
    [...found.values()].map(({ payload }) => payload.parentFolderId),
  )
  return [...found.values()].map(({ payload, people }) =>
    personal('followChange', people, { ...payload, parentFolderName: names.get(payload.parentFolderId) ?? '' }),
  )
}

const operatorOf = ({ actorId, event }: StoredEvent<Followed>): number | null =>
  event.kind === 'item' ? actorId : event.operatorId

/** Whether the follower wants notifications about this operator. */
function isAskedFor({ people, groups }: Follower, operator: Account | undefined): boolean {
  if (people.length === 0 && groups.length === 0) return true
  if (operator === undefined) return false
  return people.includes(operator.accountId) || groups.some((id) => operator.subjects.groupIds.has(id))
}

/**
 * Filters out events that are no change for followers: locks, sort orders, expiries, changes to links, and silent
 * changes.
 */
async function worthNotifying(tx: Tx, events: readonly StoredEvent<Followed>[]): Promise<StoredEvent<Followed>[]> {
  const edits = events.filter(({ event }) => event.kind === 'item' && event.operateType === OperateType.edit)
  const made = new Set<number>()
  if (edits.length > 0) {
    // An edit event counts only if a version was added with it. Other events of type edit do not change the content.
    const { rows } = await sql<{ position: number }>`
      select e.position from unnest(${edits.map(({ position }) => position)}::bigint[],
        ${edits.map(({ event }) => event.itemId)}::bigint[],
        ${edits.map(({ event }) => (event.kind === 'item' ? event.version : 0))}::int[],
        ${edits.map(({ at }) => at)}::bigint[]) as e (position, item_id, version, at)
      join version v on v.item_id = e.item_id and v.number = e.version and v.created_at = e.at`.execute(tx)
    for (const { position } of rows) made.add(position)
  }
  return events.filter(({ event, position }) => {
    if (event.kind !== 'item') return true
    if (event.isLink === true || event.isQuiet === true || event.operatorName === '') return false
    return event.operateType !== OperateType.edit || made.has(position)
  })
}

/** The followers of each event, by its index in the list, without duplicates. */
async function followersOf(tx: Tx, events: readonly StoredEvent<Followed>[]): Promise<Follower[]> {
  const starts = events.flatMap(({ event }, n) => {
    const kind = event.kind === 'item' ? InterestType.change : InterestType.download
    const above = event.kind === 'item' ? [event.parentId, event.beforeParentId] : []
    return [event.itemId, ...above].flatMap((id) => (id === null || id === undefined ? [] : [{ n, id, kind }]))
  })
  if (starts.length === 0) return []
  const times = events.map(({ at }) => at)
  const operators = events.map((stored) => operatorOf(stored) ?? 0)
  const { rows } = await sql<Follower>`
    with recursive up as (
      select * from unnest(${starts.map(({ n }) => n)}::int[], ${starts.map(({ id }) => id)}::bigint[],
        ${starts.map(({ kind }) => kind)}::int[]) as s (n, id, kind)
      where exists (select 1 from follow)
      union
      select u.n, i.parent_id, u.kind from up u
      cross join lateral (select parent_id from item where id = u.id offset 0) i where i.parent_id is not null
    )
    select distinct on (u.n, f.account_id) u.n, f.account_id, to_json(f.people) as people, to_json(f.groups) as groups
    from up u join follow f on f.item_id = u.id and f.kind = u.kind
    -- What was before is no matter of whoever has begun to follow since.
    where f.account_id <> (${operators}::bigint[])[u.n + 1] and f.created_at <= (${times}::bigint[])[u.n + 1]
    order by u.n, f.account_id, cardinality(f.people) + cardinality(f.groups)`.execute(tx)
  return rows
}

/** For each event a function that returns the push for an account; undefined if the account may not learn of it. */
async function viewsOf(
  tx: Tx,
  events: readonly StoredEvent<Followed>[],
  now: number,
): Promise<Map<number, (account: Account) => FollowChange | undefined>> {
  const changes = events.filter((stored): stored is StoredEvent<ItemEvent> => stored.event.kind === 'item')
  const downloads = events.filter((stored): stored is StoredEvent<DownloadEvent> => stored.event.kind !== 'item')
  const views = new Map<number, (account: Account) => FollowChange | undefined>()
  const audible = changes.length === 0 ? new Map<number, never>() : await itemAudience.prepare(tx, changes, now)
  for (const { position } of changes) {
    views.set(position, (account) => {
      const view = audible.get(position)?.viewFor(account)
      if (view === undefined) return undefined
      const { fId, fType, fName, parentFolderId, operateType, operateTime, operatorId, operatorName } =
        view.payload as PushPayload<'fileChange'>
      // Loss of access to an item is reported by a different push.
      if (fName === '') return undefined
      return followChange({ fId, fType, fName, parentFolderId, operateType, operateTime, operatorId, operatorName })
    })
  }
  if (downloads.length === 0) return views
  const levels = await loadLevels(tx, [...new Set(downloads.map(({ event }) => event.itemId))])
  const managers = await managersOf(tx, [...new Set(downloads.map(({ event }) => event.libraryId))])
  for (const { position, at, event } of downloads) {
    const chain = levels.get(event.itemId)
    const own = chain?.at(-1)
    if (chain === undefined || own === undefined) continue
    const place = rightsStateAt(chain, now)
    const above = chain.at(-2)
    views.set(position, (account) => {
      const isManager = managers.get(event.libraryId)?.has(account.accountId) === true
      // A user who may no longer grant rights is not notified about other users' downloads.
      if (!hasRight(rightsAt(place, account, isManager), 'grant')) return undefined
      const seesAbove = hasRight(rightsAt(rightsStateAt(chain.slice(0, -1), now), account, isManager), 'display')
      return followChange({
        fId: event.itemId,
        fType: 1,
        fName: own.name,
        parentFolderId: seesAbove ? (above?.itemId ?? 0) : 0,
        operateType: OperateType.download,
        operateTime: at,
        operatorId: event.operatorId,
        operatorName: event.operatorName,
      })
    })
  }
  return views
}

type ItemChange = Pick<
  FollowChange,
  'fId' | 'fType' | 'fName' | 'parentFolderId' | 'operateType' | 'operateTime' | 'operatorId' | 'operatorName'
>

/** Adds the common fields of all pushes ([R341], X53). */
function followChange(said: ItemChange): FollowChange {
  return {
    serverId: 0,
    pushType: pushes.followChange.type,
    fileId: said.fType === 1 ? said.fId : 0,
    folderId: said.fType === 2 ? said.fId : 0,
    parentId: said.parentFolderId,
    parentFolderName: '',
    operate: said.operateType,
    ...said,
  }
}

async function namesOf(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const wanted = [...new Set(ids.filter((id) => id > 0))]
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('item').select(['id', 'name']).where('id', 'in', wanted).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
