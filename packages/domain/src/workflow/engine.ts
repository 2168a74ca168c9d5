/*
 * The engine of workflows: a state and an act give the next state and the lines of the course. It is pure: people and
 * facts are in `World`. A process has somebody who can act as long as it runs, and ends once. Invariants and their
 * tests: engine.test.ts; parallel branches and going back: ADR 0214.
 */
import { type ConditionFacts, holds } from './conditions.ts'
import type { Asked, AskedBecause, DoneNode, Entry, Frame, ProcessState, Seat, Task, TaskMode, Token } from './state.ts'
import { seatOrderOf, waitingAt } from './state.ts'
import {
  type Deadline,
  type EmptyRule,
  edgesFrom,
  type FormValues,
  type HandlerRule,
  nodeOf,
  type TaskNode,
  type Template,
  type TemplateNode,
} from './template.ts'
import { barredAt } from './votes.ts'

/** What the engine knows of people and values at the moment of an act. */
export interface World {
  readonly now: number
  /** The people whom a rule names now, with or without those who cannot act. Not asked for chosen handlers. */
  people(rule: HandlerRule): readonly number[]
  /** Whether somebody can act: not frozen, not gone, allowed to see the attachment. */
  able(account: number): boolean
  superior(account: number): number | undefined
  /** Those who act for somebody who is away now; nobody, if they are not. */
  standIns(account: number): readonly number[]
  /** The moment so many working days after another. */
  afterWorkdays(from: number, count: number): number
  /** Those who answer when nobody else does; at least one of them is able. */
  readonly administrators: readonly number[]
  readonly form: FormValues
  readonly facts: ConditionFacts
}

interface Deciding {
  readonly task: number
  readonly rev: number
  /** For whom it is decided; the caller, or whom the caller stands in for. */
  readonly account: number
  /** The caller, if they are a stand-in. */
  readonly by?: number
  readonly comments?: string
}

/** Handlers chosen for nodes that come next. */
type Choice = Readonly<Record<string, readonly number[]>>

export type Act =
  | { readonly act: 'launch'; readonly choose: Choice; readonly folderId?: number; readonly comments?: string }
  | (Deciding & { readonly act: 'pass'; readonly choose?: Choice })
  | (Deciding & { readonly act: 'fail' })
  | (Deciding & { readonly act: 'back'; readonly to: string })
  | (Deciding & { readonly act: 'handOn'; readonly to: number })
  | (Deciding & { readonly act: 'add'; readonly to: number; readonly place: 'before' | 'after' })
  | (Deciding & { readonly act: 'assign'; readonly to: readonly number[] })
  | (Deciding & { readonly act: 'resubmit'; readonly basis: string; readonly choose?: Choice })
  | (Deciding & { readonly act: 'replace'; readonly basis: string })
  /** Archives again, in the same folder or in another one. */
  | (Deciding & { readonly act: 'folder'; readonly folderId?: number })
  | { readonly act: 'withdraw'; readonly account: number; readonly rev: number; readonly comments?: string }
  | { readonly act: 'comment'; readonly account: number; readonly by?: number; readonly comments: string }
  /** Somebody left or cannot act any more. */
  | { readonly act: 'gone'; readonly account: number; readonly successor?: number }
  /** Looks again whether everybody who is waited for can act. */
  | { readonly act: 'revive' }
  | { readonly act: 'deadline'; readonly task: number }
  /** The company's calendar has changed: deadlines in working days are computed again. */
  | { readonly act: 'calendar' }
  | { readonly act: 'archived'; readonly task: number; readonly detail?: string }
  | { readonly act: 'notArchived'; readonly task: number; readonly detail: string }

/** Why an act is refused: the state has changed, it is not theirs to do, a handler must be chosen, it makes no sense. */
export type Refusal = 'changed' | 'notTheirs' | 'chooseNext' | 'notPossible'

export type Outcome =
  | {
      readonly state: ProcessState
      readonly course: readonly Entry[]
      /** The edges that were taken. */
      readonly edges: readonly string[]
    }
  | { readonly refused: Refusal; readonly node?: string }

/** Nodes that one act may run through; more are a loop in which nobody is asked. */
const mostSteps = 1000
/** The people in one seat. */
const mostInLine = 20

class Refused extends Error {
  readonly refusal: Refusal
  readonly node: string | undefined
  constructor(refusal: Refusal, node?: string) {
    super(refusal)
    this.refusal = refusal
    this.node = node
  }
}

const refuse = (refusal: Refusal, node?: string): never => {
  throw new Refused(refusal, node)
}

/** Applies an act. A refused act changes nothing. */
export function actOn(template: Template, before: ProcessState, act: Act, world: World): Outcome {
  const run = new Run(template, before, world)
  try {
    run.apply(act)
    run.settle()
    run.bar()
    return { state: run.result(), course: run.course, edges: run.edges }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { refused: error.refusal, ...(error.node !== undefined && { node: error.node }) }
  }
}

const startsWith = (frames: readonly Frame[], prefix: readonly Frame[]): boolean =>
  prefix.every((frame, n) => frames[n]?.round === frame.round && frames[n]?.branch === frame.branch)

/** One act at work: the parts of the state that change while it runs. */
class Run {
  readonly course: Entry[] = []
  readonly edges: string[] = []
  private seq: number
  private status: ProcessState['status']
  private tokens: Token[]
  private tasks: Task[]
  private done: DoneNode[]
  private chosen: Record<string, readonly number[]>
  private passes: ProcessState['passes']
  private basis: string
  private folderId: number
  private steps = 0
  /** The act is a person's who can be asked for handlers that the template lets them choose. */
  private mayAsk = false
  private readonly template: Template
  private readonly before: ProcessState
  private readonly world: World

  constructor(template: Template, before: ProcessState, world: World) {
    this.template = template
    this.before = before
    this.world = world
    this.seq = before.seq
    this.status = before.status
    this.tokens = [...before.tokens]
    this.tasks = [...before.tasks]
    this.done = [...before.done]
    this.chosen = { ...before.chosen }
    this.passes = before.passes
    this.basis = before.basis
    this.folderId = before.folderId
  }

  result(): ProcessState {
    return {
      seq: this.seq,
      status: this.status,
      launcher: this.before.launcher,
      tokens: this.tokens,
      tasks: this.tasks,
      done: this.done,
      chosen: this.chosen,
      passes: this.passes,
      basis: this.basis,
      folderId: this.folderId,
    }
  }

  apply(act: Act): void {
    if (act.act === 'launch') return this.launch(act)
    // A comment may be added when the process has ended.
    if (act.act === 'comment') {
      if (this.status === 'draft') refuse('notPossible')
      return this.say({ what: 'commented', node: '', ...said(act) })
    }
    if (this.status !== 'running') refuse('changed')
    switch (act.act) {
      case 'withdraw':
        if (act.account !== this.before.launcher) refuse('notTheirs')
        if (act.rev !== this.before.seq) refuse('changed')
        this.say({ what: 'withdrawn', node: '', account: act.account, ...(act.comments && { comments: act.comments }) })
        return this.end('withdrawn')
      case 'gone':
        return this.replaceEverywhere(act.account, act.successor)
      case 'revive':
        return undefined
      case 'calendar':
        return this.followCalendar()
      case 'deadline':
        return this.passDeadline(act.task)
      case 'archived':
      case 'notArchived':
        return this.afterArchive(act)
      default:
        return this.decide(act)
    }
  }

  private say(entry: Entry): void {
    this.course.push(entry)
  }

  private next(): number {
    this.seq += 1
    return this.seq
  }

  private launch(act: Extract<Act, { act: 'launch' }>): void {
    if (this.status !== 'draft') refuse('changed')
    this.choose(act.choose)
    this.mayAsk = true
    this.folderId = act.folderId ?? 0
    this.status = 'running'
    const { launcher } = this.before
    this.say({ what: 'launched', node: this.start().id, account: launcher, ...comments(act) })
    this.done.push({ seq: this.next(), node: this.start().id, frames: [] })
    this.leave({ id: this.next(), node: this.start().id, frames: [] })
  }

  private start(): TemplateNode {
    return this.template.nodes.find(({ type }) => type === 'start') ?? refuse('notPossible')
  }

  private choose(choice: Choice | undefined): void {
    for (const [node, accounts] of Object.entries(choice ?? {})) {
      const asked = nodeOf(this.template, node)
      if (asked?.type !== 'task' || !asked.handlers.some(({ by }) => by === 'chosen')) refuse('notPossible', node)
      const able = [...new Set(accounts)].filter((one) => this.mayDecide(one))
      if (able.length < new Set(accounts).size) refuse('notPossible', node)
      this.chosen[node] = able
    }
  }

  private mayDecide(account: number): boolean {
    return this.world.able(account) && (this.template.launcherDecides || account !== this.before.launcher)
  }

  // Moving through the graph

  /** Takes the token out of its node, along the edge that applies. */
  private leave(token: Token): void {
    const node = nodeOf(this.template, token.node)
    const exits = edgesFrom(this.template, token.node)
    if (node?.type === 'fork') {
      const round = this.next()
      // In a loop: what its branches decided the last time is not gone back to, which would skip what is before it.
      this.done = this.done.filter(({ frames }) => frames[token.frames.length]?.fork !== node.id)
      // All branches exist before the first one moves, so a join cannot take the first for the only one.
      const branches = exits.map((edge) => ({
        edge,
        token: { id: this.next(), node: token.node, frames: [...token.frames, frameOf(node.id, round, edge.id)] },
      }))
      this.tokens = [...this.tokens.filter(({ id }) => id !== token.id), ...branches.map((one) => one.token)]
      for (const { edge, token: branch } of branches) {
        this.edges.push(edge.id)
        this.enter({ ...branch, node: edge.to })
      }
      return
    }
    const edge = node?.type === 'condition' ? this.edgeOf(node.id) : exits[0]
    if (edge === undefined) return this.finish(token)
    this.edges.push(edge.id)
    this.enter({ ...token, node: edge.to })
  }

  private edgeOf(id: string) {
    const exits = edgesFrom(this.template, id)
    const { form, facts } = this.world
    const taken =
      exits.find(({ otherwise, when }) => !otherwise && when.every((one) => holds(one, form, facts))) ??
      exits.find(({ otherwise }) => otherwise)
    if (taken !== undefined) this.say({ what: 'branch', node: id, detail: taken.id })
    return taken
  }

  private put(token: Token): void {
    this.tokens = [...this.tokens.filter(({ id }) => id !== token.id), token]
  }

  private enter(token: Token): void {
    this.steps += 1
    this.put(token)
    const node = nodeOf(this.template, token.node)
    // Beyond that it is a loop in which nobody is asked: the launcher is.
    if (this.steps > mostSteps) return this.ask(token, 'assign', this.launcherOrAdministrators(), 1)
    switch (node?.type) {
      case undefined:
      case 'end':
        return this.finish(token)
      case 'task':
        return this.openTask(token, node)
      case 'archive':
        return this.ask(token, 'archive', [], 0)
      case 'join':
        this.joinAt(node.id)
        return
      case 'cc': {
        const to = [...new Set(node.handlers.flatMap((rule) => this.named(rule, node.id)))].filter((one) =>
          this.world.able(one),
        )
        this.say({ what: 'copied', node: node.id, to })
        return this.leave(token)
      }
      default:
        return this.leave(token)
    }
  }

  /**
   * Lets the tokens at a join go on as one, as soon as no token of their round can still come. As long as others of the
   * round are elsewhere, the one that goes on still belongs to it: they meet at a later join.
   */
  private joinAt(join: string, regardless = false): boolean {
    for (const token of this.tokens.filter(({ node }) => node === join)) {
      const frame = token.frames.at(-1)
      if (frame === undefined) {
        this.leave(token)
        return true
      }
      const { round } = frame
      const sameRound = this.tokens.filter(({ frames }) => frames.some((one) => one.round === round))
      const here = sameRound.filter(({ node, frames }) => node === join && frames.at(-1)?.round === round)
      const elsewhere = sameRound.filter((one) => !here.includes(one))
      if (!regardless && elsewhere.some((one) => this.canReach(one.node, join))) continue
      this.tokens = this.tokens.filter((one) => !here.includes(one))
      const frames = elsewhere.length === 0 ? token.frames.slice(0, -1) : token.frames
      this.leave({ id: this.next(), node: join, frames })
      return true
    }
    return false
  }

  private canReach(from: string, to: string): boolean {
    const seen = new Set<string>()
    const waiting = [from]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      for (const edge of edgesFrom(this.template, id)) {
        if (edge.to === to) return true
        if (!seen.has(edge.to)) waiting.push(edge.to)
        seen.add(edge.to)
      }
    }
    return false
  }

  /** A token that has reached an end. The process has passed when no other is left. */
  private finish(token: Token): void {
    this.tokens = this.tokens.filter(({ id }) => id !== token.id)
    if (this.tokens.length === 0) this.end('passed')
    else this.settleJoins()
  }

  /** Whatever has stopped at a join and need not wait any more goes on. */
  private settleJoins(regardless = false): boolean {
    const joins = new Set(
      this.tokens.map(({ node }) => node).filter((id) => nodeOf(this.template, id)?.type === 'join'),
    )
    return [...joins].some((join) => this.joinAt(join, regardless))
  }

  private end(status: 'passed' | 'failed' | 'withdrawn'): void {
    this.status = status
    this.tokens = []
    this.tasks = []
    this.say({ what: 'ended', node: '', detail: status })
  }

  // Asking people

  private named(rule: HandlerRule, node: string): readonly number[] {
    return rule.by === 'chosen' ? (this.chosen[node] ?? []) : this.world.people(rule)
  }

  private launcherOrAdministrators(): readonly number[] {
    const { launcher } = this.before
    if (this.world.able(launcher)) return [launcher]
    return this.world.administrators.filter((one) => this.world.able(one)).slice(0, 10)
  }

  private openTask(token: Token, node: TaskNode): void {
    const named = [...new Set(node.handlers.flatMap((rule) => this.named(rule, node.id)))]
    const choosing = node.handlers.some((rule) => rule.by === 'chosen')
    if (this.mayAsk && choosing && this.chosen[node.id] === undefined) refuse('chooseNext', node.id)
    const who = named.filter((one) => this.mayDecide(one))
    if (who.length > 0) return this.openDecision(token, node, who, choosing ? 'chosen' : 'rule')
    const instead = this.instead(node.empty, this.before.launcher, [])
    this.say({ what: 'empty', node: node.id, to: instead, detail: node.empty.to })
    if (instead.length > 0) return this.openDecision(token, node, instead, 'empty')
    this.ask(token, 'assign', this.launcherOrAdministrators(), 1)
  }

  /** Whom the template names for a node that has no handlers. */
  private instead(empty: EmptyRule, from: number, known: readonly number[]): readonly number[] {
    const fits = (one: number): boolean => this.mayDecide(one) && !known.includes(one)
    if (empty.to === 'people') return [...new Set(empty.ids)].filter(fits)
    if (empty.to === 'launcher') return []
    const seen = new Set([from])
    for (let one = this.world.superior(from); one !== undefined && !seen.has(one); one = this.world.superior(one)) {
      if (fits(one)) return [one]
      seen.add(one)
    }
    return []
  }

  private openDecision(token: Token, node: TaskNode, who: readonly number[], because: AskedBecause): void {
    const { of, count } = node.need
    const wanted = of === 'one' ? 1 : of === 'all' ? who.length : Math.max(1, count)
    const need = Math.min(wanted, who.length)
    if (need < wanted) this.say({ what: 'fewer', node: node.id, detail: `${need}/${wanted}` })
    this.ask(token, 'decide', who, need, because, node.deadline)
    if (!this.template.skipsSame || this.steps > mostSteps / 2) return
    // Whoever has passed the same version and values is not asked again.
    const id = this.seq
    const same = new Set(this.passes.filter(({ basis }) => basis === this.basis).map(({ account }) => account))
    const again = who.filter((one) => same.has(one))
    if (again.length === 0) return
    this.say({ what: 'earlier', node: node.id, to: again })
    for (const account of again) this.answer(id, account, 'passed')
    this.settleTask(id)
  }

  private ask(
    token: Token,
    mode: TaskMode,
    who: readonly number[],
    need: number,
    because: AskedBecause = 'rule',
    deadline: Deadline | null = null,
  ): void {
    const id = this.next()
    const seats = who.map((account): Seat => ({ line: [{ account, because }], at: 0, result: 'waiting' }))
    const { now } = this.world
    const due = this.dueOf(deadline, now)
    const task: Task = { id, token: token.id, node: token.node, mode, seats, need, rev: id, since: now, due }
    this.tasks = [...this.tasks, task]
    this.say({ what: 'asked', node: token.node, to: [...who], detail: mode })
  }

  private taskOf(id: number): Task {
    return this.tasks.find((one) => one.id === id) ?? refuse('changed')
  }

  /** Replaces a task; acts that were made on what it was before are refused from now on. */
  private update(task: Task): void {
    const rev = this.next()
    this.tasks = this.tasks.map((one) => (one.id === task.id ? { ...task, rev } : one))
  }

  private close(task: Task): Token {
    this.tasks = this.tasks.filter(({ id }) => id !== task.id)
    return this.tokens.find(({ id }) => id === task.token) ?? refuse('changed')
  }

  // Decisions

  private decide(act: Extract<Act, Deciding>): void {
    const task = this.taskOf(act.task)
    if (task.rev !== act.rev) refuse('changed')
    const at = task.seats.findIndex((seat) => seatOrderOf(seat)?.account === act.account)
    const seat = task.seats[at] ?? refuse('notTheirs')
    if (task.barred?.includes(act.by ?? act.account) === true) refuse('notTheirs')
    const modes: Readonly<Record<typeof act.act, readonly TaskMode[]>> = {
      pass: ['decide'],
      fail: ['decide'],
      back: ['decide'],
      handOn: ['decide', 'assign'],
      add: ['decide'],
      assign: ['assign'],
      resubmit: ['rework'],
      replace: ['decide', 'rework'],
      folder: ['folder'],
    }
    if (!modes[act.act].includes(task.mode)) refuse('notPossible')
    if (task.mode === 'decide' && act.account === this.before.launcher && !this.template.launcherDecides)
      refuse('notTheirs')
    switch (act.act) {
      case 'pass':
        this.choose(act.choose)
        this.mayAsk = true
        this.say({ what: 'passed', node: task.node, ...said(act) })
        this.answer(task.id, act.account, 'passed', act.by)
        return this.settleTask(task.id)
      case 'fail':
        this.say({ what: 'failed', node: task.node, ...said(act) })
        this.answer(task.id, act.account, 'failed', act.by)
        return this.settleTask(task.id)
      case 'back':
        return this.back(task, act)
      case 'handOn':
        this.checkNew(task, act.to)
        this.say({ what: 'handedOn', node: task.node, to: [act.to], ...said(act) })
        return this.update(withSeat(task, at, replaceTurn(seat, { account: act.to, because: 'handedOn' })))
      case 'add':
        this.checkNew(task, act.to)
        if (seat.line.length >= mostInLine) refuse('notPossible')
        this.say({ what: 'added', node: task.node, to: [act.to], detail: act.place, ...said(act) })
        return this.update(withSeat(task, at, addToLine(seat, act.to, act.place)))
      case 'replace':
        return this.replaceFile(task, act)
      default:
        return this.launcherActs(task, act)
    }
  }

  private launcherActs(task: Task, act: Extract<Act, { act: 'assign' | 'resubmit' | 'folder' }>): void {
    if (act.act === 'assign') {
      const who = [...new Set(act.to)]
      if (who.length === 0 || who.some((one) => !this.mayDecide(one))) refuse('notPossible', task.node)
      const node = nodeOf(this.template, task.node)
      if (node?.type !== 'task') return this.moveOn(task)
      this.say({ what: 'assigned', node: task.node, to: who, ...said(act) })
      return this.openDecision(this.close(task), node, who, 'chosen')
    }
    if (act.act === 'folder') {
      const { folderId } = act
      this.folderId = folderId ?? this.folderId
      if (folderId === undefined) this.say({ what: 'retried', node: task.node, ...said(act) })
      else this.say({ what: 'folder', node: task.node, detail: String(folderId), ...said(act) })
      return this.ask(this.close(task), 'archive', [], 0)
    }
    this.choose(act.choose)
    this.mayAsk = true
    this.basis = act.basis
    this.say({ what: 'resubmitted', node: task.node, ...said(act) })
    this.done.push({ seq: this.next(), node: task.node, frames: [] })
    this.leave(this.close(task))
  }

  private moveOn(task: Task): void {
    this.leave(this.close(task))
  }

  private checkNew(task: Task, account: number): void {
    const known = task.seats.some(({ line }) => line.some((one) => one.account === account))
    if (known || (task.mode === 'decide' ? !this.mayDecide(account) : !this.world.able(account))) refuse('notPossible')
  }

  /** Writes an answer down, and lets the next of the line answer. */
  private answer(id: number, account: number, answer: 'passed' | 'failed', by?: number): void {
    const task = this.taskOf(id)
    const at = task.seats.findIndex((seat) => seatOrderOf(seat)?.account === account)
    const seat = task.seats[at]
    if (seat === undefined) return
    const line = seat.line.map((one, n) => (n === seat.at ? { ...one, answer, ...(by !== undefined && { by }) } : one))
    const next = seat.at + 1
    const result = answer === 'failed' ? 'failed' : next === line.length ? 'passed' : 'waiting'
    if (answer === 'passed') {
      const frames = this.tokens.find((one) => one.id === task.token)?.frames ?? []
      const { node } = task
      this.passes = [...this.passes, { seq: this.next(), account, basis: this.basis, task: id, node, frames }]
    }
    this.update(withSeat(task, at, { line, at: next, result }))
  }

  /** Ends a task as soon as its result cannot change any more. */
  private settleTask(id: number): void {
    const task = this.tasks.find((one) => one.id === id)
    if (task?.mode !== 'decide') return
    const node = nodeOf(this.template, task.node)
    const count = (result: Seat['result']): number => task.seats.filter((seat) => seat.result === result).length
    const ends = node?.type === 'task' && node.refusal === 'ends'
    if ((ends && count('failed') > 0) || count('passed') + count('waiting') < task.need) return this.end('failed')
    if (count('passed') < task.need) return
    const token = this.close(task)
    // Counted from when it was asked: what was passed at it is void too, once it is gone back to.
    this.done.push({ seq: task.id, node: task.node, frames: token.frames })
    this.leave(token)
  }

  // Going back

  private back(task: Task, act: Extract<Act, { act: 'back' }>): void {
    const target = this.done.findLast(({ node }) => node === act.to) ?? refuse('notPossible', act.to)
    const own = this.tokens.find(({ id }) => id === task.token) ?? refuse('changed')
    this.say({ what: 'back', node: task.node, detail: target.node, ...said(act) })
    const { line, frames: entered, isAcross, isVoid } = wayBack(own.frames, target)
    this.done = this.done.filter((one) => !isVoid(one))
    this.passes = this.passes.filter((one) => !isVoid(one))
    const gone = this.tokens.filter(({ frames }) => startsWith(frames, line))
    for (const { id } of gone) {
      for (const open of this.tasks.filter(({ token }) => token === id)) {
        if (open.id !== task.id) this.say({ what: 'voided', node: open.node, to: [...waitingAt(open)] })
        this.tasks = this.tasks.filter((one) => one !== open)
      }
    }
    this.tokens = this.tokens.filter((one) => !gone.includes(one))
    // A branch that was entered again from behind its join is a round of its own: nothing else is waited for.
    const isLive = (frame: Frame): boolean =>
      own.frames.some(({ round }) => round === frame.round) ||
      this.tokens.some(({ frames }) => frames.some(({ round }) => round === frame.round))
    const frames = entered.map((frame) => (isLive(frame) ? frame : { ...frame, round: this.next() }))
    // Across branches the own one stays where it is, but what was said there is asked anew.
    if (isAcross) this.askAgain(task)
    this.enterAgain({ id: this.next(), node: target.node, frames })
  }

  private enterAgain(token: Token): void {
    if (nodeOf(this.template, token.node)?.type !== 'start') return this.enter(token)
    this.put(token)
    this.ask(token, 'rework', this.launcherOrAdministrators(), 1)
  }

  /** Voids the answers at an open task. */
  private askAgain(task: Task): void {
    const seats = task.seats.map(
      ({ line }): Seat => ({
        line: line.map(({ account, because }) => ({ account, because })),
        at: 0,
        result: 'waiting',
      }),
    )
    if (task.seats.some(({ at }) => at > 0)) this.say({ what: 'voided', node: task.node, to: [] })
    this.update({ ...task, seats })
  }

  /** The attachment or the form has changed: what was passed at open nodes was passed of something else. */
  private replaceFile(task: Task, act: Extract<Act, { act: 'replace' }>): void {
    const node = nodeOf(this.template, task.node)
    if (node?.type === 'task' && !node.mayReplace) refuse('notPossible')
    this.basis = act.basis
    this.say({ what: 'replaced', node: task.node, ...said(act) })
    for (const open of this.tasks) {
      if (open.mode === 'decide') this.askAgain(open)
      else this.update(open)
    }
  }

  // What happens without a decision

  private afterArchive(act: Extract<Act, { act: 'archived' | 'notArchived' }>): void {
    const task = this.taskOf(act.task)
    if (task.mode !== 'archive') refuse('changed')
    const { detail } = act
    this.say({ what: act.act, node: task.node, ...(detail !== undefined && { detail }) })
    if (act.act === 'archived') return this.moveOn(task)
    this.ask(this.close(task), 'folder', this.launcherOrAdministrators(), 1)
  }

  private dueOf(deadline: Deadline | null, since: number): number | null {
    if (deadline === null) return null
    const { hours, workdays } = deadline
    return workdays === undefined ? since + hours * 3_600_000 : this.world.afterWorkdays(since, workdays)
  }

  /** Moves deadlines in working days to where the calendar puts them now. Acts on these tasks stay valid. */
  private followCalendar(): void {
    for (const task of this.tasks) {
      const node = nodeOf(this.template, task.node)
      if (node?.type !== 'task' || node.deadline?.workdays === undefined || task.due === null) continue
      const due = this.dueOf(node.deadline, task.since)
      if (due === task.due) continue
      this.tasks = this.tasks.map((one) => (one.id === task.id ? { ...one, due } : one))
      this.say({ what: 'due', node: task.node, to: [...waitingAt(task)] })
    }
  }

  private passDeadline(id: number): void {
    const task = this.taskOf(id)
    const node = nodeOf(this.template, task.node)
    if (node?.type !== 'task' || node.deadline === null || task.due === null) return refuse('changed')
    const { action, to } = node.deadline
    this.say({ what: 'late', node: task.node, to: [...waitingAt(task)], detail: action })
    this.update({ ...task, due: null })
    if (action === 'remind') return
    for (const account of waitingAt(task)) {
      const now = this.taskOf(id)
      const known = now.seats.flatMap(({ line }) => line.map((one) => one.account))
      const [instead] = this.instead(
        action === 'passOn' ? { to: 'people', ids: to } : { to: 'superior' },
        account,
        known,
      )
      if (instead !== undefined) this.replaceIn(now, account, { account: instead, because: 'late' })
    }
  }

  private replaceEverywhere(account: number, successor: number | undefined): void {
    for (const task of this.tasks) this.replaceAt(task, account, successor)
    if (successor === undefined) return
    for (const [node, who] of Object.entries(this.chosen))
      if (who.includes(account)) this.chosen[node] = [...new Set(who.map((one) => (one === account ? successor : one)))]
  }

  /** Somebody cannot act: their successor does, or whom the template names, or the launcher chooses. */
  private replaceAt(task: Task, account: number, successor: number | undefined): void {
    const isAsked = task.seats.some((seat) => pending(seat).some((one) => one.account === account))
    if (!isAsked) return
    const known = task.seats.flatMap(({ line }) => line.map((one) => one.account))
    const fits = (one: number): boolean =>
      !known.includes(one) && (task.mode === 'decide' ? this.mayDecide(one) : this.world.able(one))
    const node = nodeOf(this.template, task.node)
    const empty: EmptyRule = node?.type === 'task' ? node.empty : { to: 'launcher' }
    const instead =
      successor !== undefined && fits(successor)
        ? successor
        : task.mode === 'decide'
          ? this.instead(empty, account, known)[0]
          : this.launcherOrAdministrators().find(fits)
    const to = instead === undefined ? [] : [instead]
    this.say({ what: 'left', node: task.node, account, to })
    if (instead !== undefined) return this.replaceIn(task, account, { account: instead, because: 'successor' })
    this.removeFrom(task, account)
  }

  private replaceIn(task: Task, account: number, asked: Asked): void {
    const seats = task.seats.map((seat): Seat => {
      if (seat.result !== 'waiting') return seat
      return { ...seat, line: seat.line.map((one, n) => (n >= seat.at && one.account === account ? asked : one)) }
    })
    this.update({ ...task, seats })
  }

  private removeFrom(task: Task, account: number): void {
    const seats = task.seats.flatMap((seat): Seat[] => {
      if (seat.result !== 'waiting') return [seat]
      const line = seat.line.filter((one, n) => n < seat.at || one.account !== account)
      if (line.length === seat.line.length) return [seat]
      // Nobody of the line is left: there is no such opinion any more.
      if (line.length === seat.at) return []
      return [{ ...seat, line }]
    })
    const open = seats.filter(({ result }) => result !== 'failed').length
    if (open === 0 || !seats.some(({ result }) => result === 'waiting')) {
      // An opinion that is missing is never taken for a pass.
      if (open > 0 && seats.filter(({ result }) => result === 'passed').length >= task.need) {
        this.update({ ...task, seats })
        return this.settleTask(task.id)
      }
      this.ask(this.close(task), task.mode === 'decide' ? 'assign' : task.mode, this.launcherOrAdministrators(), 1)
      return
    }
    const need = Math.min(task.need, open)
    if (need < task.need) this.say({ what: 'fewer', node: task.node, detail: `${need}/${task.need}` })
    this.update({ ...task, seats, need })
  }

  /** Replaces everybody whose turn it is and who cannot act, as long as the process runs. */
  settle(): void {
    this.mayAsk = false
    for (let n = 0; n < mostSteps && this.status === 'running'; n += 1) {
      if (this.settleJoins()) continue
      // Nobody is asked and nothing can come: joins that wait for each other go on.
      if (this.tasks.length === 0 && this.settleJoins(true)) continue
      const [task, account] = this.firstUnable()
      if (task === undefined || account === undefined) return
      this.replaceAt(task, account, undefined)
    }
  }

  /** Names those at each task who have decided there and do not decide again. Acts on these tasks stay valid. */
  bar(): void {
    const standIns = (account: number) => this.world.standIns(account).filter((one) => this.mayDecide(one))
    this.tasks = this.tasks.map(({ barred: _, ...task }) => {
      const barred = barredAt(task, standIns)
      return barred.length === 0 ? task : { ...task, barred }
    })
  }

  private firstUnable(): [Task, number] | [] {
    for (const task of this.tasks) {
      const unable = waitingAt(task).find((one) =>
        task.mode === 'decide' ? !this.mayDecide(one) : !this.world.able(one),
      )
      if (unable !== undefined) return [task, unable]
    }
    return []
  }
}

/** A decision, and where it was given. Those of a process that has run for long do not say where. */
interface Given {
  readonly seq: number
  readonly frames?: readonly Frame[]
}

const isSameBranch = (one: Frame | undefined, other: Frame | undefined): boolean =>
  one?.fork === other?.fork && one?.branch === other?.branch

/** Where two places part: the index of the first frame that only one of them is in. */
const partingOf = (one: readonly Frame[], other: readonly Frame[]): number => {
  const at = one.findIndex((frame, n) => !isSameBranch(frame, other[n]))
  return at < 0 ? one.length : at
}

/** Whether two places are in different branches of one fork. Rounds do not matter: they are what is gone back on. */
function isAcrossBranches(one: readonly Frame[], other: readonly Frame[]): boolean {
  const at = partingOf(one, other)
  return one[at] !== undefined && one[at].fork === other[at]?.fork
}

/**
 * What going back from one place to a decided node does: the line whose tokens go, the frames of the one that comes, and
 * which decisions are void: those after the target in its branch and behind it. Other branches keep theirs.
 */
function wayBack(own: readonly Frame[], target: DoneNode) {
  const common = partingOf(own, target.frames)
  const isAcross = isAcrossBranches(own, target.frames)
  // Up to where they part, the target is entered in the round in which the process is now.
  const rounds = own.slice(0, isAcross ? common + 1 : common)
  const frames = target.frames.map((frame, n) => ({ ...frame, round: rounds[n]?.round ?? frame.round }))
  const isVoid = ({ seq, frames: at }: Given): boolean =>
    seq >= target.seq && (at === undefined || !isAcrossBranches(at, target.frames))
  return { line: frames.slice(0, rounds.length), frames, isAcross, isVoid }
}

/** The opinions that would be void if a process was sent back from a task to a node. */
export function voidedBy({ done, tasks, tokens, passes }: ProcessState, taskId: number, node: string) {
  const target = done.findLast((one) => one.node === node)
  const own = tokens.find(({ id }) => id === tasks.find((one) => one.id === taskId)?.token)
  if (target === undefined || own === undefined) return []
  const { isAcross, isVoid } = wayBack(own.frames, target)
  return passes.filter((one) => isVoid(one) || (isAcross && one.task === taskId))
}

const frameOf = (fork: string, round: number, branch: string): Frame => ({ fork, round, branch })

const comments = (act: { readonly comments?: string | undefined }) =>
  act.comments === undefined || act.comments === '' ? {} : { comments: act.comments }

const said = (act: {
  readonly account: number
  readonly by?: number | undefined
  readonly comments?: string | undefined
}) => ({
  account: act.account,
  ...(act.by !== undefined && { by: act.by }),
  ...comments(act),
})

/** Those of a line who have not answered. */
const pending = (seat: Seat): readonly Asked[] => (seat.result === 'waiting' ? seat.line.slice(seat.at) : [])

const withSeat = (task: Task, at: number, seat: Seat): Task => ({
  ...task,
  seats: task.seats.map((one, n) => (n === at ? seat : one)),
})

const replaceTurn = (seat: Seat, asked: Asked): Seat => ({
  ...seat,
  line: seat.line.map((one, n) => (n === seat.at ? asked : one)),
})

function addToLine(seat: Seat, account: number, place: 'before' | 'after'): Seat {
  const at = place === 'before' ? seat.at : seat.at + 1
  return { ...seat, line: [...seat.line.slice(0, at), { account, because: 'added' }, ...seat.line.slice(at)] }
}
