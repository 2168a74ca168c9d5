/*
 * Notifications about low space ([R286], [R287]): to a user whose own space is nearly full, and to system
 * administrators about the space of the server, its disk and the log. Each is sent once when the state begins, and
 * again only after there was enough space in between: a row of `space_low` exists for as long as space is low.
 *
 * Users are checked after their sums have changed (`space.changed`). The rest is checked periodically by one process.
 */
import { mainServerId } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type NewEvent, personal, writeEvents } from '../../core/events.ts'
import type { AudibleEvent, Audience, StoredEvent } from '../../core/push/index.ts'
import type { Services } from '../../core/services.ts'
import type { SpaceEvent } from '../tree/index.ts'

/** All system administrators. Frozen ones are included and see the notice when they are reactivated. */
async function administratorsOf(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from account where is_admin union select account_id from administrator where power = 'system'`.execute(db)
  return rows.map(({ id }) => id)
}

const noticeBase = { serverId: mainServerId }

interface Measured {
  readonly id: number
  readonly used: number
  readonly total: number
}

/**
 * The bytes used by accounts, and their limits. The user's personal library is returned instead if it is closer to its
 * limit.
 */
async function measurePeople(db: Db, ids: readonly number[] | null, usual: number): Promise<readonly Measured[]> {
  const whose = (column: string): RawBuilder<unknown> =>
    ids === null ? sql`true` : sql`${sql.ref(column)} = any(${[...ids]})`
  const { rows } = await sql<Measured>`
    with used as (
      select account_id, sum(bytes) as bytes from (
        select account_id, bytes from usage_total where ${whose('account_id')}
        union all select account_id, bytes from tally where ${whose('account_id')}) u
      group by account_id
    ), places as (
      select a.id, coalesce(u.bytes, 0) as used, coalesce(a.quota, ${usual}) as total
      from account a left join used u on u.account_id = a.id where ${whose('a.id')}
      union all
      select l.owner_id, t.bytes, l.quota from library l join library_total t on t.library_id = l.id
      where l.kind = 'personal' and l.quota > 0 and ${whose('l.owner_id')}
    )
    select distinct on (id) id, used::bigint, total from places where total > 0
    order by id, used::numeric / total desc`.execute(db)
  return rows
}

/** Something whose space may be low; `is` is true if it is low now. */
interface Watched {
  readonly kind: 'account' | 'installation' | 'disk' | 'log' | 'archive'
  readonly id: number
  readonly is: boolean
}

/** Records what has become low and what no longer is. Returns what has become low. */
async function recordLow(tx: Tx, watched: readonly Watched[], now: number): Promise<readonly Watched[]> {
  const became: Watched[] = []
  for (const [kind, some] of Map.groupBy(watched, (one) => one.kind)) {
    const [low, enough] = [some.filter(({ is }) => is), some.filter(({ is }) => !is)]
    await tx
      .deleteFrom('space_low')
      .where('kind', '=', kind)
      .where('id', '=', sql<number>`any(${enough.map(({ id }) => id)}::bigint[])`)
      .execute()
    const { rows } = await sql<{ id: number }>`
      insert into space_low (kind, id, at) select ${kind}, id, ${now} from unnest(${low.map(({ id }) => id)}::bigint[]) id
      on conflict do nothing returning id`.execute(tx)
    const fresh = new Set(rows.map(({ id }) => id))
    became.push(...low.filter(({ id }) => fresh.has(id)))
  }
  return became
}

const isLow = ({ used, total }: { used: number; total: number }, percent: number): boolean =>
  total > 0 && used * 100 >= total * percent

/** Checks the users whose space has changed. Returns the notifications to send. */
export async function readSpace(
  tx: Tx,
  settings: Services['settings'],
  events: readonly StoredEvent<SpaceEvent>[],
  now: number,
): Promise<readonly NewEvent[]> {
  const { user_space: usual, personal_space_percent: percent } = await settings.current(tx)
  const isEverybody = events.some(({ event }) => event.accountIds === null)
  const ids = [...new Set(events.flatMap(({ event }) => event.accountIds ?? []))]
  const people = new Map((await measurePeople(tx, isEverybody ? null : ids, usual)).map((one) => [one.id, one]))
  if (isEverybody)
    await sql`delete from space_low where kind = 'account' and id <> all(${[...people.keys()]})`.execute(tx)
  // A user without a limit has enough space.
  const looked = isEverybody ? [...people.keys()] : ids
  const became = await recordLow(
    tx,
    looked.map((id) => ({ kind: 'account', id, is: isLow(people.get(id) ?? { used: 0, total: 0 }, percent) })),
    now,
  )
  const low = became.flatMap(({ id }) => people.get(id) ?? [])
  return [
    ...low.map(({ id, used, total }) =>
      personal('personalSpaceLow', [id], { ...noticeBase, percent: Math.floor((used * 100) / total), used, total }),
    ),
    ...(await installationLow(tx, settings, now)),
  ]
}

/** The limit of the installation, whose usage is a single row. */
async function installationLow(tx: Tx, settings: Services['settings'], now: number): Promise<readonly NewEvent[]> {
  const { server_space: total, inner } = await settings.current(tx)
  const { rows } = await sql<{ used: number }>`
    select (coalesce((select bytes from library_total where library_id = 0), 0)
      + coalesce((select sum(bytes) from tally), 0))::bigint as used`.execute(tx)
  const used = rows[0]?.used ?? 0
  const is = isLow({ used, total }, inner.server_space_percent)
  if ((await recordLow(tx, [{ kind: 'installation', id: 0, is }], now)).length === 0) return []
  return [await serverLow(tx, total, total - used, inner.server_space_percent)]
}

async function serverLow(tx: Tx, size: number, free: number, percent: number): Promise<NewEvent> {
  return personal('serverSpaceLow', await administratorsOf(tx), {
    ...noticeBase,
    totalSpaceSize: size,
    freeSpaceSize: Math.max(0, free),
    limitSpaceSize: Math.floor((size * (100 - percent)) / 100),
  })
}

/**
 * Bytes that the log takes in the database. Tables do not shrink when rows are moved to archives. After the first
 * archive it is therefore estimated from the row count and the average row size at that time, if that is less.
 */
export async function logBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select least(
      (select sum(pg_total_relation_size(name::regclass))
        from unnest(array['audit', 'audit_seal', 'audit_item', 'audit_library', 'audit_head', 'audit_hour']) name),
      (select (h.seq - a.to_seq) * a.row_bytes
        from (select to_seq, row_bytes from audit_archive order by to_seq desc limit 1) a,
          (select seq from audit_head order by seq desc limit 1) h))::bigint as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Bytes that the archives of the log take. */
export async function logArchiveBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from audit_archive`.execute(db)
  return rows[0]?.bytes ?? 0
}

/**
 * Checks what no sum event reports: the disk, the log, and the server's limit, which an administrator may have changed.
 */
export async function measureServer(
  { db, settings, blobs }: Pick<Services, 'db' | 'settings'> & { readonly blobs: Pick<BlobStore, 'disk'> },
  now: number,
): Promise<void> {
  const disk = await blobs.disk?.()
  const { inner } = await settings.current()
  const { log_space_percent: logPercent, server_space_percent: percent } = inner
  const logs = [
    { kind: 'log' as const, most: inner.log_space, used: inner.log_space === 0 ? 0 : await logBytes(db) },
    { kind: 'archive' as const, most: inner.log_archive_space, used: await logArchiveBytes(db) },
  ]
  await db.transaction().execute(async (tx) => {
    const events = [...(await installationLow(tx, settings, now))]
    const watched: Watched[] = logs.map(({ kind, most, used }) => ({
      kind,
      id: 0,
      is: most > 0 && (most - used) * 100 <= most * logPercent,
    }))
    if (disk !== undefined)
      watched.push({ kind: 'disk', id: 0, is: isLow({ used: disk.size - disk.free, total: disk.size }, percent) })
    for (const { kind } of await recordLow(tx, watched, now)) {
      if (kind === 'disk' && disk !== undefined) events.push(await serverLow(tx, disk.size, disk.free, percent))
      const log = logs.find((one) => one.kind === kind)
      if (log !== undefined) {
        const low = { restSpaceSize: Math.max(0, log.most - log.used), isArchive: kind === 'archive' }
        events.push(personal('logSpaceLow', await administratorsOf(tx), { ...noticeBase, ...low }))
      }
    }
    await writeEvents(tx, events, now)
  })
}

const nobody: ReadonlySet<number> = new Set()
/** Older events are not pushed: a page reloads its usage anyway when it reconnects. */
const freshMs = 60_000

/** Connected users whose space has changed (push 48). */
export const spaceAudience: Audience<SpaceEvent> = {
  async prepare(db, events, now) {
    const fresh = events.filter(({ at, event }) => event.accountIds !== null && at > now - freshMs)
    const ids = [...new Set(fresh.flatMap(({ event }) => event.accountIds ?? []))]
    if (ids.length === 0) return new Map()
    const { rows } = await sql<{ id: number; used: number }>`
      select account_id as id, sum(bytes)::bigint as used from (
        select account_id, bytes from usage_total where account_id = any(${ids})
        union all select account_id, bytes from tally where account_id = any(${ids})) u
      group by account_id`.execute(db)
    const usedBy = new Map(rows.map(({ id, used }) => [id, used]))
    return new Map(
      fresh.map(({ position, event }): [number, AudibleEvent] => {
        const accountIds = new Set(event.accountIds)
        return [
          position,
          {
            concerns: { accountIds, groupIds: nobody, roleIds: nobody },
            perAccount: true,
            viewFor: ({ accountId, quota }) =>
              accountIds.has(accountId)
                ? { name: 'spaceRefresh', payload: { serverId: 0, used: usedBy.get(accountId) ?? 0, total: quota } }
                : undefined,
          },
        ]
      }),
    )
  },
}

export { administratorsOf }
