/*
 * Reactions: what a feature does when other features change something, without being called by them. A reaction runs
 * once per transaction, right before the commit, with all changes of the transaction. It works in the same transaction:
 * it may add rows and events, and it refuses the change by failing with a code. For the tree it receives only the roots
 * of what changed. What is below is evaluated on use, so that the cost of moving or deleting a folder does not grow
 * with its content.
 *
 * Kinds are processed in sequence (`order`), so that a reaction to users may change items and reactions to items
 * receive that. What a reaction changes of its own kind triggers no reaction.
 */
import type { Actor } from './actor.ts'
import type { Tx } from './db/database.ts'
import {
  type Change,
  type ChangeKind,
  type ChangeKinds,
  commitChanges,
  type ItemEvent,
  type NewEvent,
} from './events.ts'

/** The changes, with the call and the actor that made them. */
export interface ObservedChange<K extends ChangeKind> {
  readonly change: ChangeKinds[K]
  /** Undefined for changes by expiry, and at the first start. */
  readonly actor: Actor | undefined
  readonly now: number
  readonly call: string
  /** Records an event of the reaction. It is written in the same transaction. */
  readonly event: (event: NewEvent) => void
}

/** A reaction of a feature to one kind of change. */
export type Reaction = {
  [K in ChangeKind]: {
    readonly to: K
    readonly react: (tx: Tx, heard: readonly ObservedChange<K>[]) => Promise<void>
  }
}[ChangeKind]

const order: readonly ChangeKind[] = ['settings', 'group', 'role', 'person', 'item']

/** Ends a transaction: reactions run, then events and audit rows are written and the transaction commits. */
export interface Commit {
  /** Runs only the reactions. Fails with the code of a reaction that refuses. */
  react(tx: Tx, changes: readonly Change[]): Promise<void>
  /** Runs both steps. It is the last statement of its transaction and commits it. */
  (tx: Tx, changes: readonly Change[]): Promise<void>
}

/**
 * Combines the reactions of all features. They are requested at the first change, because features receive this
 * function before they are started.
 */
export function createCommit(reactions: () => readonly Reaction[]): Commit {
  let byKind: ReadonlyMap<ChangeKind, readonly Reaction[]> | undefined
  const react = async (tx: Tx, changes: readonly Change[]): Promise<void> => {
    byKind ??= Map.groupBy(reactions(), ({ to }) => to)
    for (const kind of order) {
      if (!byKind.has(kind)) continue
      const heard = changes.flatMap((change) => observedChanges(change, kind))
      if (heard.length === 0) continue
      for (const { react: hear } of byKind.get(kind) ?? [])
        await (hear as (tx: Tx, all: unknown) => Promise<void>)(tx, heard)
    }
  }
  const commit = async (tx: Tx, changes: readonly Change[]): Promise<void> => {
    await react(tx, changes)
    await commitChanges(tx, changes)
  }
  return Object.assign(commit, { react })
}

function observedChanges(change: Change, kind: ChangeKind): ObservedChange<ChangeKind>[] {
  const { actor, now, call, events } = change
  const told =
    kind === 'item'
      ? events.filter((event): event is ItemEvent => event.kind === 'item')
      : change.changed.filter((each) => each.kind === kind).map((each) => each.change)
  return told.map((each) => ({ change: each, actor, now, call, event: (event) => void events.push(event) }))
}
