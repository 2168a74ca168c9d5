// What launchers do with their running processes: title, withdrawal, reminders.
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { type PersonalEvent, personal } from '../../core/events.ts'
import { actingOf } from './checks.ts'
import { type Acting, type ProcessRow, standInsOf } from './process-row.ts'
import { lockProcess, perform, searchTextOf } from './run.ts'

/** Minimum interval between reminders by the launcher. */
const remindEveryMs = 2 * 60 * 60_000

/** The handlers of launchers. */
export function launcherHandlers(): Pick<
  Handlers<typeof features.processes.calls>,
  'updateProcessTitle' | 'withdrawProcess' | 'remindProcess' | 'delLauncherRemind'
> {
  return {
    async updateProcessTitle(context, { processId, title }) {
      const { tx } = context
      const row = await lockProcess(tx, processId)
      if (row.launcher_id !== actorOf(context).accountId) return fail('noPermission')
      if (row.status !== 'draft' && row.status !== 'back') return fail('alreadyHandled')
      await tx
        .updateTable('process')
        .set({ title: title.trim(), search_text: searchTextOf(title, row.item_name) })
        .where('id', '=', processId)
        .execute()
      return {}
    },

    async withdrawProcess(context, { processId, revision: rev, comments }) {
      const row = await lockProcess(context.tx, processId)
      await perform(actingOf(context), row, { act: 'withdraw', account: row.launcher_id, rev, comments })
      context.audit({ processId })
      return {}
    },

    async remindProcess(context, { processId }) {
      const { tx, now } = context
      const row = await lockProcess(tx, processId)
      if (Math.max(row.reminded_at ?? 0, row.launched_at ?? 0) > now - remindEveryMs)
        return fail('duplicateOperation', { zh: '两小时内只能提醒一次', en: 'at most every two hours' })
      await tx.updateTable('process').set({ reminded_at: now }).where('id', '=', processId).execute()
      for (const event of await reminderOf(actingOf(context), row)) context.event(event)
      return {}
    },

    async delLauncherRemind(context, { processId }) {
      const { accountId } = actorOf(context)
      await sql`
        update notice set read_at = ${context.now}
        where account_id = ${accountId} and notice_group = 'workflow' and key = ${`launcher ${processId}`}
          and read_at is null`.execute(context.tx)
      return {}
    },
  }
}

/** The push that tells those whom a process waits for once more; of them only some, if they are named. */
export async function reminderOf(acting: Acting, row: ProcessRow, some?: readonly number[]): Promise<PersonalEvent[]> {
  const { tx, now } = acting
  const { rows } = await sql<{ account_id: number; node: string }>`
    select distinct account_id, node from process_task where process_id = ${row.id} and mode = 'decide'`.execute(tx)
  const people = rows.map(({ account_id }) => account_id).filter((one) => some?.includes(one) ?? true)
  if (people.length === 0) return []
  const launcher = await sql<{ name: string }>`select name from account where id = ${row.launcher_id}`.execute(tx)
  return [
    personal('processPlayer', [...new Set([...people, ...(await standInsOf(acting, people))])], {
      ...{ serverId: 0, processId: row.id, processName: row.title, launcherName: launcher.rows[0]?.name ?? '' },
      ...{ processState: 0, nodeState: 0, nodeName: row.node_names, comment: '', createTime: now, reminder: true },
    }),
  ]
}
