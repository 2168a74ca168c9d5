// Reading exchanges: the three lists, and one exchange with its files, its nodes and what has happened to it.
import type { Answer, calls, ExchangeFile, FileExchange, FileExchangeDetail, ReviewProgress } from '@cloudoc/contract'
import { denial, type ExchangeDelivery, ExchangeStatus, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import { countReviews, type Listed, listReviews } from '../../approvals/review/index.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import { exchangeReviewName } from './kind.ts'
import type { Manifest } from './messages.ts'
import type { KnownReceiver } from './tables.ts'

const secretName = ({ settings }: Account, level: number): string =>
  level === 0 ? '' : (settings.secret_names[level - 1] ?? `${level}`)

interface SentRow {
  readonly review_id: number
  readonly number: string
  readonly network_name: string
  readonly server_id: number | null
  readonly rule_name: string
  readonly secret_level: number
  readonly file_count: number
  readonly bytes: number
  readonly has_password: boolean
  readonly receivers: readonly KnownReceiver[]
  readonly delivery: ExchangeDelivery | null
  readonly problem: number
  readonly delivered_at: number | null
  readonly expires_at: number | null
  readonly fetched_at: number | null
  readonly changed_at: number
}

async function sentRows(db: Db, ids: readonly number[]): Promise<Map<number, SentRow>> {
  const { rows } = await sql<SentRow>`
    select review_id, number, network_name, server_id, rule_name, secret_level, file_count, bytes,
      password_hash <> '' as has_password, receivers, delivery, problem, delivered_at, expires_at, fetched_at, changed_at
    from exchange where review_id = any(${[...ids]})`.execute(db)
  return new Map(rows.map((row) => [row.review_id, row]))
}

/** The state of an exchange on the wire (X16). */
function statusOf({ state, isAwaited }: Pick<Listed, 'state' | 'isAwaited'>): ExchangeStatus {
  switch (state) {
    case 'pending':
      return isAwaited ? ExchangeStatus.toReview : ExchangeStatus.reviewing
    case 'rejected':
      return ExchangeStatus.rejected
    case 'approved':
      return ExchangeStatus.approved
    default:
      return ExchangeStatus.withdrawn
  }
}

function toSent(one: Listed, row: SentRow, actor: Account): FileExchange {
  return {
    ...{ applyId: one.id, approveId: 0, number: row.number, name: one.launcher, groupName: one.groupName },
    ...{ networkName: row.network_name, itemName: one.title, fileCount: row.file_count, fileSize: row.bytes },
    ...{ secretLevel: row.secret_level, secretName: secretName(actor, row.secret_level) },
    ...{ remindStatus: statusOf(one), delivery: row.delivery },
    transport: row.server_id === null ? 'bundle' : 'wire',
    ...{ applyComment: one.comments, answer: one.answer, handledBy: one.decidedBy?.accountName ?? '' },
    problem: row.problem,
    receivers: row.receivers.map(({ name }) => name),
    fetchedCount: row.receivers.filter(({ fetchedAt }) => fetchedAt !== undefined).length,
    ...{ waitsFor: [...one.waitsFor], isAwaited: one.isAwaited, requirePwd: row.has_password },
    ...{ handleBefore: one.handleBefore, createTime: one.createdAt, changeTime: row.changed_at },
    ...{ expireTime: row.expires_at, fileId: 0, folderId: 0 },
  }
}

interface ReceivedRow {
  readonly id: number
  readonly state: 'waiting' | 'fetched' | 'expired' | 'recalled'
  readonly created_at: number
  readonly expires_at: number
  readonly fetched_at: number | null
  readonly item_id: number | null
  readonly item_type: 1 | 2 | null
  readonly network_name: string
  readonly import_id: number | null
  readonly manifest: Manifest
}

const receivedDelivery = { waiting: 'delivered', fetched: 'fetched', expired: 'expired', recalled: null } as const

/** A waiting one whose time is over counts as expired before it is cleaned up. */
const stateNow = ({ state, expires_at }: ReceivedRow, now: number): ReceivedRow['state'] =>
  state === 'waiting' && expires_at <= now ? 'expired' : state

/** The files of what was received, if they are still there for the caller. */
async function placesOf(context: Context, rows: readonly ReceivedRow[]): Promise<Set<number>> {
  const ids = rows.flatMap(({ item_id }) => (item_id === null ? [] : [item_id]))
  const found = await accessToMany(context.db, actorOf(context), ids, context.now)
  return new Set(
    [...found].flatMap(([id, { row, facts }]) =>
      row.deleted_at === null && denial(gates.see, facts) === undefined ? [id] : [],
    ),
  )
}

function toReceived(row: ReceivedRow, there: ReadonlySet<number>, actor: Account, now: number): FileExchange {
  const { manifest } = row
  const state = stateNow(row, now)
  const at = row.item_id !== null && there.has(row.item_id) ? row.item_id : 0
  return {
    ...{ applyId: 0, approveId: row.id, number: manifest.number, name: manifest.sender.name },
    ...{ groupName: manifest.sender.group, networkName: row.network_name, itemName: manifest.title },
    fileCount: manifest.files.length,
    fileSize: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    ...{ secretLevel: manifest.secretLevel, secretName: secretName(actor, manifest.secretLevel) },
    remindStatus: state === 'recalled' ? ExchangeStatus.withdrawn : ExchangeStatus.approved,
    delivery: receivedDelivery[state],
    transport: row.import_id === null ? 'wire' : 'bundle',
    ...{ applyComment: manifest.comment, answer: '', handledBy: manifest.approvers.at(-1) ?? '', problem: 0 },
    ...{ receivers: [], fetchedCount: state === 'fetched' ? 1 : 0, waitsFor: [], isAwaited: state === 'waiting' },
    requirePwd: manifest.passwordHash !== '' && state === 'waiting',
    ...{ handleBefore: null, createTime: row.created_at, changeTime: row.fetched_at ?? row.created_at },
    ...{ expireTime: row.expires_at, fileId: row.item_type === 1 ? at : 0, folderId: row.item_type === 2 ? at : 0 },
  }
}

const receivedColumns = sql.raw(`r.id, r.state, r.created_at, r.expires_at, r.fetched_at, r.item_id, r.item_type,
  a.network_name, a.import_id, a.manifest`)

interface ListInput {
  readonly side: 'sent' | 'receive' | 'review'
  readonly state: 'all' | 'open' | 'handled'
  readonly keyword: string
  readonly from: number
  readonly rows: number
}

type ListAnswer = Answer<typeof calls.getExchangeList>

async function listReceived(context: Context, { state, keyword, from, rows }: ListInput): Promise<ListAnswer> {
  const { db, now } = context
  const actor = actorOf(context)
  const word = `%${keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const open = sql`(r.state = 'waiting' and r.expires_at > ${now})`
  const mine = sql`
    from exchange_received r join exchange_arrival a on a.id = r.arrival_id
    where r.account_id = ${actor.accountId} and not r.is_hidden and ${
      keyword === ''
        ? sql`true`
        : sql`(lower(a.manifest->>'title') like ${word} or lower(a.manifest->'sender'->>'name') like ${word}
            or lower(a.number) like ${word})`
    }`
  const wanted = state === 'all' ? sql`true` : state === 'open' ? open : sql`not ${open}`
  const page = await sql<ReceivedRow>`
    select ${receivedColumns} ${mine} and ${wanted}
    order by ${open} desc, r.id desc offset ${from} limit ${rows}`.execute(db)
  const count = await sql<{ all: number; open: number }>`
    select count(*)::int as all, (count(*) filter (where ${open}))::int as open ${mine}`.execute(db)
  const there = await placesOf(context, page.rows)
  const { all, open: waiting } = count.rows[0] ?? { all: 0, open: 0 }
  const counts = { all, open: waiting, handled: all - waiting }
  return { list: page.rows.map((row) => toReceived(row, there, actor, now)), total: counts[state], counts }
}

/** One of the three lists: what was sent, received, or is to be decided. */
export async function listExchanges(context: Context, input: ListInput): Promise<ListAnswer> {
  if (input.side === 'receive') return listReceived(context, input)
  const { db, now } = context
  const actor = actorOf(context)
  const { state, keyword, from, rows } = input
  const side = input.side === 'sent' ? ('launched' as const) : ('asked' as const)
  const query = { kind: exchangeReviewName, accountId: actor.accountId, now, keyword, side }
  const { list, total } = await listReviews(db, { ...query, state, from, rows })
  const { all, open } = await countReviews(db, query)
  const found = await sentRows(
    db,
    list.map(({ id }) => id),
  )
  return {
    list: list.flatMap((one) => {
      const row = found.get(one.id)
      return row === undefined ? [] : [toSent(one, row, actor)]
    }),
    total,
    counts: { all, open, handled: all - open },
  }
}

/** What waits to be picked up by a user ([R033]). */
export async function receivedWaiting(db: Db, accountId: number, now: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from exchange_received
    where account_id = ${accountId} and state = 'waiting' and expires_at > ${now} and not is_hidden`.execute(db)
  return rows[0]?.n ?? 0
}

async function filesOf(context: Context, reviewId: number): Promise<ExchangeFile[]> {
  const { db, now } = context
  const actor = actorOf(context)
  const { rows } = await sql<{
    item_id: number
    name: string
    path: string
    bytes: number
    version: number
    secret_level: number
    sha256: Buffer
  }>`
    select item_id, name, path, bytes, version, secret_level, sha256 from exchange_file
    where review_id = ${reviewId} order by n`.execute(db)
  const found = await accessToMany(
    db,
    actor,
    rows.map(({ item_id }) => item_id),
    now,
  )
  return rows.map(({ item_id, name, path, bytes, version, secret_level, sha256 }) => {
    const access = found.get(item_id)
    const seen = access?.row.deleted_at === null && denial(gates.see, access.facts) === undefined ? access : undefined
    return {
      ...{ fName: name, path, fileSize: bytes, version, secretLevel: secret_level },
      secretName: secretName(actor, secret_level),
      sha256: sha256.toString('hex'),
      fId: seen === undefined ? 0 : item_id,
      mayPreview: seen !== undefined && denial(gates.preview, seen.facts) === undefined,
      newVersion: seen?.row.version ?? version,
    }
  })
}

type Node = FileExchangeDetail['nodes'][number]

/** The road of an exchange: who sends, each step of the approval, check, delivery, and picking up. */
function nodesOf(one: Listed, row: SentRow, { rounds, round }: ReviewProgress): Node[] {
  const isOver = one.state === 'rejected' || one.state === 'withdrawn' || one.state === 'revoked'
  const steps = rounds.map(({ needed, reviewers }, n): Node => {
    const bad = reviewers.find(({ answer }) => answer === 'rejected')
    const good = reviewers.filter(({ answer }) => answer === 'approved')
    const isDone = good.length >= needed
    const state = bad !== undefined ? 'bad' : isDone ? 'done' : !isOver && n === round ? 'now' : 'next'
    const people = bad !== undefined ? [bad] : isDone ? good : reviewers.filter(({ answer }) => answer !== 'handedOn')
    return {
      ...{ kind: 'review', state, time: bad?.at ?? (isDone ? (good.at(-1)?.at ?? null) : null) },
      names: people.map(({ answeredBy, accountName }) => answeredBy?.accountName ?? accountName),
    }
  })
  const { delivery, delivered_at: deliveredAt } = row
  const isThere = delivery === 'delivered' || delivery === 'fetched' || delivery === 'expired'
  const stateOfDelivery = (): Node['state'] => {
    if (isThere) return 'done'
    if (delivery === 'failed') return 'bad'
    return delivery === null ? 'next' : 'now'
  }
  const stateOfFetch = (): Node['state'] => {
    if (delivery === 'fetched') return 'done'
    return delivery === 'expired' ? 'bad' : delivery === 'delivered' ? 'now' : 'next'
  }
  const isChecked = isThere || delivery === 'underway' || delivery === 'exported' || delivery === 'failed'
  return [
    { kind: 'submit', state: 'done', names: [one.launcher], time: one.createdAt },
    ...steps,
    { kind: 'check', state: isChecked ? 'done' : 'next', names: [], time: null },
    { kind: 'deliver', state: stateOfDelivery(), names: [row.network_name], time: deliveredAt },
    { kind: 'fetch', state: stateOfFetch(), names: row.receivers.map(({ name }) => name), time: row.fetched_at },
  ]
}

/** One exchange that the caller has sent or decides about. */
export async function readExchange(
  context: Context,
  applyId: number,
  progress: ReviewProgress,
  may: Pick<FileExchangeDetail['may'], 'decide' | 'cancel' | 'remind' | 'remove'>,
): Promise<FileExchangeDetail> {
  const { db, now } = context
  const actor = actorOf(context)
  const { list } = await listReviews(db, {
    ...{ kind: exchangeReviewName, accountId: actor.accountId, side: 'asked', state: 'all', now },
    ...{ from: 0, rows: 1, id: applyId },
  })
  const one = list[0]
  const row = (await sentRows(db, [applyId])).get(applyId)
  if (one === undefined || row === undefined) return fail('notFound')
  const { rows: events } = await sql<{ at: number; what: string; by: string; comments: string }>`
    select at, what, by_name as by, comments from exchange_event where review_id = ${applyId} order by id`.execute(db)
  const isSender = one.launcherId === actor.accountId
  const isUnderWay = row.delivery === 'underway' || row.delivery === 'exported' || row.delivery === 'fetched'
  return {
    ...toSent(one, row, actor),
    ruleName: row.rule_name,
    files: await filesOf(context, applyId),
    nodes: nodesOf(one, row, progress),
    timeline: [
      ...progress.notes.map(({ at, what, by, comments }) => ({ at, what, by: by?.accountName ?? '', comments })),
      ...(events as FileExchangeDetail['timeline']),
    ].toSorted((a, b) => a.at - b.at),
    approvers: [],
    may: {
      ...may,
      cancel: may.cancel && !isUnderWay && row.delivery !== 'expired',
      resend: isSender && one.state === 'approved' && row.delivery === 'failed',
      showPwd: isSender && row.has_password,
      pickUp: false,
    },
  }
}

async function receivedRow(context: Context, approveId: number): Promise<ReceivedRow> {
  const { rows } = await sql<ReceivedRow>`
    select ${receivedColumns} from exchange_received r join exchange_arrival a on a.id = r.arrival_id
    where r.id = ${approveId} and r.account_id = ${actorOf(context).accountId}`.execute(context.db)
  return rows[0] ?? fail('notFound')
}

/** One exchange that the caller has received. */
export async function readReceived(context: Context, approveId: number): Promise<FileExchangeDetail> {
  const { now } = context
  const actor = actorOf(context)
  const row = await receivedRow(context, approveId)
  const listed = toReceived(row, await placesOf(context, [row]), actor, now)
  const { manifest } = row
  const state = stateNow(row, now)
  const fetch = { waiting: 'now', fetched: 'done', expired: 'bad', recalled: 'bad' } as const
  return {
    ...listed,
    ruleName: manifest.ruleName,
    files: manifest.files.map(({ name, path, bytes, version, secretLevel, sha256 }) => ({
      ...{ fName: name, path, fileSize: bytes, version, secretLevel, secretName: secretName(actor, secretLevel) },
      ...{ sha256, fId: 0, mayPreview: false, newVersion: version },
    })),
    nodes: [
      { kind: 'submit', state: 'done', names: [manifest.sender.name], time: null },
      ...manifest.approvers.map((name): Node => ({ kind: 'review', state: 'done', names: [name], time: null })),
      { kind: 'deliver', state: 'done', names: [row.network_name], time: row.created_at },
      { kind: 'fetch', state: fetch[state], names: [actor.name], time: row.fetched_at },
    ],
    timeline: [
      { at: row.created_at, what: 'received', by: row.network_name, comments: '' },
      ...(row.fetched_at === null
        ? []
        : [{ at: row.fetched_at, what: 'fetched' as const, by: actor.name, comments: '' }]),
    ],
    approvers: [...manifest.approvers],
    may: {
      ...{ decide: false, cancel: false, remind: false, resend: false, showPwd: false },
      ...{ pickUp: state === 'waiting', remove: state !== 'waiting' },
    },
  }
}

/** Whether what was received can be picked up, and where it is ([R260]). */
export async function approvedDetail(context: Context, approveId: number) {
  const row = await receivedRow(context, approveId)
  const one = toReceived(row, await placesOf(context, [row]), actorOf(context), context.now)
  return {
    ...{ status: one.remindStatus, delivery: one.delivery, requirePwd: one.requirePwd },
    ...{ fileId: one.fileId, folderId: one.folderId },
  }
}
