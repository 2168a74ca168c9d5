// From events to deliveries: one of each event for each webhook that asks for it and whose owner may know of it.
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import type { NewEvent } from '../../core/events.ts'
import type { StoredEvent } from '../../core/push/index.ts'
import type { Services } from '../../core/services.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { kindsOfTopics, mayConcern, objectOf, viewsFor } from './views.ts'

/** The name of the reader, under which its position is stored. */
export const readerName = 'webhooks'

type EnqueueParts = Pick<Services, 'audiences' | 'pushes' | 'settings'>

/** Enqueues the deliveries of events, in the transaction that advances the position of the reader. */
export async function enqueueDeliveries(
  parts: EnqueueParts,
  tx: Tx,
  events: readonly StoredEvent<NewEvent>[],
  now: number,
): Promise<void> {
  // Paused ones too: what happens meanwhile is sent later. Locked, so that none is deleted meanwhile.
  const webhooks = await tx
    .selectFrom('webhook')
    .select(['id', 'owner_id', 'topics'])
    // Nobody will read what happens after its owner has left.
    .where('owner_id', 'in', (from) => from.selectFrom('account').select('id').where('state', '<>', 'disabled'))
    .orderBy('id')
    .forShare()
    .execute()
  if (webhooks.length === 0) return
  const owners = await loadAccounts(tx, parts.settings, [...new Set(webhooks.map((one) => one.owner_id))], now)
  const rows: object[] = []
  for (const { id, owner_id, topics } of webhooks) {
    const owner = owners.get(owner_id)
    const kinds = new Set(kindsOfTopics(topics))
    const wanted = events.filter(({ event }) => kinds.has(event.kind) && mayConcern(event, owner_id))
    if (wanted.length === 0) continue
    // While the owner is frozen or locked it is not known what they may know: that is evaluated before it is sent.
    const views = owner && (await viewsFor(parts, tx, owner, { events: wanted, now }))
    for (const { position, at, actorId, event } of wanted) {
      const view = views?.get(position)
      if (views !== undefined && view === undefined) continue
      const [happened_at, name, object] = [at, view?.name ?? null, objectOf(event)]
      rows.push({ webhook_id: id, position, object, name, event, actor_id: actorId, happened_at })
    }
  }
  if (rows.length === 0) return
  await sql`
    insert into webhook_delivery (webhook_id, position, object, name, event, actor_id, happened_at, created_at, due)
    select r.webhook_id, r.position, r.object, r.name, r.event, r.actor_id, r.happened_at, ${now}::bigint, ${now}::bigint
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (webhook_id bigint, position bigint, object text,
      name text, event jsonb, actor_id bigint, happened_at bigint)
    order by r.position on conflict do nothing`.execute(tx)
}

/** The newest position that has been read, and the lowest that can be replayed. */
export async function readPositions(db: Db): Promise<{ position: number; oldest: number }> {
  const { rows } = await sql<{ position: number; oldest: number }>`
    select s.value::float8 as position, coalesce((select min(position) from event), s.value)::float8 as oldest
    from stamp s where name = 'event'`.execute(db)
  return rows[0] ?? { position: 0, oldest: 0 }
}

/**
 * Makes everything from a position on wait again: deliveries that are kept, and events that are. Their names stay
 * empty until the sender knows that the owner may know of them.
 */
export async function replayFrom(
  tx: Tx,
  webhook: { readonly id: number; readonly owner_id: number; readonly topics: Parameters<typeof kindsOfTopics>[0] },
  from: number,
  now: number,
): Promise<void> {
  const { id, owner_id, topics } = webhook
  // The reader waits: what it has not read it enqueues itself.
  const { rows } = await sql<{ place: number }>`
    select (value->>'position')::bigint as place from walk where name = ${`events ${readerName}`} for update`.execute(
    tx,
  )
  const place = rows[0]?.place ?? 0
  // Also what waits or is being sent, so that it arrives again after what precedes it.
  await sql`
    update webhook_delivery set state = 'waiting', due = ${now}, attempts = 0, created_at = ${now}, status = 0,
      problem = ''
    where webhook_id = ${id} and position >= ${from} and not is_test`.execute(tx)
  await sql`
    insert into webhook_delivery (webhook_id, position, object, event, actor_id, happened_at, created_at, due)
    select ${id}::bigint, position, case when kind = 'item' then 'item ' || (payload->>'itemId') else kind end, payload,
      case when outsider is null then actor_id end, created_at, ${now}::bigint, ${now}::bigint
    from event where position >= ${from} and position <= ${place} and kind = any(${kindsOfTopics(topics)})
      and (kind <> 'personal' or payload->'accountIds' @> ${JSON.stringify(owner_id)}::jsonb)
    order by position on conflict do nothing`.execute(tx)
}
