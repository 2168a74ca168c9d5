// The administration of webhooks: who is told of changes at which address, and what became of each delivery.
import { features } from '@cloudoc/contract'
import { fail, type WebhookTopic } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { isForbiddenHost } from '../../core/outbound-http.ts'
import { seal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { readPositions, replayFrom } from './enqueue.ts'
import { secretPurpose } from './send.ts'
import { newSecret } from './signature.ts'

const mostWebhooks = 50
/** Test events of a webhook that may wait. */
const mostTests = 20
const dayMs = 24 * 60 * 60_000

const forbidden = {
  zh: '不能使用这个地址：它属于本机的网络服务',
  en: 'this address cannot be used: it belongs to network services of the machine',
} as const

function assertAllowed(address: string): void {
  if (isForbiddenHost(address)) fail('badRequest', forbidden)
}

/** A webhook, locked against a concurrent change. */
async function lockWebhook({ tx }: Pick<WriteContext, 'tx'>, webhookId: number) {
  const row = await tx
    .selectFrom('webhook')
    .select(['id', 'name', 'owner_id', 'topics', 'sealed_secret', 'state'])
    .where('id', '=', webhookId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? fail('notFound', 'webhookId')
}

/** A webhook of the caller. Another administrator would learn by a change what its owner may know. */
async function lockOwn(context: WriteContext, webhookId: number) {
  const row = await lockWebhook(context, webhookId)
  return row.owner_id === actorOf(context).accountId ? row : fail('noPermission')
}

interface ListedRow {
  readonly webhookId: number
  readonly name: string
  readonly address: string
  readonly topics: WebhookTopic[]
  readonly state: 'active' | 'paused'
  readonly ownerId: number
  readonly ownerName: string
  readonly createTime: number
  readonly waiting: number
  readonly dead: number
  readonly deliveredTime: number
  readonly problem: string
}

async function listWebhooks(db: Db): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select w.id::float8 as "webhookId", w.name, w.address, w.topics, w.state, w.owner_id::float8 as "ownerId",
      a.name as "ownerName", w.created_at::float8 as "createTime", w.delivered_at::float8 as "deliveredTime", w.problem,
      coalesce(n.waiting, 0)::int as waiting, coalesce(n.dead, 0)::int as dead
    from webhook w join account a on a.id = w.owner_id left join lateral (
      select count(*) filter (where state = 'waiting' and name is not null) as waiting,
        count(*) filter (where state = 'dead') as dead
      from webhook_delivery where webhook_id = w.id and state in ('waiting', 'dead')) n on true
    order by w.name, w.id`.execute(db)
  return rows
}

interface DeliveryRow {
  readonly deliveryId: number
  readonly name: string
  readonly position: number
  readonly state: 'waiting' | 'delivered' | 'dead'
  readonly attempts: number
  readonly createTime: number
  readonly dueTime: number
  readonly status: number
  readonly problem: string
  readonly total: number
}

/** The handlers of webhooks. */
export function webhookHandlers({ secrets }: Pick<Services, 'secrets'>) {
  return implement(features.webhooks.calls, {
    async getWebhooks(context) {
      const { accountId } = actorOf(context)
      const list = (await listWebhooks(context.db)).map((row) => ({ ...row, isOwn: row.ownerId === accountId }))
      return { list, ...(await readPositions(context.db)) }
    },

    async createWebhook(context, { name, address, topics }) {
      const { tx, now } = context
      assertAllowed(address)
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from webhook`.execute(tx)
      if ((rows[0]?.n ?? 0) >= mostWebhooks) return fail('tooMany')
      const secret = newSecret()
      const { id } = await tx
        .insertInto('webhook')
        .values({
          name: name.trim(),
          address,
          topics: [...new Set(topics)],
          owner_id: actorOf(context).accountId,
          sealed_secret: seal(secrets, secretPurpose, secret),
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { webhookId: id, secret }
    },

    async changeWebhook(context, { webhookId, name, address, topics }) {
      assertAllowed(address)
      await lockOwn(context, webhookId)
      const to = { name: name.trim(), address, topics: [...new Set(topics)], problem: '' }
      await context.tx.updateTable('webhook').set(to).where('id', '=', webhookId).execute()
      return {}
    },

    async pauseWebhook(context, { webhookId, paused }) {
      await lockWebhook(context, webhookId)
      const state = paused ? 'paused' : 'active'
      await context.tx.updateTable('webhook').set({ state, problem: '' }).where('id', '=', webhookId).execute()
      return {}
    },

    async renewWebhookSecret(context, { webhookId }) {
      const { sealed_secret: old } = await lockOwn(context, webhookId)
      const secret = newSecret()
      await context.tx
        .updateTable('webhook')
        .set({
          sealed_secret: seal(secrets, secretPurpose, secret),
          old_secret: old,
          old_secret_until: context.now + dayMs,
        })
        .where('id', '=', webhookId)
        .execute()
      return { secret }
    },

    async deleteWebhook(context, { webhookId }) {
      const { name } = await lockWebhook(context, webhookId)
      await context.tx.deleteFrom('webhook').where('id', '=', webhookId).execute()
      context.audit({ name })
      return {}
    },

    async testWebhook(context, { webhookId }) {
      const { tx, now } = context
      await lockWebhook(context, webhookId)
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from webhook_delivery
        where webhook_id = ${webhookId} and is_test and state = 'waiting'`.execute(tx)
      if ((rows[0]?.n ?? 0) >= mostTests) return fail('tooMany')
      const { position } = await readPositions(tx)
      const { id } = await tx
        .insertInto('webhook_delivery')
        .values({
          webhook_id: webhookId,
          position,
          is_test: true,
          object: 'test',
          name: 'test',
          event: JSON.stringify({ kind: 'webhook.test' }) as never,
          actor_id: actorOf(context).accountId,
          happened_at: now,
          created_at: now,
          due: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { deliveryId: id }
    },

    async getWebhookDeliveries({ db }, { webhookId, state, from, rows: most }) {
      const known = await db.selectFrom('webhook').select('id').where('id', '=', webhookId).executeTakeFirst()
      if (known === undefined) return fail('notFound', 'webhookId')
      const { rows } = await sql<DeliveryRow>`
        select id::float8 as "deliveryId", name, position::float8 as position, state, attempts, status, problem,
          created_at::float8 as "createTime", due::float8 as "dueTime", count(*) over ()::int as total
        from webhook_delivery where webhook_id = ${webhookId} and name is not null
          and (${state ?? null}::text is null or state = ${state ?? null})
        order by id desc limit ${most} offset ${from}`.execute(db)
      return { list: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 }
    },

    async retryWebhookDeliveries(context, { webhookId, deliveryIds }) {
      await lockWebhook(context, webhookId)
      const { rows } = await sql<{ id: number }>`
        update webhook_delivery set state = 'waiting', attempts = 0, due = ${context.now}, created_at = ${context.now}
        where webhook_id = ${webhookId} and state = 'dead'
          and (${deliveryIds.length === 0}::boolean or id = any(${deliveryIds}))
        returning id::float8 as id`.execute(context.tx)
      return { retried: rows.map(({ id }) => id).toSorted((a, b) => a - b) }
    },

    async replayWebhook(context, { webhookId, position }) {
      await replayFrom(context.tx, await lockOwn(context, webhookId), position, context.now)
      return {}
    },
  })
}
