/*
 * Sends deliveries: at least once, and in order for each object. A delivery is claimed by moving its due time beyond
 * the longest request, sent without a transaction, and its outcome is written if nobody else has claimed it since. A
 * process that dies leaves a delivery that is due again. Later ones about the same object wait for it until it has
 * arrived or was given up. Each webhook is sent to by itself: a receiver that is slow delays its own alone.
 */
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { NewEvent } from '../../core/events.ts'
import { OutboundFailure, requestOutbound } from '../../core/outbound-http.ts'
import type { PushMessage } from '../../core/push/index.ts'
import { unseal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { signatureHeaders } from './signature.ts'
import { viewsFor } from './views.ts'

export type SendParts = Pick<
  Services,
  'db' | 'now' | 'log' | 'pause' | 'secrets' | 'settings' | 'audiences' | 'pushes' | 'sees'
>

/** The purpose for which secrets are sealed. */
export const secretPurpose = 'secret of a webhook'

const atOnce = 8
const answerMs = 10_000
/** Longer than any request takes. */
const claimMs = 60_000
/** Pauses after failed attempts; after the last one a delivery is given up, about a day after the first. */
const pausesMs = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800].map((seconds) => seconds * 1000)
const longestProblem = 200

interface Webhook {
  readonly id: number
  readonly address: string
  readonly owner_id: number
  readonly sealed_secret: string
  readonly old_secret: string | null
  readonly old_secret_until: number | null
}

interface Claimed {
  readonly id: number
  readonly position: number
  readonly is_test: boolean
  readonly event: NewEvent
  readonly actor_id: number | null
  readonly happened_at: number
  readonly attempts: number
  /** When others may claim it; it identifies this claim. */
  readonly due: number
}

/** The outcome of an attempt. */
interface Outcome {
  readonly status: number
  /** Empty if it has arrived. */
  readonly problem: string
}

/** Starts sending to each webhook that has something due and is not being sent to. Returns what was started. */
export function createSender(parts: SendParts): (signal: AbortSignal) => Promise<readonly Promise<void>[]> {
  const busy = new Set<number>()
  return async (signal) => {
    const started: Promise<void>[] = []
    for (const webhook of await dueWebhooks(parts.db, parts.now())) {
      if (busy.has(webhook.id)) continue
      busy.add(webhook.id)
      started.push(
        sendAll(parts, webhook, signal)
          .catch((error: unknown) => {
            if (!signal.aborted) parts.log.warn({ err: error, webhook: webhook.id }, 'a webhook is sent to again later')
          })
          .finally(() => void busy.delete(webhook.id)),
      )
    }
    return started
  }
}

async function dueWebhooks(db: Db, now: number): Promise<Webhook[]> {
  const { rows } = await sql<Webhook>`
    select w.id, w.address, w.owner_id, w.sealed_secret, w.old_secret, w.old_secret_until from webhook w
    where w.state = 'active' and exists (
      select 1 from webhook_delivery d where d.webhook_id = w.id and d.state = 'waiting' and d.due <= ${now})`.execute(
    db,
  )
  return rows
}

async function sendAll(parts: SendParts, webhook: Webhook, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const claimed = await claim(parts.db, webhook.id, parts.now())
    if (claimed.length === 0) return
    // No longer an administrator, frozen or gone: nothing is sent for them, and nothing is lost.
    const owner = (await loadAccounts(parts.db, parts.settings, [webhook.owner_id], parts.now())).get(webhook.owner_id)
    if (owner === undefined && (await isLocked(parts.db, webhook))) return postpone(parts, webhook, claimed)
    if (owner === undefined || !owner.powers.includes('system')) return hold(parts, webhook)
    const views = await viewsOf(parts, owner, claimed)
    await Promise.all(
      claimed.map(async (one) => {
        const view = one.is_test ? test : views.get(one.position)
        if (view === undefined) return withhold(parts.db, one)
        const outcome = await attempt(parts, webhook, one, view, signal)
        await parts.pause('webhook sent')
        if (!signal.aborted) await record(parts, webhook, one, view.name, outcome)
      }),
    )
  }
}

const test: PushMessage = { name: 'test', payload: {} }

/** The first due delivery of each object, if nothing before it waits. */
async function claim(db: Db, webhookId: number, now: number): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    update webhook_delivery set due = ${now + claimMs}, attempts = attempts + 1 where id in (
      select d.id from webhook_delivery d
      where d.webhook_id = ${webhookId} and d.state = 'waiting' and d.due <= ${now} and not exists (
        select 1 from webhook_delivery e where e.webhook_id = d.webhook_id and e.object = d.object
          and e.state = 'waiting' and (e.position, e.id) < (d.position, d.id))
      order by d.due, d.position limit ${atOnce} for update skip locked)
    returning id, position, is_test, event, actor_id, happened_at, attempts, due`.execute(db)
  return rows
}

async function viewsOf(
  parts: SendParts,
  owner: Account,
  claimed: readonly Claimed[],
): Promise<Map<number, PushMessage>> {
  const events = claimed
    .filter((one) => !one.is_test)
    .map(({ position, happened_at, actor_id, event }) => ({ position, at: happened_at, actorId: actor_id, event }))
  return viewsFor(parts, parts.db, owner, { events, now: parts.now() })
}

async function attempt(
  { secrets, now }: SendParts,
  webhook: Webhook,
  { id, position, is_test: isTest, happened_at: time, attempts }: Claimed,
  { name, payload }: PushMessage,
  signal: AbortSignal,
): Promise<Outcome> {
  const messageId = isTest ? `${webhook.id}-test-${id}` : `${webhook.id}-${position}`
  const body = JSON.stringify({ type: name, timestamp: new Date(time).toISOString(), position, data: payload })
  const keys = [webhook.sealed_secret]
  if (webhook.old_secret !== null && (webhook.old_secret_until ?? 0) > now()) keys.push(webhook.old_secret)
  const plain = keys.map((sealed) => unseal(secrets, secretPurpose, sealed))
  try {
    const answer = await requestOutbound(webhook.address, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'Cloudoc-Webhook/1',
        'webhook-attempt': String(attempts),
        ...signatureHeaders(plain, { id: messageId, time: now(), body }),
      },
      timeMs: answerMs,
      signal,
    })
    answer.drop()
    const { status } = answer
    return { status, problem: status >= 200 && status < 300 ? '' : `HTTP ${status}` }
  } catch (error) {
    return { status: 0, problem: problemOf(error) }
  }
}

/** What went wrong with a connection, in the words of the system. */
function problemOf(error: unknown): string {
  const deepest = error instanceof OutboundFailure && error.cause instanceof Error ? error.cause : error
  return (deepest instanceof Error ? deepest.message : 'unknown').slice(0, longestProblem)
}

/** Writes the outcome, unless the delivery was claimed again or has another state since. */
async function record(
  { db, now }: SendParts,
  { id: webhookId }: Webhook,
  { id, attempts, due }: Claimed,
  name: string,
  { status, problem }: Outcome,
): Promise<void> {
  const at = now()
  const arrived = problem === ''
  const pauseMs = pausesMs[attempts - 1]
  const state = arrived ? 'delivered' : pauseMs === undefined ? 'dead' : 'waiting'
  await sql`
    with written as (
      update webhook_delivery set state = ${state}, due = ${at + (pauseMs ?? 0)}, name = ${name}, status = ${status},
        problem = ${problem}
      where id = ${id} and state = 'waiting' and attempts = ${attempts} and due = ${due} returning 1)
    update webhook set problem = ${problem}, delivered_at = case when ${arrived}::boolean then ${at}::bigint else delivered_at end
    where id = ${webhookId} and exists (select 1 from written)`.execute(db)
}

/** Its owner may not know of it: nothing is kept of it. */
async function withhold(db: Db, { id, attempts }: Claimed): Promise<void> {
  await db
    .deleteFrom('webhook_delivery')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute()
}

/** Whether the owner is locked after wrong passwords, which ends by itself. */
async function isLocked(db: Db, { owner_id }: Webhook): Promise<boolean> {
  const owner = await db.selectFrom('account').select('state').where('id', '=', owner_id).executeTakeFirst()
  return owner?.state === 'locked'
}

/** Sends nothing for a while; that is no attempt. */
async function postpone({ db, now }: SendParts, { id }: Webhook, claimed: readonly Claimed[]): Promise<void> {
  await sql`
    update webhook_delivery set due = greatest(due, ${now() + claimMs}::bigint),
      attempts = greatest(attempts - (id = any(${claimed.map((one) => one.id)}::bigint[]))::int, 0)
    where webhook_id = ${id} and state = 'waiting'`.execute(db)
}

/** Pauses a webhook whose owner is no administrator any more. */
async function hold({ db, now }: SendParts, { id, owner_id }: Webhook): Promise<void> {
  await sql`
    with due_again as (
      update webhook_delivery set due = ${now()} where webhook_id = ${id} and state = 'waiting')
    update webhook set state = 'paused', problem = 'owner' where id = ${id} and owner_id = ${owner_id}`.execute(db)
}

const dayMs = 24 * 60 * 60_000
const removalBatch = 1000

/** Removes old deliveries: delivered ones after a week, others after 30 days. Returns whether there may be more. */
export async function removeOldDeliveries(db: Db, now: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_delivery where id in (
      select id from webhook_delivery where created_at < ${now - 7 * dayMs}
        and (state = 'delivered' or created_at < ${now - 30 * dayMs}) order by created_at limit ${removalBatch})`.execute(
    db,
  )
  return Number(numAffectedRows) === removalBatch
}
