// The state of one process, as the engine reads and returns it. It is stored as JSON with the process.

/** One passage through a fork. A join waits for the living tokens of the same round. */
export interface Frame {
  readonly fork: string
  readonly round: number
  readonly branch: string
}

/** A place at which the process stands. */
export interface Token {
  readonly id: number
  readonly node: string
  readonly frames: readonly Frame[]
}

/** Why somebody is asked. */
export type AskedBecause = 'rule' | 'handedOn' | 'added' | 'successor' | 'empty' | 'late' | 'chosen'

/** Somebody who is asked, and their answer. */
export interface Asked {
  readonly account: number
  readonly because: AskedBecause
  readonly answer?: 'passed' | 'failed'
  /** The stand-in who answered. */
  readonly by?: number
}

/** One opinion at a node: usually of one person, of several in a row when somebody was added before or after. */
export interface Seat {
  readonly line: readonly Asked[]
  /** The index of the one whose turn it is. */
  readonly at: number
  readonly result: 'waiting' | 'passed' | 'failed'
}

/**
 * What is asked: a decision; to correct and submit again, after it was sent back to the launcher; to choose handlers,
 * where the rule names nobody; to choose another archive folder. `archive` waits for the server.
 */
export type TaskMode = 'decide' | 'rework' | 'assign' | 'folder' | 'archive'

export interface Task {
  readonly id: number
  readonly token: number
  readonly node: string
  readonly mode: TaskMode
  readonly seats: readonly Seat[]
  readonly need: number
  /** Changes with whatever an act on the task depends on. */
  readonly rev: number
  readonly since: number
  /** When its deadline is over; null if it has none, or what then happens has happened. */
  readonly due: number | null
  /** Those who have decided here and do not decide again, because enough others can (votes.ts). */
  readonly barred?: readonly number[]
}

/** A node that has been decided, in order. */
export interface DoneNode {
  readonly seq: number
  readonly node: string
  readonly frames: readonly Frame[]
}

/** An opinion in favour: of what, at which task and where. States from before migration 0352 do not say where. */
export interface Pass {
  readonly seq: number
  readonly account: number
  readonly basis: string
  readonly task?: number
  readonly node?: string
  readonly frames?: readonly Frame[]
}

export type ProcessStatus = 'draft' | 'running' | 'passed' | 'failed' | 'withdrawn'

export interface ProcessState {
  /** The last number that was given to a token, a task, a round or a decision. */
  readonly seq: number
  readonly status: ProcessStatus
  readonly launcher: number
  readonly tokens: readonly Token[]
  readonly tasks: readonly Task[]
  readonly done: readonly DoneNode[]
  /** The handlers chosen for nodes. */
  readonly chosen: Readonly<Record<string, readonly number[]>>
  /** Who has passed what: version of the attachment and values of the form. */
  readonly passes: readonly Pass[]
  /** Identifies the version of the attachment and the values of the form. */
  readonly basis: string
  /** Where the archived files go, if the launcher has chosen a folder. */
  readonly folderId: number
}

export type EntryWhat =
  | 'launched'
  | 'passed'
  | 'failed'
  | 'back'
  | 'voided'
  | 'handedOn'
  | 'added'
  | 'withdrawn'
  | 'commented'
  | 'assigned'
  | 'resubmitted'
  | 'replaced'
  | 'asked'
  | 'copied'
  | 'branch'
  | 'earlier'
  | 'empty'
  | 'fewer'
  | 'left'
  | 'late'
  | 'due'
  | 'folder'
  | 'retried'
  | 'archived'
  | 'notArchived'
  | 'ended'

/** One line of the course. */
export interface Entry {
  readonly what: EntryWhat
  readonly node: string
  readonly account?: number
  /** The stand-in who acted for `account`. */
  readonly by?: number
  readonly to?: readonly number[]
  readonly comments?: string
  /** The node gone back to, the edge taken, the reason of a failure. */
  readonly detail?: string
}

/** The state of a process that is not yet launched. */
export function newProcess(launcher: number, basis: string): ProcessState {
  return {
    ...{ seq: 0, status: 'draft', launcher, tokens: [], tasks: [], done: [], chosen: {}, passes: [], basis },
    folderId: 0,
  }
}

/** Whose turn it is at a seat; undefined if it is decided. */
export const seatOrderOf = (seat: Seat): Asked | undefined =>
  seat.result === 'waiting' ? seat.line[seat.at] : undefined

/** Everybody whose turn it is at a task. */
export const waitingAt = (task: Task): readonly number[] =>
  task.seats.flatMap((seat) => {
    const asked = seatOrderOf(seat)
    return asked === undefined ? [] : [asked.account]
  })
