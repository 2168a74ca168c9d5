// The user's sessions and recent sign-in attempts, with their addresses ([R047], [R350]).
import type { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'

type Names = 'getMySessions' | 'endMySessions'

const maxListed = 10

export const sessionHandlers: Pick<Handlers<typeof features.account.calls>, Names> = {
  async getMySessions(context) {
    const { accountId, sessionId } = actorOf(context)
    const sessions = await context.db
      .selectFrom('session')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('expires_at', '>', context.now)
      .where('wiped', '=', false)
      .where('program_id', 'is', null)
      .orderBy('used_at', 'desc')
      .execute()
    const { rows: recent } = await sql<{ at: number; address: string; refused: string }>`
      select at, address, coalesce(detail ->> 'refused', '') as refused from audit
      where coalesce(account_id, (detail ->> 'accountId')::bigint) = ${accountId}
        and call in ('login3', 'loginInEncrypt', 'login3ByLoginKey')
      order by at desc, id desc limit ${maxListed}`.execute(context.db)
    return {
      sessions: sessions.map((row) => ({
        sessionId: row.id,
        clientType: row.client_type,
        agent: row.agent,
        address: row.address,
        createTime: row.created_at,
        usedTime: row.used_at,
        isGuest: row.guest,
        current: row.id === sessionId,
      })),
      recent,
    }
  },

  async endMySessions(context, { sessionIds }) {
    const { accountId, sessionId } = actorOf(context)
    const ended = await context.tx
      .deleteFrom('session')
      .where('account_id', '=', accountId)
      .where('id', 'in', sessionIds)
      // The caller's own session is ended by signing out instead.
      .where('id', '<>', sessionId)
      .where('program_id', 'is', null)
      .returning('id')
      .execute()
    if (ended.length > 0) context.event({ kind: 'session', sessionIds: ended.map(({ id }) => id), elsewhere: false })
    return { ended: ended.length }
  },
}
