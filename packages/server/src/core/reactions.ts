/*
 * What a feature does when others change something, instead of being called by them. A reaction hears of a transaction
 * once, right before it commits, with all that changed in it, and works in the same transaction: it may add rows and
 * events, and by failing with a code it refuses the change. Of the tree it hears of the roots of what changed: what lies
 * below is asked at use, so that moving or deleting a folder costs what it cost before, however much is in it.
 *
 * Kinds follow each other (`order`), so that what a reaction to people does to items is heard of by reactions to items.
 * What a reaction does to its own kind is heard of by nobody.
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

/** What changed, and by which call of whom. */
export interface ObservedChange<K extends ChangeKind> {
  readonly change: ChangeKinds[K]
  /** Undefined for what time has ended, and for the first start. */
  readonly actor: Actor | undefined
  readonly now: number
  readonly call: string
  /** Records what the reaction tells others; written in the same transaction. */
  readonly event: (event: NewEvent) => void
}

/** What a feature does about one kind of change. */
export type Reaction = {
  [K in ChangeKind]: {
    readonly to: K
    readonly react: (tx: Tx, heard: readonly ObservedChange<K>[]) => Promise<void>
  }
}[ChangeKind]

const order: readonly ChangeKind[] = ['settings', 'group', 'role', 'person', 'item']

/** Ends a transaction: reactions hear of its changes, then events and audit rows are written and it commits. */
export interface Commit {
  /** The first half; fails with the code of the reaction that refuses. */
  react(tx: Tx, changes: readonly Change[]): Promise<void>
  /** Both halves; the last of its transaction, which commits at once. */
  (tx: Tx, changes: readonly Change[]): Promise<void>
}

/** Joins the reactions of all features; they are asked for when something changes, as features are given this first. */
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
