/*
 * Malware scanning of uploaded content (-98). Uploads do not wait for it: an event reader enqueues a scan of each
 * content that has not been scanned, once per content however many files hold it. The result is recorded with the
 * content. Every file whose newest version holds infected content gets a flag with which the gates refuse every use;
 * infected versions are served to nobody. The uploader and the system administrators are notified.
 */
import { features } from '@cloudoc/contract'
import { fail, infectedDocument, mainServerId, OperateType } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { ItemRow } from '../../core/access.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type ItemEvent, type NewEvent, personal, writeEvents } from '../../core/events.ts'
import type { StoredEvent } from '../../core/push/index.ts'
import { HopelessJob, type Job, job } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { enqueueAll, retry } from '../../core/queue/rows.ts'
import type { Services } from '../../core/services.ts'
import { administratorsOf } from '../quotas/index.ts'
import { itemEvent } from '../tree/index.ts'
import { type ScannerAddress, scannerAddress } from './address.ts'
import { ScanFailed, scanContent } from './clamd.ts'
import type { ContentPlace, OtherContents } from './other-contents.ts'

export { type ContentPlace, type OtherContents, otherContents } from './other-contents.ts'

const Asked = z.strictObject({ blobId: z.int() })
type Asked = z.output<typeof Asked>

interface Outcome {
  /** False if the content has been removed meanwhile. */
  readonly scanned: boolean
  readonly virus?: string
}

const scan: JobKind<Asked, Outcome> = { name: 'scan', input: Asked, key: ({ blobId }) => `${blobId}` }

const scanConcurrency = 2
const contentBatch = 500
/** Maximum number of files of one content that are flagged and reported. */
const maxNotifiedFiles = 1000

export function scanJob({
  db,
  contents,
  scanner,
  others,
}: {
  readonly db: Db
  readonly contents: Contents
  readonly scanner: ScannerAddress
  readonly others: () => readonly OtherContents[]
}): Job<Asked, Outcome> {
  return job<Asked, Outcome>({
    ...scan,
    // Enough retries to bridge a scanner outage of one day.
    attempts: 40,
    concurrency: scanConcurrency,
    timeoutMs: 15 * 60_000,
    async run({ signal }, { blobId }) {
      const clamd = await scanner()
      // It was turned off meanwhile.
      if (clamd === undefined) return { scanned: false }
      const content = await db
        .selectFrom('blob')
        .select(['id as blobId', 'key', 'size', 'sha256'])
        .where('id', '=', blobId)
        .executeTakeFirst()
      if (content === undefined) return { scanned: false }
      await using object = await contents.open(content)
      try {
        const virus = await scanContent(clamd, object, signal)
        return { scanned: true, ...(virus !== undefined && { virus }) }
      } catch (error) {
        if (error instanceof ScanFailed && error.tooLarge) throw new HopelessJob('tooLarge', error.message)
        throw error
      }
    },
    async commit({ tx, now }, { blobId }, { scanned, virus }) {
      if (!scanned) return
      const { rows } = await sql`
        insert into scan (blob_id, scanned_at, virus) select id, ${now}, ${virus ?? null} from blob where id = ${blobId}
        on conflict (blob_id) do update set scanned_at = excluded.scanned_at, virus = excluded.virus
        returning 1`.execute(tx)
      if (rows.length === 0) return
      if (virus === undefined) return writeEvents(tx, await openContents(tx, [blobId]), now)
      await sql`update version set uninspected = false where blob_id = ${blobId} and uninspected`.execute(tx)
      // Invalidates the cached rows of its versions.
      await sql`update version set size = size where blob_id = ${blobId}`.execute(tx)
      await writeEvents(tx, await lockAway(tx, [blobId], now), now)
      for (const other of others()) await reportFound(tx, await other.places(tx, blobId), virus, now)
    },
  })
}

/** Records malware in contents that are not in files of the drive, and tells those who sent them. */
async function reportFound(tx: Tx, places: readonly ContentPlace[], virus: string, now: number): Promise<void> {
  const names = [...new Set(places.map(({ name }) => name))]
  await sql`
    insert into audit (at, account_id, call, address, items, detail)
    select ${now}::bigint, null, 'virusFound', '', '{}', jsonb_build_object('name', name, 'virus', ${virus}::text)
    from unnest(${names}::text[]) as n (name)`.execute(tx)
  const told = places.map(({ name, conversationId, accountId, accountName }) =>
    personal('virusFound', [accountId], {
      ...{ serverId: mainServerId, fId: 0, fType: 1, fName: name, version: 1 },
      ...{ uploaderName: accountName, virusName: virus, conversationId },
    }),
  )
  await writeEvents(tx, told, now)
}

/**
 * Closes the current contents of changed files to everybody but their uploaders, unless the scanner has inspected them.
 * What an outsider brought is used by nobody; what co-editing wrote stays open. Equal contents are inspected once.
 */
export async function closeUninspected(tx: Tx, changes: readonly ItemEvent[]): Promise<void> {
  const files = changes.filter(
    ({ fType, isLink, operateType }) => fType === 1 && isLink !== true && bringing.includes(operateType),
  )
  if (files.length === 0) return
  await sql`
    with closed as (
      update version v set uninspected = true from item i
      where i.id = any(${[...new Set(files.map(({ itemId }) => itemId))]}) and v.item_id = i.id and v.number = i.version
        and i.f_type = 1 and i.link_to is null and not v.uninspected and v.editors is null and v.size > 0
        and not exists (select 1 from scan s where s.blob_id = v.blob_id)
      returning v.item_id, case when v.creator_outsider is null then v.created_by else 0 end as uploader
    )
    update item set uninspected_by = uploader from closed where id = item_id`.execute(tx)
}

/** Opens files whose content has been inspected, or that need not be. Returns the resulting events. */
async function opened(tx: Tx, which: RawBuilder<unknown>): Promise<NewEvent[]> {
  const { rows } = await sql<ItemRow>`
    with open as (update version v set uninspected = false where v.uninspected and ${which} returning item_id)
    update item set uninspected_by = null where uninspected_by is not null and id in (
      select o.item_id from open o) and not exists (
        select 1 from version v where v.item_id = item.id and v.number = item.version and v.uninspected and not (${which}))
    returning *`.execute(tx)
  return rows.flatMap((row): NewEvent[] => (row.deleted_at === null ? [itemEvent(row, 'rights', '')] : []))
}

const openContents = (tx: Tx, blobIds: readonly number[]): Promise<NewEvent[]> =>
  opened(tx, sql`v.blob_id = any(${[...blobIds]})`)

/** Contents are no longer closed until they are inspected. */
export const openAll = (tx: Tx): Promise<NewEvent[]> => opened(tx, sql`true`)

interface Found extends ItemRow {
  readonly number: number
  readonly uploader_id: number | null
  readonly uploader: string
  readonly virus: string
}

/** Flags the files that currently hold these contents. Returns the resulting events. */
async function lockAway(tx: Tx, blobIds: readonly number[], now: number): Promise<NewEvent[]> {
  const { rows } = await sql<Found>`
    with found as (
      select v.item_id, v.number, v.number = i.version as is_now, s.virus,
        case when v.creator_outsider is null then v.created_by end as uploader_id,
        coalesce(v.creator_outsider ->> 'name', a.name) as uploader
      from version v join item i on i.id = v.item_id join scan s on s.blob_id = v.blob_id
      join account a on a.id = v.created_by
      where v.blob_id = any(${[...blobIds]}) and not i.purged order by v.item_id, v.number limit ${maxNotifiedFiles}
    ), marked as (
      update item set doc_flag = doc_flag | ${infectedDocument}::int, uninspected_by = null
      where id in (select item_id from found where is_now) and doc_flag & ${infectedDocument}::int = 0
      returning id
    ), noted as (
      insert into audit (at, account_id, call, address, items, detail)
      select ${now}::bigint, null, 'virusFound', '', array[item_id],
        jsonb_build_object('version', number, 'virus', virus)
      from found
    )
    select i.*, f.number, f.uploader_id, f.uploader, f.virus from found f join item i on i.id = f.item_id`.execute(tx)
  if (rows.length === 0) return []
  const administrators = await administratorsOf(tx)
  return rows.flatMap((row): NewEvent[] => [
    ...(row.deleted_at === null ? [itemEvent(row, 'edit', '')] : []),
    personal('virusFound', [...new Set([...administrators, ...(row.uploader_id === null ? [] : [row.uploader_id])])], {
      serverId: mainServerId,
      fId: row.id,
      fType: 1,
      fName: row.name,
      version: row.number,
      uploaderName: row.uploader,
      virusName: row.virus,
    }),
  ])
}

const bringing: readonly number[] = [OperateType.add, OperateType.edit, OperateType.copy, OperateType.restore]

/**
 * Enqueues scans for the content of new and changed files. Files with content already known to be infected are flagged
 * at once.
 */
export async function scanNewContents(
  tx: Tx,
  events: readonly StoredEvent<ItemEvent>[],
  now: number,
): Promise<readonly NewEvent[]> {
  const came = events.filter(
    ({ event }) => event.fType === 1 && event.isLink !== true && bringing.includes(event.operateType),
  )
  if (came.length === 0) return []
  const { rows } = await sql<{ blobId: number; virus: string | null; isKnown: boolean; isMarked: boolean }>`
    select distinct v.blob_id as "blobId", s.virus, s.blob_id is not null as "isKnown",
      i.version <> v.number or i.doc_flag & ${infectedDocument}::int <> 0 as "isMarked"
    from version v join item i on i.id = v.item_id left join scan s on s.blob_id = v.blob_id
    where v.item_id = any(${[...new Set(came.map(({ event }) => event.itemId))]})`.execute(tx)
  const unknown = rows.filter(({ isKnown }) => !isKnown).map(({ blobId }) => ({ blobId }))
  if (unknown.length > 0) await enqueueAll({ tx, now }, scan, unknown)
  const harmful = rows.filter(({ virus, isMarked }) => virus !== null && !isMarked).map(({ blobId }) => blobId)
  return harmful.length === 0 ? [] : lockAway(tx, [...new Set(harmful)], now)
}

/** Scans of contents that are not in files of the drive. */
export interface Scans {
  /** Whether there is a scanner. Not to be asked in a transaction. */
  isOn(): Promise<boolean>
  /** Enqueues the scan of a content that was not scanned. */
  scan(write: { readonly tx: Tx; readonly now: number }, blobId: number): Promise<void>
}

/** Scans for features that hold contents of their own. */
export function createScans({ settings, clamd }: Pick<Services, 'settings' | 'clamd'>): Scans {
  const scanner = scannerAddress(settings, clamd)
  return {
    isOn: async () => (await scanner()) !== undefined,
    async scan(write, blobId) {
      const { rows } = await sql`select 1 from scan where blob_id = ${blobId}`.execute(write.tx)
      if (rows.length === 0) await enqueueAll(write, scan, [{ blobId }])
    },
  }
}

/**
 * Enqueues scans for a batch of content that nobody has scanned: stored before scanning was enabled, or after a scan that
 * failed. Returns where the next step continues.
 */
export async function scanExistingContents(
  db: Db,
  others: readonly OtherContents[],
  after: number,
  now: number,
): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; fresh: boolean }>`
      select b.id, s.blob_id is null and (${sql.join(
        [sql`exists (select 1 from version v where v.blob_id = b.id)`, ...others.map(({ holds }) => holds)],
        sql` or `,
      )}) as fresh
      from (select id from blob where id > ${after} order by id limit ${contentBatch}) b
      left join scan s on s.blob_id = b.id order by b.id`.execute(tx)
    const wanted = rows.filter(({ fresh }) => fresh).map(({ id }) => ({ blobId: id }))
    if (wanted.length > 0) await enqueueAll({ tx, now }, scan, wanted)
    return rows.length < contentBatch ? undefined : rows.at(-1)?.id
  })
}

const testWithinMs = 10_000

/** The EICAR test file, which every scanner knows. In two parts, so that scanners do not find it in this file. */
async function* testFile(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''))
}

/** The call handlers of scanning. */
export function scanningHandlers(scanner: ScannerAddress, others: () => readonly OtherContents[]) {
  return implement(features.scanning.calls, {
    async getVirusList(context, { from, rows: most }) {
      const { db } = context
      const { rows } = await sql<{
        fId: number
        fName: string
        version: number
        uploaderName: string
        virusName: string
        time: number
      }>`
        select i.id as "fId", i.name as "fName", v.number as version, s.virus as "virusName", s.scanned_at as time,
          coalesce(v.creator_outsider ->> 'name', a.name) as "uploaderName"
        from scan s join version v on v.blob_id = s.blob_id join item i on i.id = v.item_id
        join account a on a.id = v.created_by
        where s.virus is not null and not i.purged
        order by s.scanned_at desc, i.id, v.number limit ${most} offset ${from}`.execute(db)
      const { rows: counted } = await sql<{ n: number }>`
        select count(*)::int as n from scan s join version v on v.blob_id = s.blob_id join item i on i.id = v.item_id
        where s.virus is not null and not i.purged`.execute(db)
      const { rows: jobs } = await sql<{ n: number }>`
        select count(*)::int as n from job where kind = ${scan.name} and state in ('waiting', 'running')`.execute(db)
      const list = rows.map((row) => ({ ...row, fType: 1 as const }))
      const scans = (await scanner()) !== undefined
      const { scanner_required: closes } = actorOf(context).settings.inner
      const { rows: failing } = await sql<{ problem: string }>`
        select error_message as problem from job where kind = ${scan.name} and state in ('waiting', 'running')
          and attempts > 0 and error_message is not null order by id desc limit 1`.execute(db)
      return {
        scans,
        closes,
        problem: failing[0]?.problem ?? '',
        waiting: jobs[0]?.n ?? 0,
        list,
        total: counted[0]?.n ?? 0,
      }
    },

    async getUninspectedFiles({ db }, { from, rows: most }) {
      const { rows } = await sql<{
        fId: number
        fName: string
        version: number
        size: number
        uploaderName: string
        time: number
        problem: string
      }>`
        select i.id as "fId", i.name as "fName", v.number as version, v.size, v.created_at as time,
          coalesce(v.creator_outsider ->> 'name', a.name) as "uploaderName", coalesce(j.error_message, '') as problem
        from version v join item i on i.id = v.item_id and i.version = v.number join account a on a.id = v.created_by
        left join lateral (
          select error_message from job where kind = ${scan.name} and key = v.blob_id::text
          order by id desc limit 1) j on true
        where v.uninspected and not i.purged
        order by v.created_at, i.id limit ${most} offset ${from}`.execute(db)
      const { rows: counted } = await sql<{ n: number }>`
        select count(*)::int as n from version v join item i on i.id = v.item_id and i.version = v.number
        where v.uninspected and not i.purged`.execute(db)
      return { list: rows, total: counted[0]?.n ?? 0 }
    },

    async releaseUninspected(context, { fileId }) {
      const { tx, now } = context
      const { rows } = await sql<{ blobId: number; name: string }>`
        select v.blob_id as "blobId", i.name from item i join version v on v.item_id = i.id and v.number = i.version
        where i.id = ${fileId} and v.uninspected and not i.purged for update of i`.execute(tx)
      const { blobId, name } = rows[0] ?? fail('notFound')
      await sql`
        insert into scan (blob_id, scanned_at, virus, released_by)
        values (${blobId}, ${now}, null, ${actorOf(context).accountId})
        on conflict (blob_id) do nothing`.execute(tx)
      for (const event of await openContents(tx, [blobId])) context.event(event)
      context.audit({ fileId, name })
      return {}
    },

    async inspectAgain(context) {
      const { tx } = context
      const { rows } = await sql<{ blobId: number }>`
        select distinct blob_id as "blobId" from (${sql.join(
          [sql`select v.blob_id from version v where v.uninspected`, ...others().map(({ closed }) => closed)],
          sql` union all `,
        )}) as q`.execute(tx)
      if (rows.length > 0) await enqueueAll(context, scan, rows)
      // Those that failed are tried at once.
      await retry(context, sql`kind = ${scan.name} and state in ('failed', 'waiting') and attempts > 0`)
      return { count: rows.length }
    },

    async testScanner() {
      const clamd = await scanner()
      if (clamd === undefined) return { virusName: '', problem: 'no scanner is set' }
      try {
        const virusName = await scanContent(clamd, testFile(), AbortSignal.timeout(testWithinMs))
        return { virusName: virusName ?? '', problem: '' }
      } catch (error) {
        return { virusName: '', problem: (error instanceof Error ? error.message : String(error)).slice(0, 200) }
      }
    },
  })
}
