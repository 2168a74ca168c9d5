// The pushes 20 and 21 of an act: to those whom the process waits for now, to those whom it no longer waits for, to the
// launcher, and to those who get a copy ([R267], X12, X52).
import { type TemplateBody } from '@cloudoc/contract'
import { type Entry, nodeOf, type Task, ProcessStateCode as WireState, waitingAt } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import { type NewEvent, personal } from '../../core/events.ts'
import { type Acting, type ProcessRow, standInsOf } from './process-row.ts'

interface Done {
  readonly before: ProcessRow
  readonly after: ProcessRow
  readonly body: TemplateBody
  readonly course: readonly Entry[]
}

type Wire = (typeof WireState)[keyof typeof WireState]

export async function launcherNameOf(tx: Tx, id: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from account where id = ${id}`.execute(tx)
  return rows[0]?.name ?? ''
}

/** The pushes that tell what an act has changed. */
export async function noticesOf(acting: Acting, { before, after, body, course }: Done): Promise<NewEvent[]> {
  const { now } = acting
  const launcherName = await launcherNameOf(acting.tx, after.launcher_id)
  const common = { serverId: 0, processId: after.id, processName: after.title, launcherName, createTime: now }
  const nameOf = (node: string): string => nodeOf(body, node)?.name ?? ''
  const events: NewEvent[] = []
  const me = acting.actor?.accountId
  const tell = (
    people: readonly number[],
    processState: Wire,
    nodeName: string,
    more: { comment?: string; nodeState?: number; isMine?: true; copied?: true; handled?: true; moved?: true } = {},
  ): void => {
    const to = [...new Set(people)].filter((one) => one !== me)
    const { comment = '', nodeState = processState, ...flags } = more
    if (to.length > 0)
      events.push(personal('processPlayer', to, { ...common, processState, nodeState, nodeName, comment, ...flags }))
  }
  const waited = waitingBy(before.state.tasks)
  const waits = waitingBy(after.state.tasks)
  const mine = after.launcher_id
  const needed = new Set<Task['mode']>(['rework', 'assign', 'folder'])
  for (const task of after.state.tasks) {
    // The launcher is told by push 21 of what only they can do; administrators who do it instead, by push 20.
    const fresh = waitingAt(task).filter(
      (one) => !waited.get(one)?.includes(task.id) && !(needed.has(task.mode) && one === mine),
    )
    if (fresh.length === 0) continue
    const told = [...fresh, ...(await standInsOf(acting, fresh))]
    tell(told, WireState.pending, nameOf(task.node), { comment: lastComment(course) })
  }
  for (const [task, people] of await freed(acting, before.state.tasks, after.state.tasks))
    tell(people, WireState.pending, nameOf(task.node))
  const idle = [...waited.keys()].filter((one) => !waits.has(one) && one !== mine)
  const acted = new Set(course.flatMap(({ account, by }) => [account, by]))
  const left = idle.filter((one) => !acted.has(one))
  if (after.status === 'withdrawn') tell(left, WireState.withdrawn, '')
  else tell(left, WireState.nodePassed, '', { handled: true })
  for (const { what, node, to, detail, comments = '' } of course) {
    if (what === 'due') tell(to ?? [], WireState.pending, nameOf(node), { moved: true })
    if (what === 'copied') tell(to ?? [], WireState.nodePassed, nameOf(node), { copied: true })
    const mode = after.state.tasks.some((task) => task.mode === 'rework')
    if (what === 'back' && !mode)
      tell([mine], WireState.back, nameOf(detail ?? ''), { isMine: true, comment: comments })
    if (what === 'passed' && after.status === 'running')
      tell([mine], WireState.nodePassed, nameOf(node), { isMine: true, comment: comments })
    if (what === 'ended' && detail === 'passed') tell([mine], WireState.passed, nameOf(node), { isMine: true })
    if (what === 'ended' && detail === 'failed') {
      const failed = course.find((one) => one.what === 'failed')
      tell([mine], WireState.failed, nameOf(failed?.node ?? ''), { isMine: true, comment: failed?.comments ?? '' })
    }
  }
  return [...events, ...launcherNotices(common, { before, after, body, course })]
}

/** Push 21: something is the launcher's to do, is done, or a handler of theirs has left. */
function launcherNotices(
  common: { serverId: number; processId: number; processName: string; launcherName: string; createTime: number },
  { before, after, course }: Done,
): NewEvent[] {
  const { launcher_id: launcherId } = after
  const needOf = ({ tasks }: ProcessRow['state']) =>
    tasks.find(
      (task): task is Task & { mode: 'rework' | 'assign' | 'folder' } =>
        task.mode !== 'decide' && task.mode !== 'archive' && waitingAt(task).includes(launcherId),
    )
  const [was, is] = [needOf(before.state), needOf(after.state)]
  const hasLeft = course.some(({ what }) => what === 'left')
  const need = is !== undefined && is.id !== was?.id ? is.mode : hasLeft ? ('left' as const) : undefined
  const told = { ...common, launcherId }
  if (need !== undefined) return [personal('processLauncher', [launcherId], { ...told, nodeState: 0, need })]
  if (was === undefined || is !== undefined) return []
  return [personal('processLauncher', [launcherId], { ...told, nodeState: 1, need: was.mode })]
}

/** Those who have decided at a task, and whom it needs once more, for somebody who is away. */
async function freed(acting: Acting, before: readonly Task[], after: readonly Task[]): Promise<[Task, number[]][]> {
  const found: [Task, number[]][] = []
  for (const task of after) {
    const was = before.find(({ id }) => id === task.id)?.barred ?? []
    const free = was.filter((one) => task.barred?.includes(one) !== true)
    if (free.length === 0) continue
    const standIns = await standInsOf(acting, waitingAt(task))
    found.push([task, free.filter((one) => standIns.includes(one))])
  }
  return found
}

/** The open tasks by the people whom they wait for. */
function waitingBy(tasks: readonly Task[]): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const task of tasks) for (const one of waitingAt(task)) found.set(one, [...(found.get(one) ?? []), task.id])
  return found
}

const lastComment = (course: readonly Entry[]): string =>
  course.find(({ what }) => ['passed', 'back', 'handedOn', 'added', 'resubmitted'].includes(what))?.comments ?? ''
