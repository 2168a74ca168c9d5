// Noting what somebody opened ([R249], X63): one row an item, by the calls that open it.
import type { RecentAct } from '@cloudoc/contract'
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'

/** Items that are remembered of one person. */
const mostRemembered = 1000

/** Notes that an account did something with items: the last part of its transaction that touches these rows. */
export async function recordRecent(
  tx: Tx,
  accountId: number,
  itemIds: readonly number[],
  act: RecentAct,
  now: number,
): Promise<void> {
  if (itemIds.length === 0) return
  // In one order, or two calls of one person could wait for each other.
  const ids = [...new Set(itemIds)].sort((a, b) => a - b)
  await sql`
    insert into recent (account_id, item_id, act, at)
    select ${accountId}, id, ${act}, ${now} from unnest(${ids}::bigint[]) as i (id) order by id
    on conflict (account_id, item_id) do update set act = excluded.act, at = excluded.at`.execute(tx)
  await sql`
    delete from recent r using (
      select item_id from recent where account_id = ${accountId}
      order by at desc, item_id offset ${mostRemembered}) old
    where r.account_id = ${accountId} and r.item_id = old.item_id`.execute(tx)
}
