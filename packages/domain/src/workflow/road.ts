// The road that a process would take if everybody passed: for the launch window, the simulation and what comes next.
import { actOn, type World } from './engine.ts'
import { newProcess, type ProcessState, waitingAt } from './state.ts'
import { type HandlerRule, nodeOf, type Template } from './template.ts'

/** One node on the road, with those who would be asked there. */
export interface RoadStep {
  readonly node: string
  readonly people: readonly number[]
  readonly need: number
  /** Whom the template lets choose the handlers; undefined if it names them. */
  readonly chosenBy?: 'launcher' | 'before'
  /** Those whom the template names here and who cannot act: leavers, frozen accounts. */
  readonly unable: readonly number[]
  /** Nobody whom the template names can act: `people` are those whom it declares for that. */
  readonly isInstead: boolean
  /** Nobody can be asked here: the launcher would have to choose. */
  readonly isStuck: boolean
}

/** Tasks after which a road is cut: a loop that no value ends. */
const mostTasks = 400

/** The launcher would be asked at each node whose handlers are chosen. */
const anybody: readonly number[] = [0]

/** A road: its nodes in the order in which they would be reached, and the edges that lead along it. */
export interface Road {
  readonly steps: readonly RoadStep[]
  readonly edges: readonly string[]
}

/** The road of a process that is to be launched, or what is ahead of one that runs. */
export function roadOf(template: Template, launcher: number, world: World, from?: ProcessState): Road {
  const steps: RoadStep[] = []
  const edges = new Set<string>()
  const chosen = (node: string): HandlerRule | undefined => {
    const one = nodeOf(template, node)
    return one?.type === 'task' ? one.handlers.find(({ by }) => by === 'chosen') : undefined
  }
  const unableAt = (node: string): readonly number[] => {
    const one = nodeOf(template, node)
    if (one === undefined || !('handlers' in one)) return []
    const named = one.handlers.flatMap((rule) => (rule.by === 'chosen' ? [] : world.people(rule)))
    return [...new Set(named)].filter((account) => !world.able(account))
  }
  // Chosen handlers are not known yet: a placeholder stands for them, who can always act.
  const open: World = { ...world, able: (account) => account === 0 || world.able(account) }
  const free: Template = { ...template, skipsSame: false }
  const choose = Object.fromEntries(
    template.nodes.filter(({ id }) => chosen(id) !== undefined).map(({ id }) => [id, from?.chosen[id] ?? anybody]),
  )
  let outcome =
    from === undefined
      ? actOn(free, newProcess(launcher, ''), { act: 'launch', choose }, open)
      : { state: { ...from, chosen: { ...choose, ...from.chosen } }, course: [], edges: [] }
  for (let n = 0; n < mostTasks && 'state' in outcome; n += 1) {
    const { state, course } = outcome
    for (const edge of outcome.edges) edges.add(edge)
    for (const { what, node, to } of course) {
      if (what === 'copied')
        steps.push({ node, people: to ?? [], need: 0, unable: unableAt(node), isInstead: false, isStuck: false })
      if (what !== 'asked') continue
      const task = state.tasks.findLast((one) => one.node === node)
      const rule = chosen(node)
      steps.push({
        node,
        people: (to ?? []).filter((one) => one !== 0),
        need: task?.need ?? 0,
        ...(rule?.by === 'chosen' && { chosenBy: rule.from }),
        unable: unableAt(node),
        isInstead: task?.mode === 'decide' && course.some((one) => one.what === 'empty' && one.node === node),
        isStuck: task?.mode === 'assign',
      })
    }
    const [task] = state.tasks
    if (task === undefined) break
    const [account] = waitingAt(task)
    const { id, rev } = task
    outcome =
      task.mode === 'archive'
        ? actOn(free, state, { act: 'archived', task: id }, open)
        : account === undefined || task.mode !== 'decide'
          ? skip(free, state, id, open)
          : actOn(free, state, { act: 'pass', task: id, rev, account }, open)
  }
  return { steps, edges: [...edges] }
}

/** Goes on behind a node at which nobody can be asked. */
function skip(template: Template, state: ProcessState, id: number, world: World): ReturnType<typeof actOn> {
  const task = state.tasks.find((one) => one.id === id)
  const seat = task?.seats[0]?.line[0]
  if (task === undefined || seat === undefined) return { refused: 'notPossible' }
  const decided: ProcessState = {
    ...state,
    tasks: state.tasks.map((one) => (one.id === id ? { ...one, mode: 'decide', need: 1 } : one)),
  }
  const lenient: Template = { ...template, launcherDecides: true }
  return actOn(lenient, decided, { act: 'pass', task: id, rev: task.rev, account: seat.account }, world)
}
