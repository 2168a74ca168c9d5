/*
 * Archives the older part of the audit ([R287]) into compressed files of sealed rows. Each file ends at a signed head
 * of the chain and is stored as a blob with a quota of its own. The file is made first; the transaction that removes
 * its rows from the tables then refers to it. A process that dies in between leaves an unreferenced object and all rows
 * in place. Verification reads the archives before the tables, so a row is part of the chain wherever it is stored.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Contents } from '../../core/blobs/contents.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { HopelessJob, type Job, job } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { enqueue } from '../../core/queue/rows.ts'
import type { Services } from '../../core/services.ts'
import { contentRow, type PendingContent, persist } from '../../drive/content/index.ts'
import { logArchiveBytes, logBytes } from '../../drive/quotas/index.ts'
import { compressed, writeArchive } from './archive-file.ts'
import { forwarding } from './syslog.ts'

/** Maximum number of rows per archive: it is made, and its rows are removed, within seconds. */
const rowsAtMost = 100_000
const dayMs = 24 * 60 * 60_000
/** Younger rows are never archived: the logs of files are read from them. */
export const youngestMs = 30 * dayMs

/** The job of the next archive: it begins after the last one and contains what happened before that moment. */
const Asked = z.object({ from: z.number(), before: z.number(), by: z.number() })
export type Asked = z.output<typeof Asked>

interface Made extends Bounds {
  readonly content: PendingContent
  readonly rowBytes: number
}

export const archiving: JobKind<Asked, Made | undefined> = {
  name: 'audit.archive',
  input: Asked,
  key: ({ from }) => String(from),
}

interface Bounds {
  readonly to: number
  readonly rows: number
  readonly since: number
  readonly until: number
}

type Parts = Pick<Services, 'db' | 'blobs' | 'settings'>

export function archivingJob(parts: Parts): Job<Asked, Made | undefined> {
  return job<Asked, Made | undefined>({
    ...archiving,
    attempts: 3,
    concurrency: 1,
    timeoutMs: 60 * 60_000,
    async run(context, asked) {
      const bounds = await boundsOf(parts, asked)
      if (bounds === undefined) return undefined
      const { inner } = await parts.settings.current()
      const room =
        inner.log_archive_space === 0
          ? Number.POSITIVE_INFINITY
          : inner.log_archive_space - (await logArchiveBytes(parts.db))
      const content = await write(parts, asked.from, bounds, room, context)
      const live = await sql<{ n: number }>`select count(*) as n from audit_seal`.execute(parts.db)
      const rowBytes = Math.ceil((await logBytes(parts.db)) / Math.max(1, live.rows[0]?.n ?? 1))
      return { ...bounds, content, rowBytes }
    },
    async commit(writing, asked, made) {
      if (made === undefined) return
      const { tx, now } = writing
      // The archives no longer end where this one begins: another process was faster.
      if ((await archivedUpTo(tx)) + 1 !== asked.from) return
      const blob = await contentRow(tx, made.content, now)
      await tx
        .insertInto('audit_archive')
        .values({
          from_seq: asked.from,
          to_seq: made.to,
          rows: made.rows,
          since: made.since,
          until: made.until,
          blob_id: blob.id,
          bytes: made.content.size,
          row_bytes: made.rowBytes,
          created_at: now,
        })
        .execute()
      await takeOut(tx, made.to)
      await tx
        .insertInto('audit')
        .values({
          at: now,
          account_id: asked.by === 0 ? null : asked.by,
          call: 'auditArchived',
          address: '',
          items: [],
          detail: JSON.stringify({ from: asked.from, to: made.to, rows: made.rows }),
        })
        .execute()
      await enqueue(writing, archiving, { ...asked, from: made.to + 1 }, { retryFailed: true })
    },
  })
}

/** Requests the archiving of everything before a moment. A second request while one runs does not start another. */
export async function askForArchive(
  writing: { readonly tx: Tx; readonly now: number },
  before: number,
  by: number,
): Promise<void> {
  if (before > writing.now - youngestMs) fail('badRequest', 'before')
  const from = (await archivedUpTo(writing.tx)) + 1
  await enqueue(writing, archiving, { from, before, by }, { retryFailed: true })
}

/** Archives whole months older than the configured age. */
export async function archiveByTime({ db, now, settings }: Pick<Services, 'db' | 'now' | 'settings'>): Promise<void> {
  const { log_archive_months: months } = (await settings.current()).inner
  if (months === 0) return
  const at = now()
  const day = new Date(at)
  const before = Math.min(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months, 1), at - youngestMs)
  const oldest = await db
    .selectFrom('audit_seal')
    .select('seq')
    .where('at', '<', before)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined) return
  await db.transaction().execute((tx) => askForArchive({ tx, now: at }, before, 0))
}

/**
 * The end of the next archive: the last signed head before which all rows are old enough, settled (no lower row can
 * appear), and forwarded to the collector if there is one.
 */
async function boundsOf({ db, settings }: Parts, { from, before }: Asked): Promise<Bounds | undefined> {
  if ((await archivedUpTo(db)) + 1 !== from) return undefined
  const { syslog_host: collector } = (await settings.current()).inner
  const sent = collector === '' ? null : ((await forwarding.read(db)).seq ?? 0)
  const { rows } = await sql<{ to: number; n: number; since: number; until: number }>`
    with first as (select seq, at, audit_id from audit_seal order by seq limit ${rowsAtMost}),
    fence as (
      select min(f.seq) as seq from first f, (select settled from audit_head order by seq desc limit 1) h
      where f.at >= ${before} or f.audit_id > h.settled or f.seq > ${sent}::bigint
    ),
    head as (
      select max(h.seq) as seq from audit_head h, fence
      where h.seq <= (select max(seq) from first) and (fence.seq is null or h.seq < fence.seq)
    )
    select head.seq as "to", count(*)::int as n, min(f.at) as since, max(f.at) as until
    from head join first f on f.seq <= head.seq group by head.seq`.execute(db)
  const [found] = rows
  return found && { to: found.to, rows: found.n, since: found.since, until: found.until }
}

async function write(
  { db, blobs }: { readonly db: Db; readonly blobs: BlobStore },
  from: number,
  { to, rows }: Bounds,
  room: number,
  { signal, progress }: Pick<Parameters<Job['run']>[0], 'signal' | 'progress'>,
): Promise<PendingContent> {
  const lines = writeArchive(db, { from, to }, (done) => {
    signal.throwIfAborted()
    progress(Math.min(999, Math.floor((done * 1000) / Math.max(1, rows))))
  })
  return persist(await blobs.stage(within(room, compressed(lines))))
}

/** Fails if a file would exceed the available space; nothing of it is stored. */
async function* within(room: number, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > room) throw new HopelessJob('full', 'the room for archives of the audit is used up')
    yield chunk
  }
}

async function archivedUpTo(db: Db): Promise<number> {
  const last = await db
    .selectFrom('audit_archive')
    .select('to_seq')
    .orderBy('from_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.to_seq ?? 0
}

/** Removes the rows of an archive from the tables. The counts per hour remain, for charts. */
async function takeOut(tx: Tx, to: number): Promise<void> {
  await sql`
    with ended as (delete from audit_item where seq <= ${to} returning item_id)
    delete from gone_item g using (select distinct item_id from ended) e
    where g.id = e.item_id
      and not exists (select 1 from audit_item i where i.item_id = g.id and i.seq > ${to})`.execute(tx)
  await sql`delete from audit_library where seq <= ${to}`.execute(tx)
  await sql`
    with gone as (delete from audit_seal where seq <= ${to} returning audit_id)
    delete from audit a using gone where a.id = gone.audit_id`.execute(tx)
}

/** The archived part of a time range; null if there is none. */
export async function archivedWithin(
  db: Db,
  {
    since = 0,
    until = Number.MAX_SAFE_INTEGER,
  }: { readonly since?: number | undefined; readonly until?: number | undefined },
): Promise<{ since: number; until: number; archives: number; rows: number } | null> {
  const { rows } = await sql<{ since: number | null; until: number; archives: number; rows: number }>`
    select min(since) as since, max(until) as until, count(*)::int as archives, coalesce(sum(rows), 0)::bigint as rows
    from audit_archive where until >= ${since}::bigint and since < ${until}::bigint`.execute(db)
  const [found] = rows
  return found === undefined || found.since === null ? null : { ...found, since: found.since }
}

/** The archives, newest first, their total size, and the state of the one being made. */
export async function archivesOf(db: Db, limit: number) {
  const archives = await db.selectFrom('audit_archive').selectAll().orderBy('from_seq', 'desc').execute()
  const { rows } = await sql<{ state: string; progress: number; error_code: string | null }>`
    select state, progress, error_code from job where kind = ${archiving.name} order by id desc limit 1`.execute(db)
  const [job] = rows
  return {
    list: archives.map((row) => ({
      archiveId: row.from_seq,
      fromSeq: row.from_seq,
      toSeq: row.to_seq,
      rows: row.rows,
      since: row.since,
      until: row.until,
      bytes: row.bytes,
      createTime: row.created_at,
    })),
    used: archives.reduce((sum, { bytes }) => sum + bytes, 0),
    limit,
    progress: job?.state === 'waiting' || job?.state === 'running' ? job.progress : null,
    problem:
      job?.state !== 'failed' ? ('' as const) : job.error_code === 'full' ? ('full' as const) : ('failed' as const),
  }
}

/** Sends an archive as stored; the download is audited. */
export async function sendArchive(context: Context, contents: Contents, archiveId: number): Promise<void> {
  const { db, now, reply, address } = context
  const found = await db
    .selectFrom('audit_archive as r')
    .innerJoin('blob as b', 'b.id', 'r.blob_id')
    .select(['r.from_seq', 'r.to_seq', 'b.id as blobId', 'b.key', 'b.size', 'b.sha256'])
    .where('r.from_seq', '=', archiveId)
    .executeTakeFirst()
  if (found === undefined) return fail('notFound')
  await db
    .insertInto('audit')
    .values({
      at: now,
      account_id: actorOf(context).accountId,
      call: 'downloadAuditArchive',
      address,
      items: [],
      detail: JSON.stringify({ from: found.from_seq, to: found.to_seq }),
    })
    .execute()
  const object = await contents.open(found)
  reply
    .headers({
      'content-type': 'application/gzip',
      'content-length': found.size,
      'content-disposition': `attachment; filename="audit-${found.from_seq}-${found.to_seq}.jsonl.gz"`,
      'cache-control': 'no-store',
    })
    .hijack()
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  await pipeline(Readable.from(object, { objectMode: false }), reply.raw)
}
