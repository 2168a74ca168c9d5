// Hand-over when a user leaves: what they have to sign passes to the successor, what they launched goes on in the
// successor's name.
import { sql } from 'kysely'
import { type HandoverItem, idsOf, type Leaver } from '../../core/leavers.ts'
import { type Services } from '../../core/services.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { leaveOut, passOn } from './acts.ts'
import { type ActivityRow, changed, levelOf, lockActivity } from './rows.ts'

/** Signatures that are asked of the leaver. */
export const signaturesOf = ({ settings, secrets }: Pick<Services, 'settings' | 'secrets'>): Leaver => ({
  kind: 'signatures',
  columns: ['sign_signer.account_id'],
  async list(tx, { leaverId, successorId, now }) {
    const { rows } = await sql<ActivityRow & { isTheirs: boolean }>`
      select s.*, a.name as launcher, exists (
        select 1 from sign_signer o where o.activity_id = s.id and ${successorId} in (o.account_id, o.acted_by)) as "isTheirs"
      from sign_signer g join sign_activity s on s.id = g.activity_id join account a on a.id = s.launcher_id
      where g.account_id = ${leaverId} and g.state in ('now', 'next') and s.state = 'running' order by s.id`.execute(tx)
    const successor = (await loadAccounts(tx, settings, [successorId], now)).get(successorId)
    const items = rows.map((row): HandoverItem => {
      const item = { id: row.id, name: row.title, detail: row.launcher }
      const able = successor !== undefined && successor.secretLevel >= levelOf(row, now)
      if (row.isTheirs) return { ...item, outcome: 'merges' }
      return able ? { ...item, outcome: 'passes' } : { ...item, outcome: 'ends', why: 'level' }
    })
    return { items }
  },
  async carryOut(context, { leaverId, successorId }, items) {
    const { tx } = context
    for (const id of idsOf(items, 'passes'))
      await passOn(context, await lockActivity(tx, id), {
        ...{ from: leaverId, to: successorId, by: leaverId, comments: '' },
      })
    for (const id of [...idsOf(items, 'merges'), ...idsOf(items, 'ends')]) {
      await leaveOut(context, { secrets, settings }, await lockActivity(tx, id), { id: leaverId })
    }
  },
})

/** What the leaver launched and is not over. */
export const launchedSignings: Leaver = {
  kind: 'signings',
  columns: ['sign_activity.launcher_id'],
  async list(tx, { leaverId }) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, title as name from sign_activity
      where launcher_id = ${leaverId} and state in ('running', 'signed') order by id`.execute(tx)
    return { items: rows.map((row) => ({ ...row, outcome: 'passes' })) }
  },
  async carryOut(context, { successorId }, items) {
    const { tx } = context
    for (const id of idsOf(items, 'passes')) {
      await sql`update sign_activity set launcher_id = ${successorId} where id = ${id}`.execute(tx)
      context.event(changed(id))
    }
  },
}
