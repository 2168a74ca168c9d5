/*
 * The delivery of an approved exchange. The job makes sure in a transaction that the approval still holds, announces the
 * exchange to the target, sends the contents that are not there yet, and ends it there. What was sent is not sent again
 * after an interruption. No transaction waits for the other server.
 */
import { codes, ExchangeStatus, fail, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import { type Review, readReview } from '../../approvals/review/index.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { writeEvents } from '../../core/events.ts'
import { HopelessJob, type Job, type JobContext, job, type Write } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import type { Services } from '../../core/services.ts'
import { checkApproval } from './approval.ts'
import { type Delivering, delivering, type RequestedExchange, recalling, toSender } from './kind.ts'
import type { Manifest, Reply } from './messages.ts'
import type { KnownReceiver } from './tables.ts'
import { openWire, usualWireTimes, type WireTimes } from './wire.ts'

const minuteMs = 60_000
const halfHourMs = 30 * minuteMs
const dayMs = 24 * 60 * minuteMs

interface Row {
  readonly review_id: number
  readonly sender_id: number
  readonly number: string
  readonly state: string
  readonly delivery: string | null
  readonly network_code: string
  readonly secret_level: number
  readonly password_hash: string
  readonly rule_name: string
  readonly receivers: readonly KnownReceiver[]
  readonly title: string
  readonly comments: string
  readonly sender: string
  readonly group_name: string
}

interface PinnedFile {
  readonly id: number
  readonly key: string
  readonly sha256: Buffer
  readonly size: number
  readonly name: string
  readonly path: string
  readonly version: number
  readonly secret_level: number
}

/** An exchange with its files, as it is sent. */
export interface Outgoing {
  readonly row: Row
  readonly files: readonly PinnedFile[]
  readonly manifest: Manifest
}

/** Reads an approved exchange for its delivery. */
export async function readOutgoing(
  tx: Db,
  applyId: number,
  settings: { readonly company_name: string; readonly inner: { readonly exchange_keep_days: number } },
): Promise<Outgoing> {
  const { rows } = await sql<Row>`
    select e.*, r.state, r.title, r.comments, a.name as sender, g.name as group_name
    from exchange e join review r on r.id = e.review_id join account a on a.id = e.sender_id
      join org_group g on g.id = a.group_id
    where e.review_id = ${applyId} for update of e`.execute(tx)
  const row = rows[0] ?? fail('notFound')
  const { rows: files } = await sql<PinnedFile>`
    select b.id, b.key, b.size, f.sha256, f.name, f.path, f.version, f.secret_level
    from exchange_file f join blob b on b.id = f.blob_id where f.review_id = ${applyId} order by f.n`.execute(tx)
  const { rows: approvers } = await sql<{ name: string }>`
    select coalesce(b.name, a.name) as name from review_reviewer w join account a on a.id = w.account_id
      left join account b on b.id = w.answered_by
    where w.review_id = ${applyId} and w.answer = 'approved' order by w.round, w.at`.execute(tx)
  const manifest: Manifest = {
    number: row.number,
    from: settings.company_name,
    sender: { name: row.sender, group: row.group_name },
    ...{ title: row.title, comment: row.comments, secretLevel: row.secret_level, passwordHash: row.password_hash },
    approvers: approvers.map(({ name }) => name),
    ruleName: row.rule_name,
    keepDays: settings.inner.exchange_keep_days,
    files: files.map(({ name, path, size, sha256, version, secret_level }) => ({
      ...{ name, path, bytes: size, sha256: sha256.toString('hex'), version, secretLevel: secret_level },
    })),
    receivers: row.receivers.map(({ userId, account }) => ({ userId, account })),
  }
  return { row, files, manifest }
}

/** Records something that happened to an exchange, beside the history of its review. */
export async function recordEvent(
  tx: Tx,
  reviewId: number,
  at: number,
  what: 'delivered' | 'failed' | 'exported' | 'fetched' | 'expired',
  { by = '', comments = '' }: { readonly by?: string; readonly comments?: string } = {},
): Promise<void> {
  await tx.insertInto('exchange_event').values({ review_id: reviewId, at, what, by_name: by, comments }).execute()
}

type Parts = Pick<Services, 'db' | 'settings' | 'secrets' | 'now' | 'log'> & {
  readonly contents: Contents
  readonly times?: WireTimes
}

/** Begins a delivery, if the approval still holds. */
async function begin({ db, settings, now }: Parts, applyId: number): Promise<Outgoing | undefined> {
  const current = await settings.current()
  return db.transaction().execute(async (tx) => {
    const outgoing = await readOutgoing(tx, applyId, current)
    const { state, delivery } = outgoing.row
    if (state !== 'approved' || delivery === null || !['waiting', 'underway', 'failed'].includes(delivery))
      return undefined
    await checkApproval(tx, settings, outgoing.row, now())
    await sql`update exchange set delivery = 'underway', changed_at = ${now()} where review_id = ${applyId}`.execute(tx)
    return outgoing
  })
}

async function deliver(parts: Parts, context: JobContext, { row, files, manifest }: Outgoing) {
  const { db, contents, now, times = usualWireTimes } = parts
  const wire = await openWire(parts, db, row.network_code, { now, times })
  const { missing } = await wire.say({ kind: 'offer', manifest }, context.signal)
  for (const [n, sha256] of missing.entries()) {
    const file = files.find((one) => one.sha256.toString('hex') === sha256) ?? fail('interconnectedServerFaulty')
    await using object = await contents.open({ blobId: file.id, key: file.key, size: file.size, sha256: file.sha256 })
    await wire.send({ number: row.number, sha256, bytes: file.size, content: object }, context.signal)
    context.progress(Math.round(((n + 1) / missing.length) * 1000))
  }
  return wire.say({ kind: 'finish', number: row.number }, context.signal)
}

/** Records that a delivery has failed, and notifies the sender of the first time. */
async function recordFailure({ db, now }: Parts, applyId: number, code: keyof typeof codes): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const at = now()
    const { rows } = await sql<{ failures: number }>`
      update exchange set delivery = 'failed', problem = ${codes[code].code}, failures = failures + 1, changed_at = ${at}
      where review_id = ${applyId} and delivery in ('underway', 'waiting', 'failed') returning failures`.execute(tx)
    const failures = rows[0]?.failures
    if (failures === undefined) return
    if (failures <= 3) await recordEvent(tx, applyId, at, 'failed', { comments: codes[code].zh })
    if (failures > 1) return
    const review = (await readReview(tx, applyId)) as Review<RequestedExchange>
    await writeEvents(tx, [toSender(review, ExchangeStatus.approved, at, 'failed')], at)
  })
}

/** What no further attempt would change. */
const hopeless = new Set<string>([
  ...['virusFile', 'alreadyHandled', 'notFound'],
  // What `checkApproval` refuses: its sender sends it again when the reason is gone.
  ...['exchangeOutsideRules', 'senderNotInRule', 'receiverNotInRule', 'exchangeFileCount', 'accountFrozen'],
  ...['levelWithoutApprover', 'folderWithoutApprover', 'noPermission'],
])

async function delivered({ tx, now }: Write, applyId: number, { accepted, expiresAt }: Reply<'finish'>): Promise<void> {
  await sql`
    update exchange set delivery = 'delivered', problem = 0, delivered_at = ${now}, expires_at = ${expiresAt},
      changed_at = ${now}
    where review_id = ${applyId} and delivery = 'underway'`.execute(tx)
  await recordEvent(tx, applyId, now, 'delivered', { comments: String(accepted.length) })
  const review = (await readReview(tx, applyId)) as Review<RequestedExchange>
  await writeEvents(tx, [toSender(review, ExchangeStatus.approved, now, 'delivered')], now)
}

/** The jobs of deliveries and of taking them back. */
export function deliveryJobs(parts: Parts): Job[] {
  return [
    job<Delivering, Reply<'finish'> | undefined>({
      ...(delivering as JobKind<Delivering, Reply<'finish'> | undefined>),
      attempts: 50,
      concurrency: 3,
      timeoutMs: 12 * 60 * minuteMs,
      backoffMs: (attempt) => (attempt === 1 ? 2000 : attempt === 2 ? minuteMs : halfHourMs),
      async run(context, { applyId }) {
        try {
          const outgoing = await begin(parts, applyId)
          return outgoing && (await deliver(parts, context, outgoing))
        } catch (error) {
          if (!(error instanceof ResultError)) throw error
          await recordFailure(parts, applyId, error.code)
          if (hopeless.has(error.code)) throw new HopelessJob(error.code, error.message, { cause: error })
          throw error
        }
      },
      async commit(write, { applyId }, result) {
        if (result !== undefined) await delivered(write, applyId, result)
      },
    }),
    job<Delivering>({
      ...(recalling as JobKind<Delivering, void>),
      attempts: 50,
      concurrency: 1,
      timeoutMs: minuteMs,
      backoffMs: (attempt) => (attempt < 3 ? 2000 : halfHourMs),
      async run({ signal }, { applyId }) {
        const { db, now, times = usualWireTimes } = parts
        const { rows } = await sql<{ number: string; network_code: string }>`
          select number, network_code from exchange where review_id = ${applyId}`.execute(db)
        if (rows[0] === undefined) return
        const wire = await openWire(parts, db, rows[0].network_code, { now, times })
        await wire.say({ kind: 'recall', number: rows[0].number }, signal)
      },
    }),
  ]
}

const chunk = 200

/**
 * Asks the other servers what was picked up. Each server is asked on its own, so one that does not answer delays no
 * other.
 */
export async function askStates(parts: Parts, signal: AbortSignal): Promise<void> {
  const { db, now, times = usualWireTimes } = parts
  const { rows } = await sql<{ network_code: string; numbers: string[] }>`
    select network_code, (array_agg(number order by changed_at))[1:${sql.lit(chunk)}] as numbers from exchange
    where delivery = 'delivered' and server_id is not null and changed_at > ${now() - 400 * dayMs}
    group by network_code`.execute(db)
  await Promise.all(
    rows.map(async ({ network_code: code, numbers }) => {
      try {
        const wire = await openWire(parts, db, code, { now, times })
        const { list } = await wire.say({ kind: 'states', numbers }, signal)
        for (const one of list) await db.transaction().execute((tx) => recordState(tx, code, one, now()))
      } catch (error) {
        if (!(error instanceof ResultError)) throw error
      }
    }),
  )
}

/** Records who has picked an exchange up, as the other network tells. */
export async function recordState(
  tx: Tx,
  networkCode: string,
  { number, fetched, isOver }: Reply<'states'>['list'][number],
  now: number,
): Promise<void> {
  const { rows } = await sql<{ review_id: number; receivers: KnownReceiver[] }>`
    select review_id, receivers from exchange
    where number = ${number} and network_code = ${networkCode} and delivery = 'delivered' for update`.execute(tx)
  const [row] = rows
  if (row === undefined) return
  const receivers = row.receivers.map((one) => {
    const at = fetched.find(({ userId }) => userId === one.userId)?.at
    return at === undefined || one.fetchedAt !== undefined ? one : { ...one, fetchedAt: at }
  })
  const isNew = receivers.filter((one, n) => one !== row.receivers[n])
  if (isNew.length === 0 && !isOver) return
  const isFetched = receivers.some(({ fetchedAt }) => fetchedAt !== undefined)
  const next = isOver ? (isFetched ? 'fetched' : 'expired') : 'delivered'
  await sql`
    update exchange set receivers = ${JSON.stringify(receivers)}::jsonb, delivery = ${next}, changed_at = ${now},
      fetched_at = case when ${next} = 'fetched' then ${now}::bigint end
    where review_id = ${row.review_id}`.execute(tx)
  for (const one of isNew) await recordEvent(tx, row.review_id, one.fetchedAt ?? now, 'fetched', { by: one.name })
  if (next === 'expired') await recordEvent(tx, row.review_id, now, 'expired')
}
