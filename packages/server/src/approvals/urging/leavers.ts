/*
 * Handover of urges when a user leaves. What the leaver has to do passes to the successor if they may see the item;
 * the leaver's open urges go on in the name of the successor.
 */
import { denial, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import { type Handover, type HandoverItem, idsOf, type Leaver } from '../../core/leavers.ts'
import type { Settings } from '../../core/settings.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { leave, passOn } from './urges.ts'

interface Waiting {
  readonly id: number
  readonly title: string
  readonly sender: string
  readonly itemId: number | null
  /** The item is in a library of the leaver, which passes too. */
  readonly passes: boolean
  readonly isSender: boolean
  readonly isReceiver: boolean
}

async function visibleTo(tx: Tx, settings: Settings, ids: readonly number[], { successorId, now }: Handover) {
  const account = (await loadAccounts(tx, settings, [successorId], now)).get(successorId)
  if (account === undefined) return new Set<number>()
  const found = await accessToMany(tx, account, ids, now)
  return new Set([...found].filter(([, { facts }]) => denial(gates.see, facts) === undefined).map(([id]) => id))
}

/** Urges that wait for the leaver. */
export const waitingUrges = (settings: Settings): Leaver => ({
  kind: 'urges',
  columns: ['urge_receiver.account_id'],
  async list(tx, who) {
    const { rows } = await sql<Waiting>`
      select u.id, u.title, a.name as sender, u.item_id as "itemId", u.sender_id = ${who.successorId} as "isSender",
        exists (select 1 from item i join library l on l.id = i.library_id
          where i.id = u.item_id and l.owner_id = ${who.leaverId}) as passes,
        exists (select 1 from urge_receiver o where o.urge_id = u.id and o.account_id = ${who.successorId}
          and o.handed_to is null) as "isReceiver"
      from urge_receiver r join urge u on u.id = r.urge_id join account a on a.id = u.sender_id
      where r.account_id = ${who.leaverId} and r.is_waiting order by u.id`.execute(tx)
    const ids = rows.flatMap(({ itemId, passes }) => (itemId === null || passes ? [] : [itemId]))
    const visible = await visibleTo(tx, settings, ids, who)
    const items: HandoverItem[] = rows.map(({ id, title, sender, itemId, passes, isSender, isReceiver }) => {
      const item = { id, name: title, detail: sender }
      if (isReceiver) return { ...item, outcome: 'merges' }
      if (isSender) return { ...item, outcome: 'ends', why: 'ownRequest' }
      return passes || (itemId !== null && visible.has(itemId))
        ? { ...item, outcome: 'passes' }
        : { ...item, outcome: 'ends', why: 'notTheirs' }
    })
    return { items }
  },
  async carryOut(context, { leaverId, successorId }, items) {
    for (const id of [...idsOf(items, 'passes'), ...idsOf(items, 'merges')]) {
      await lock(context.tx, id)
      await passOn(context, id, leaverId, successorId, '')
    }
    for (const id of idsOf(items, 'ends')) {
      await lock(context.tx, id)
      await leave(context, id, leaverId)
    }
  },
})

async function lock(tx: Tx, id: number): Promise<void> {
  await sql`select 1 from urge where id = ${id} for no key update`.execute(tx)
}

/** The leaver's open urges. */
export const sentUrges: Leaver = {
  kind: 'urgesSent',
  columns: ['urge.sender_id'],
  async list(tx, { leaverId }) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, title as name from urge where sender_id = ${leaverId} and state = 'open' order by id`.execute(tx)
    return { items: rows.map((row) => ({ ...row, outcome: 'passes' })) }
  },
  async carryOut(context, { successorId }, items) {
    const { tx } = context
    for (const id of idsOf(items, 'passes')) {
      await lock(tx, id)
      await sql`update urge set sender_id = ${successorId}, sender_seen_id = 0 where id = ${id}`.execute(tx)
      // Nobody urges themselves.
      const { rows } = await sql`
        select 1 from urge_receiver where urge_id = ${id} and account_id = ${successorId} and is_waiting`.execute(tx)
      if (rows.length > 0) await leave(context, id, successorId)
    }
  },
}
