/*
 * Acts on a process: the engine (domain/workflow) decides, this file keeps what it says. State, course, the people whom
 * it waits for, the marks of the file, the rights of its handlers and the pushes are written in one transaction, which
 * holds the row of the process (ADR 0216).
 */
import { type ProcessStateName, type TemplateBody } from '@cloudoc/contract'
import {
  actOn,
  type Entry,
  fail,
  ItemStatusBit,
  nodeOf,
  type ProcessState,
  type Task,
  type WorkflowAct,
  type WorkflowRefusal,
  waitingAt,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import { dropReminders } from '../../approvals/reminders/index.ts'
import type { ItemRow } from '../../core/access.ts'
import type { Tx } from '../../core/db/database.ts'
import { settleNotices } from '../../core/notices/index.ts'
import { enqueue } from '../../core/queue/rows.ts'
import { addProcessEntries, removeProcessEntries } from '../../drive/rights/index.ts'
import { itemEvent } from '../../drive/tree/index.ts'
import { bodyOf } from '../templates/index.ts'
import { loadWorld } from '../world.ts'
import { archiving } from './archive-kind.ts'
import { noticesOf } from './notices.ts'
import { type Acting, type ProcessRow, standInsOf } from './process-row.ts'
import { followStandIns } from './stand-ins.ts'

/** What an act changes besides the state. */
export interface Changes {
  readonly title?: string
  readonly form?: Readonly<Record<string, string>>
  readonly itemVersion?: number
  readonly archived?: readonly number[]
}

/** Reads a process and locks it against other acts. */
export async function lockProcess(tx: Tx, id: number): Promise<ProcessRow> {
  const { rows } = await sql<ProcessRow>`select * from process where id = ${id} for no key update`.execute(tx)
  return rows[0] ?? fail('notFound')
}

/** The template version of a process: of a draft the published one. */
export async function templateOf(tx: Tx, row: Pick<ProcessRow, 'template_id' | 'template_version'>) {
  if (row.template_version > 0)
    return { version: row.template_version, body: await bodyOrGone(tx, row.template_id, row.template_version) }
  const found = await tx
    .selectFrom('workflow_template')
    .select(['version', 'enabled', 'deleted_at'])
    .where('id', '=', row.template_id)
    .executeTakeFirst()
  if (found === undefined || !found.enabled || found.deleted_at !== null || found.version === 0)
    return fail('notFound', { zh: '流程模板已停用或删除', en: 'the template is disabled or deleted' })
  return { version: found.version, body: await bodyOrGone(tx, row.template_id, found.version) }
}

async function bodyOrGone(tx: Tx, id: number, version: number): Promise<TemplateBody> {
  return (await bodyOf(tx, id, version)) ?? fail('notFound')
}

/** Identifies what is passed: the version of the attachment and the values of the form. */
export const basisOf = (version: number, form: Readonly<Record<string, string>>): string =>
  JSON.stringify([version, Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1))])

/** Everybody whom a state names. */
export const peopleIn = (state: ProcessState): number[] => [
  ...state.tasks.flatMap(({ seats }) => seats.flatMap(({ line }) => line.map(({ account }) => account))),
  ...Object.values(state.chosen).flat(),
]

const peopleOf = (act: WorkflowAct): number[] => [
  ...('to' in act && typeof act.to === 'number' ? [act.to] : []),
  ...('to' in act && Array.isArray(act.to) ? (act.to as number[]) : []),
  ...('choose' in act ? Object.values(act.choose ?? {}).flat() : []),
  ...('account' in act ? [act.account] : []),
  ...('successor' in act && act.successor !== undefined ? [act.successor] : []),
]

function refuse(refusal: WorkflowRefusal, node: string): never {
  switch (refusal) {
    case 'changed':
      return fail('alreadyHandled', {
        zh: '流程已有新进展，请查看后再处理',
        en: 'the process has changed meanwhile: look at it again',
      })
    case 'notTheirs':
      return fail('noPermission', { zh: '现在不由你处理', en: 'it is not yours to handle now' })
    case 'chooseNext':
      return fail('badRequest', { zh: `请选择下一处理人：${node}`, en: `choose who handles “${node}” next` })
    case 'notPossible':
      return fail('badRequest', {
        zh: '该操作对这个节点或人员不可用',
        en: 'this cannot be done at this node, or with this person',
      })
  }
}

/** The state of a process in lists. */
function statusOf({ status, tasks }: ProcessState): ProcessStateName {
  if (status !== 'running') return status
  return tasks.length > 0 && tasks.every(({ mode }) => mode === 'rework') ? 'back' : 'running'
}

/** Applies an act to a locked process, with everything that follows from it. Returns the state after it. */
export async function perform(
  acting: Acting,
  row: ProcessRow,
  act: WorkflowAct,
  changes: Changes = {},
): Promise<ProcessState> {
  const { tx, now } = acting
  const template = await templateOf(tx, row)
  const form = changes.form ?? row.form
  const before = row.state
  const people = [...peopleIn(before), ...peopleOf(act)]
  const world = await loadWorld(tx, {
    ...{ template: template.body, launcherId: row.launcher_id, people, itemId: row.item_id, form, now },
  })
  // Somebody who has left may still be in the tables when they are replaced.
  const gone = act.act === 'gone' ? act.account : undefined
  const outcome = actOn(template.body, before, act, { ...world, able: (one) => one !== gone && world.able(one) })
  if ('refused' in outcome)
    return refuse(outcome.refused, nodeOf(template.body, outcome.node ?? '')?.name ?? outcome.node ?? '')
  const { state, course } = outcome
  // Nothing has happened, as when somebody left who was not asked.
  if (course.length === 0 && state.seq === before.seq && !isBarredAnew(before, state)) {
    await followStandIns(acting, row, nodeNameOf(template.body))
    return state
  }
  const after: ProcessRow = {
    ...row,
    form,
    title: changes.title ?? row.title,
    item_version: changes.itemVersion ?? row.item_version,
    archived: [...(changes.archived ?? row.archived)],
    template_version: template.version,
    state,
    status: statusOf(state),
    calendar: state.tasks.some(({ due }) => due !== null) ? world.calendar : null,
    people: [
      ...new Set([...row.people, ...[...state.tasks.flatMap(waitingAt), ...playersOf(course).keys()].map(String)]),
    ],
  }
  await store(acting, row, after, template.body)
  await writeCourse(tx, after, course, now)
  await writePlayers(tx, after, course, now)
  await markFile(acting, row, after, course)
  await settleActed(acting, after, course)
  const events = await noticesOf(acting, { before: row, after, body: template.body, course })
  for (const event of events) acting.event(event)
  await followStandIns(acting, after, nodeNameOf(template.body), events)
  for (const task of state.tasks)
    if (task.mode === 'archive' && !before.tasks.some(({ id }) => id === task.id))
      await enqueue({ tx, now }, archiving, { processId: row.id, taskId: task.id }, { retryFailed: true })
  return state
}

const nodeNameOf =
  (body: TemplateBody) =>
  (node: string): string =>
    nodeOf(body, node)?.name ?? ''

/** Whether others may no longer decide a second time than before. */
function isBarredAnew(before: ProcessState, after: ProcessState): boolean {
  const barred = ({ tasks }: ProcessState): string => tasks.map((task) => (task.barred ?? []).join()).join(';')
  return barred(before) !== barred(after)
}

/** What asked somebody to act is read once they have acted, unless the process waits for them again. */
async function settleActed(acting: Acting, { id, state }: ProcessRow, course: readonly Entry[]): Promise<void> {
  const waits = new Set(state.tasks.flatMap(waitingAt))
  const acted = new Set(course.flatMap(({ account, by }) => [account ?? 0, by ?? 0]))
  for (const one of acted) {
    if (one === 0 || waits.has(one)) continue
    await dropReminders(acting.tx, one, `process ${id}`)
    const events = await settleNotices(acting.tx, one, { group: 'workflow', key: String(id) }, acting.now)
    for (const event of events) acting.event(event)
  }
}

const hasEnded = (status: ProcessStateName): boolean => ['passed', 'failed', 'withdrawn'].includes(status)

async function store({ tx, now }: Acting, before: ProcessRow, after: ProcessRow, body: TemplateBody): Promise<void> {
  const { state } = after
  const dues = state.tasks.flatMap(({ due }) => due ?? [])
  const nodes = state.tasks.map(({ node }) => nodeOf(body, node)?.name ?? '')
  await sql`
    update process set template_version = ${after.template_version}, title = ${after.title},
      search_text = ${searchTextOf(after.title, after.item_name)}, form = ${JSON.stringify(after.form)},
      item_version = ${after.item_version}, status = ${after.status}, state = ${JSON.stringify(state)},
      node_names = ${[...new Set(nodes)].join('、')}, archiving = ${state.tasks.some(({ mode }) => mode === 'archive')},
      archived = ${JSON.stringify(after.archived)}, due_at = ${dues.length === 0 ? null : Math.min(...dues)}::bigint,
      calendar = ${after.calendar}, people = ${[...after.people]}::bigint[], launched_at = coalesce(launched_at, ${now}),
      ended_at = ${hasEnded(after.status) ? now : null}::bigint
    where id = ${before.id}`.execute(tx)
  await tx.deleteFrom('process_task').where('process_id', '=', before.id).execute()
  const rows = state.tasks.flatMap((task) => waitingAt(task).map((account) => taskRow(before.id, task, account)))
  if (rows.length > 0) await tx.insertInto('process_task').values(rows).execute()
}

const taskRow = (processId: number, task: Task, account: number) => ({
  ...{ process_id: processId, task_id: task.id, account_id: account, rev: task.rev, node: task.node },
  ...{ mode: task.mode, arrived_at: task.since, due_at: task.due, barred: [...(task.barred ?? [])] },
})

/** What a process is found by. */
export const searchTextOf = (title: string, fileName: string): string => `${title} ${fileName}`.toLowerCase()

async function writeCourse(tx: Tx, row: ProcessRow, course: readonly Entry[], now: number): Promise<void> {
  if (course.length === 0) return
  await tx
    .insertInto('process_entry')
    .values(
      course.map(({ what, node, account, by, to, comments, detail }) => ({
        ...{ process_id: row.id, at: now, what, node, account_id: account ?? null, by_id: by ?? null },
        ...{
          to_ids: JSON.stringify(to ?? []),
          comments: comments ?? '',
          detail: detail ?? '',
          version: row.item_version,
        },
      })),
    )
    .execute()
}

/** The acts by which somebody has had to do with a process. */
const handling = new Set<Entry['what']>([
  ...([
    'passed',
    'failed',
    'back',
    'handedOn',
    'added',
    'assigned',
    'replaced',
    'resubmitted',
    'folder',
    'retried',
  ] as const),
])

/** Whom an act has given something to do with a process. */
function playersOf(course: readonly Entry[]) {
  const players = new Map<number, { handled: boolean; copied: boolean }>()
  const note = (id: number | undefined, what: 'handled' | 'copied'): void => {
    if (id !== undefined) players.set(id, { ...(players.get(id) ?? { handled: false, copied: false }), [what]: true })
  }
  for (const { what, account, by, to } of course) {
    if (handling.has(what)) {
      note(account, 'handled')
      note(by, 'handled')
    }
    if (what === 'copied') for (const one of to ?? []) note(one, 'copied')
  }
  return players
}

async function writePlayers(tx: Tx, row: ProcessRow, course: readonly Entry[], now: number): Promise<void> {
  const ended = hasEnded(row.status) ? now : null
  const rows = [...playersOf(course)].map(([id, { handled, copied }]) => ({ id, handled, copied }))
  await sql`
    insert into process_player (process_id, account_id, handled, copied, status, arrived_at, ended_at)
    select ${row.id}, p.id, p.handled, p.copied, ${row.status}, ${now}, ${ended}::bigint
    from jsonb_to_recordset(${JSON.stringify(rows)}) as p (id bigint, handled boolean, copied boolean)
    on conflict (process_id, account_id) do update set handled = process_player.handled or excluded.handled,
      copied = process_player.copied or excluded.copied`.execute(tx)
  await sql`
    update process_player set status = ${row.status}, ended_at = ${ended}::bigint
    where process_id = ${row.id} and (status, coalesce(ended_at, 0)) is distinct from (${row.status}::text, ${ended ?? 0}::bigint)
    `.execute(tx)
}

const marks = {
  draft: ItemStatusBit.workflowUnsubmitted,
  running: 0,
  back: ItemStatusBit.rolledBack,
  passed: ItemStatusBit.approved,
  failed: ItemStatusBit.rejected,
  withdrawn: 0,
} as const satisfies Record<ProcessStateName, number>

const allMarks = Object.values(marks).reduce<number>((mask, bit) => mask | bit, 0)

/** Writes the state of a process on its file; a withdrawn process leaves nothing. Returns the row of the file. */
export async function markItem(
  { tx }: Pick<Acting, 'tx'>,
  processId: number,
  itemId: number,
  version: number,
  status: ProcessStateName | 'deleted',
): Promise<ItemRow | undefined> {
  const isOver = status === 'withdrawn' || status === 'deleted'
  const bits = status === 'deleted' ? 0 : marks[status]
  const { rows } = await sql<ItemRow>`
    update item set status = (status & ~${allMarks}::int) | ${bits}::int,
      process_id = ${isOver ? null : processId}::bigint, process_version = ${isOver ? null : version}::int
    where id = ${itemId} returning *`.execute(tx)
  return rows[0]
}

async function markFile(acting: Acting, before: ProcessRow, after: ProcessRow, course: readonly Entry[]) {
  const { item_id: itemId, id, status } = after
  if (itemId === null) return
  const name = acting.actor?.name ?? ''
  const readers = [
    ...after.state.tasks.flatMap((task) => waitingAt(task)),
    ...course.flatMap(({ what, to }) => (what === 'copied' ? (to ?? []) : [])),
  ].filter((one) => one !== after.launcher_id)
  const given = { processId: id, authorId: after.launcher_id }
  const levelBefore = hasEnded(status)
    ? await removeProcessEntries(acting, itemId, given)
    : readers.length === 0
      ? undefined
      : await addProcessEntries(acting, itemId, {
          ...given,
          accountIds: [...new Set([...readers, ...(await standInsOf(acting, readers))])],
        })
  const hasChanged = before.status !== status || before.item_version !== after.item_version
  if (!hasChanged && levelBefore === undefined) return
  const row = await markItem(acting, id, itemId, after.item_version, status)
  if (row === undefined) return
  if (hasChanged) acting.event(itemEvent(row, 'edit', name))
  if (levelBefore !== undefined) acting.event(itemEvent(row, 'rights', name, { before: levelBefore }))
}
