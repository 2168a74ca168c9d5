// Hand-over of processes that wait for a leaver: to the successor where they may act, else by the rule of the template.
// What the leaver has launched runs on; the administrators answer what is asked of the launcher.
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import { type HandoverItem, idsOf, type Leaver } from '../../core/leavers.ts'
import { lockProcess, perform } from './run.ts'

interface Waiting {
  readonly id: number
  readonly name: string
  readonly detail: string
  readonly isTheirs: boolean
}

const waitingFor = async (tx: Tx, leaverId: number, successorId: number): Promise<Waiting[]> => {
  const { rows } = await sql<Waiting>`
    select distinct p.id, p.title as name, a.name as detail, exists (
      select 1 from process_task o where o.process_id = p.id and o.account_id = ${successorId}) as "isTheirs"
    from process_task w join process p on p.id = w.process_id join account a on a.id = p.launcher_id
    where w.account_id = ${leaverId} order by p.id`.execute(tx)
  return rows
}

export const waitingProcesses: Leaver = {
  kind: 'processes',
  columns: ['process_task.account_id'],
  async list(tx, { leaverId, successorId }) {
    const rows = await waitingFor(tx, leaverId, successorId)
    return {
      items: rows.map(
        ({ id, name, detail, isTheirs }): HandoverItem => ({
          ...{ id, name, detail, outcome: isTheirs ? 'merges' : 'passes' },
        }),
      ),
    }
  },
  async carryOut(context, { leaverId, successorId }, items) {
    const { tx, now } = context
    for (const id of [...idsOf(items, 'passes'), ...idsOf(items, 'merges')].sort((a, b) => a - b)) {
      const acting = { tx, now, actor: undefined, event: context.event.bind(context) }
      await perform(acting, await lockProcess(tx, id), { act: 'gone', account: leaverId, successor: successorId })
    }
  },
}
