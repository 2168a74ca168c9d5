// Records which items a user opened ([R249], X63): one row per item, written by the calls that open it.
import type { RecentAct } from '@cloudoc/contract'
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'

/** Maximum number of items stored per user. */
const mostRemembered = 1000

/** Records that an account acted on items. Must be the last part of its transaction that locks these rows. */
export async function recordRecent(
  tx: Tx,
  accountId: number,
  itemIds: readonly number[],
  act: RecentAct,
  now: number,
): Promise<void> {
  if (itemIds.length === 0) return
  // A fixed order prevents deadlocks between concurrent calls of one user.
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
