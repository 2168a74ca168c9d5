// What a fetch, or the connection that waits for mail, came to.
import { sql } from 'kysely'
import { writeEvents } from '../../core/events.ts'
import type { MailFailure } from '../../core/mail/index.ts'
import type { Services } from '../../core/services.ts'
import { type BoxRow, mailChanged } from '../boxes/index.ts'

/**
 * Records what a fetch came to, unless the password was changed meanwhile. The end of each complete fetch is told to the
 * pages of the owner, which show that it runs.
 */
export async function recordOutcome(
  { db, now }: Pick<Services, 'db' | 'now'>,
  box: BoxRow,
  state: 'ok' | 'signIn' | 'unreachable',
  failure?: MailFailure,
): Promise<void> {
  const at = now()
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      update mailbox set state = ${state}, problem = ${failure?.code ?? ''}, said = ${failure?.message ?? ''},
        fetched_at = case when ${state} = 'ok' then ${at}::bigint else fetched_at end
      where id = ${box.boxId} and password = ${box.sealed}
        and (${state} = 'ok' or (state, problem) is distinct from (${state}, ${failure?.code ?? ''}))
      returning 1`.execute(tx)
    if (rows.length > 0) await writeEvents(tx, [mailChanged(box.accountId, box.boxId)], at)
  })
}
