/*
 * The invisible watermark: assigns one to each viewer and finds the viewer of a mark extracted from a picture. A mark
 * identifies a user, a version of a file, an address and an hour, so it shows who viewed what, when and from where.
 * Successive pages have the same mark.
 */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { features, Parsed as InputOf } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Actor } from '../../core/actor.ts'
import { actorOf, type Context, type StagedContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { ConfinedFailure, findTrace, Refused, traceOf } from '../../documents/index.ts'
import type { Chosen } from './choose.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Retention of these records. */
const retentionMs = 400 * 24 * hourMs
const longestAgent = 200
/** Maximum size in bytes of a picture to examine. */
const largestPicture = 30 * 1024 * 1024
const waitMs = 30_000
const semaphore = createSemaphore(1)

/** The displayed file. */
export interface TracedFile {
  readonly fileId: number
  readonly version: number
  readonly name: string
}

const idOf = (trace: string): number => Number.parseInt(trace, 16)
const traceOfId = (id: number): string => id.toString(16).padStart(10, '0')

/** The account whose rights apply and, for external links, the link and the visitor. */
function viewerOf(actor: Actor | undefined) {
  if (actor === undefined) return fail('notLoggedIn')
  if (actor.kind === 'account') return { accountId: actor.accountId, link: null, visitor: '' }
  return { accountId: actor.responsible.accountId, link: `#${actor.reference}`, visitor: actor.name }
}

/** Adds the invisible mark of this view to a watermark. */
export async function withTrace(db: Db, context: Context, chosen: Chosen, file: TracedFile): Promise<Chosen> {
  const { actor, address, now, request } = context
  const { accountId, link, visitor } = viewerOf(actor)
  const hour = Math.floor(now / hourMs)
  const shown = JSON.stringify([accountId, link, visitor, file.fileId, file.version, address, hour])
  const agent = (request.headers['user-agent'] ?? '').slice(0, longestAgent)
  const drawn = async () => {
    const { rows } = await sql<{ id: number; last: number }>`
      insert into watermark_trace (id, shown, at, last_at, account_id, link, visitor, item_id, name, version, address, agent)
      values (${idOf(randomBytes(5).toString('hex'))}, ${shown}, ${now}, ${now}, ${accountId}, ${link}, ${visitor},
        ${file.fileId}, ${file.name}, ${file.version}, ${address}, ${agent})
      on conflict do nothing returning id, last_at as last`.execute(db)
    return rows[0]
  }
  for (;;) {
    const { rows } = await sql<{ id: number; last: number }>`
      select id, last_at as last from watermark_trace where shown = ${shown}`.execute(db)
    const row = rows[0] ?? (await drawn())
    // The random number is taken by another mark, or the same view was recorded concurrently.
    if (row === undefined) continue
    // For successive pages the last view is updated at most once a minute.
    if (row.last < now - minuteMs)
      await sql`update watermark_trace set last_at = greatest(last_at, ${now}) where id = ${row.id}`.execute(db)
    const trace = traceOfId(row.id)
    return { watermark: { ...chosen.watermark, trace: traceOf(trace) }, key: `${chosen.key} ${trace}` }
  }
}

/** Deletes old marks. */
export async function forgetTraces(db: Db, now: number): Promise<boolean> {
  const { rows } = await sql`
    delete from watermark_trace where id in (
      select id from watermark_trace where last_at < ${now - retentionMs} order by last_at limit 5000)
    returning 1`.execute(db)
  return rows.length > 0
}

interface TraceResult {
  readonly traceId: string
  readonly userId: number
  readonly accountName: string
  readonly account: string
  readonly groupName: string
  readonly isThere: boolean
  readonly link: string
  readonly visitor: string
  readonly fileId: number
  readonly fName: string
  readonly version: number
  readonly time: number
  readonly lastTime: number
  readonly address: string
  readonly agent: string
}

async function tracesOf(db: Db, ids: readonly number[]): Promise<Map<number, TraceResult>> {
  const { rows } = await sql<Omit<TraceResult, 'traceId'> & { id: number }>`
    select w.id, w.account_id as "userId", a.name as "accountName", a.account, coalesce(g.name, '') as "groupName",
      a.state = 'normal' as "isThere", coalesce(w.link, '') as link, w.visitor, w.item_id as "fileId", w.name as "fName",
      w.version, w.at as time, w.last_at as "lastTime", w.address, w.agent
    from watermark_trace w join account a on a.id = w.account_id left join org_group g on g.id = a.group_id
    where w.id = any(${[...ids]})`.execute(db)
  return new Map(rows.map(({ id, ...row }) => [id, { ...row, traceId: traceOfId(id) }]))
}

type Calls = typeof features.watermarks.calls

/** The calls that look for a mark in a picture. */
export function traceHandlers(own: Db) {
  return {
    async findTrace(context: StagedContext, { fileName }: InputOf<Calls['findTrace']>) {
      const body = context.upload ?? fail('badRequest', 'file')
      const bytes = await picture(body.content)
      const found = await looked(bytes)
      const id = found.id === undefined ? undefined : idOf(found.id)
      // A number that was never issued here is no mark of this installation.
      const shown = id === undefined ? undefined : (await tracesOf(own, [id])).get(id)
      await context.commit(async (write) => {
        await write.tx
          .insertInto('watermark_search')
          .values({
            at: write.now,
            account_id: actorOf(context).accountId,
            name: fileName,
            trace_id: shown === undefined ? null : (id ?? null),
          })
          .execute()
        write.audit({ name: fileName, trace: shown?.traceId ?? '' })
      })
      return {
        found: shown ?? null,
        width: found.width,
        height: found.height,
        percent: Math.round(found.scale * 100),
      }
    },

    async getTraceSearches({ db }: Context) {
      const { rows } = await sql<{
        at: number
        userId: number
        accountName: string
        name: string
        traceId: number | null
      }>`
        select s.at, s.account_id as "userId", a.name as "accountName", s.name, s.trace_id as "traceId"
        from watermark_search s join account a on a.id = s.account_id order by s.id desc limit 50`.execute(db)
      const shown = await tracesOf(
        db,
        rows.flatMap(({ traceId }) => traceId ?? []),
      )
      return {
        list: rows.map(({ at, userId, accountName, name, traceId }) => ({
          ...{ time: at, userId, accountName, fileName: name },
          found: traceId === null ? null : (shown.get(traceId) ?? null),
        })),
      }
    },
  }
}

/** Reads an uploaded picture; refuses it above the maximum size. */
function picture(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  let size = 0
  return buffer(
    (async function* () {
      for await (const piece of content) {
        size += piece.length
        if (size > largestPicture) fail('fileSizeExceeded')
        yield piece
      }
    })(),
  )
}

async function looked(bytes: Buffer) {
  if (!(await semaphore.acquire(AbortSignal.timeout(waitMs)))) return fail('conversionTimedOut')
  try {
    return await findTrace({ content: Readable.from([bytes]), size: bytes.length, ext: '' })
  } catch (error) {
    if (error instanceof Refused) return fail(error.code)
    if (error instanceof ConfinedFailure) return fail(error.code === 'time' ? 'conversionTimedOut' : 'conversionFailed')
    throw error
  } finally {
    semaphore.release()
  }
}
