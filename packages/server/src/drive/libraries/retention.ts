/*
 * Retention of libraries ([R245], decisions E3): the number of versions stored per file, the number of days old
 * versions are stored, and the number of days deleted items stay in the recycle bin. The newest version and named
 * versions are always retained. Removed versions free their bytes. Content is removed when nothing references it any
 * more. What a legal hold covers stays.
 *
 * A job runs at once when a file exceeds its number of versions or when a library's retention is reduced. What only
 * expires with time is removed by an hourly chore.
 */
import { LogBit, OperateType } from '@cloudoc/domain'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../core/db/database.ts'
import type { ItemEvent } from '../../core/events.ts'
import { job, type Write } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { enqueue, enqueueAll } from '../../core/queue/rows.ts'
import type { ObservedChange } from '../../core/reactions.ts'
import type { Services } from '../../core/services.ts'

const fileBatch = 500
const binBatch = 500
const dayMs = 24 * 60 * 60_000

/** The position of a scan over files, and its scope: all files, those of a library, or a single one. */
export interface Round {
  readonly after: number
  readonly libraryId?: number | undefined
  readonly fileId?: number | undefined
}

/**
 * Checks a batch of files after the given id. Removes old versions that exceed the number or age that their library
 * retains; named versions stay. Returns where the next step continues, undefined at the end. The removed versions are
 * recorded in each file's log.
 */
export async function pruneVersions(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  round: Round,
  now: number,
): Promise<Round | undefined> {
  const { after, libraryId, fileId } = round
  const { version_count: usual, version_days: usualDays } = await settings.current()
  const { rows } = await sql<{ id: number; kept: number; since: number }>`
    select i.id, k.kept, k.since
    from item i join library l on l.id = i.library_id
    cross join lateral (
      select coalesce(l.kept_versions, ${usual}::int) as kept,
        case when coalesce(l.kept_days, ${usualDays}::int) > 0
          then ${now}::bigint - coalesce(l.kept_days, ${usualDays}::int)::bigint * ${dayMs} else 0 end as since) k
    where i.id > ${after} and i.f_type = 1 and i.version > 1 and not i.purged
      ${libraryId === undefined ? sql`` : sql`and i.library_id = ${libraryId}`}
      ${fileId === undefined ? sql`` : sql`and i.id = ${fileId}`}
      and ((k.kept > 0 and i.version > k.kept) or (k.since > 0 and i.created_at < k.since))
      and not is_held(i.id)
    order by i.id limit ${fileBatch}`.execute(db)
  if (rows.length > 0) await removeVersions(db, rows, now)
  const last = rows.at(-1)
  return rows.length < fileBatch || last === undefined ? undefined : { ...round, after: last.id }
}

/** One complete scan. */
export async function thin(
  services: Pick<Services, 'db' | 'settings' | 'now'>,
  of: Omit<Round, 'after'> = {},
): Promise<void> {
  let round: Round | undefined = { ...of, after: 0 }
  while (round !== undefined) round = await pruneVersions(services, round, services.now())
}

const Asked = z.strictObject({
  what: z.enum(['file', 'library', 'all']),
  /** Id of the file or library; 0 for all. */
  id: z.int(),
  /**
   * The version that was added, or the time the rule was changed. It is part of the job key, so a request made while
   * the job runs creates another job.
   */
  since: z.int(),
})

const thinning: JobKind<z.infer<typeof Asked>, void> = {
  name: 'versions.thin',
  input: Asked,
  key: ({ what, id, since }) => `${what} ${id} ${since}`,
}

/** Removes versions that exceed the retention since a change. */
export const thinningJob = (services: Pick<Services, 'db' | 'settings' | 'now'>) =>
  job({
    ...thinning,
    attempts: 5,
    concurrency: 1,
    timeoutMs: 60 * 60_000,
    run: (_, { what, id }) =>
      thin(services, { ...(what === 'library' && { libraryId: id }), ...(what === 'file' && { fileId: id }) }),
  })

/** Enqueues the removal of versions that a library no longer retains; id 0: of all libraries. */
export async function askToThin({ tx, now }: Write, libraryId: number): Promise<void> {
  await enqueue({ tx, now }, thinning, { what: libraryId === 0 ? 'all' : 'library', id: libraryId, since: now })
}

/** Enqueues those of the files that now have more versions than their library retains. */
export async function askForFull(tx: Write['tx'], heard: readonly ObservedChange<'item'>[]): Promise<void> {
  const changed = heard.filter(({ change }) => hasNewVersion(change))
  const [first] = changed
  if (first === undefined) return
  const { rows } = await sql<{ id: number; since: number }>`
    select i.id, i.version as since from item i join library l on l.id = i.library_id
    cross join lateral (
      select coalesce(l.kept_versions, (select (value ->> 'version_count')::int from setting where code = 'server'), 0)) k (kept)
    where i.id = any(${changed.map(({ change }) => change.itemId)}::bigint[]) and kept > 0 and i.version > kept
      -- Those with a name stay, so there may be more for good.
      and exists (
        select 1 from version v where v.item_id = i.id and v.name = '' and v.number <= (
          select number from version where item_id = i.id order by number desc offset kept limit 1))`.execute(tx)
  if (rows.length > 0)
    await enqueueAll(
      { tx, now: first.now },
      thinning,
      rows.map((row) => ({ what: 'file' as const, ...row })),
    )
}

const hasNewVersion = ({ fType, operateType, version }: ItemEvent): boolean =>
  fType === 1 && version > 1 && operateType === OperateType.edit

async function removeVersions(
  db: Db,
  files: readonly { id: number; kept: number; since: number }[],
  now: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // A file to which a version is being added right now is skipped until the next scan.
    await sql`
      with held as (
        select i.id, i.library_id, i.version, f.kept, f.since
        from jsonb_to_recordset(${JSON.stringify(files)}) as f (id bigint, kept int, since bigint)
        join item i on i.id = f.id and not is_held(i.id)
        order by i.id for no key update of i skip locked
      ), gone as (
        delete from version v using (
          select item_id, number from (
            select v.item_id, v.number, v.name, v.created_at, h.kept, h.since, h.version,
              row_number() over (partition by v.item_id order by v.number desc) as nth
            from held h join version v on v.item_id = h.id) ranked
          where ranked.name = '' and number < version
            and ((kept > 0 and nth > kept) or (since > 0 and created_at < since))) old
        where v.item_id = old.item_id and v.number = old.number
        returning v.item_id, v.number, v.created_by, v.size
      ), noted as (
        insert into audit (at, account_id, call, address, items, detail)
        select ${now}::bigint, null, 'versionsThinned', '', array[item_id], jsonb_build_object('log', ${LogBit.delete}::int,
          'versions', string_agg(number::text, ', ' order by number), 'bytes', sum(size))
        from gone group by item_id
      )
      insert into tally (library_id, account_id, folder_id, bytes, children)
      select h.library_id, g.created_by, null, -sum(g.size), 0
      from gone g join held h on h.id = g.item_id group by h.library_id, g.created_by having sum(g.size) > 0`.execute(
      tx,
    )
  })
}

/**
 * Marks items that have been in a recycle bin for longer than their library retains them as purged. Returns true if
 * more may be left.
 */
export async function emptyBins({ db, settings }: Pick<Services, 'db' | 'settings'>, now: number): Promise<boolean> {
  const { recycle_days: usual } = await settings.current()
  const { rows } = await sql`
    update item set purged = true where id in (
      select i.id from library l cross join lateral (
        select id from item
        where library_id = l.id and deleted_at is not null and not purged and parent_id is not null
          and deleted_at < ${now}::bigint - coalesce(l.bin_days, ${usual})::bigint * ${dayMs}
          and not contains_held(id)
        order by deleted_at limit ${binBatch}) i
      where coalesce(l.bin_days, ${usual}) > 0
      limit ${binBatch})
    returning 1`.execute(db)
  return rows.length === binBatch
}
