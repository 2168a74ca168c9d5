// The last acts that can be taken back or done again, newest last: the toast's button, Ctrl+Z and Ctrl+Shift+Z share them.

import { t } from '../../core/i18n/i18n.ts'
import { dismissToast, type ToastProps, toast, toastStore } from '../../core/toast/toast.ts'
import type { ItemRef } from '../item/item.ts'
import { itemsToSelectStore } from '../lists/items-to-select.ts'

/** What taking back or doing again has come to; undefined where nothing was, which a window has told then. */
export type Outcome = { readonly text: string; readonly items: readonly ItemRef[] } | undefined

/** An act that was done; undoing and redoing are ordinary calls, which may be refused. */
export interface UndoableAct {
  readonly text: string
  readonly undo: () => Promise<Outcome>
  readonly redo: () => Promise<Outcome>
  /** No toast: what happened is plain to see. */
  readonly quiet?: boolean
  /** What the toast offers beside undoing it. */
  readonly also?: NonNullable<ToastProps['action']>
}

/** Acts that are remembered. */
const most = 20
/** Milliseconds that the offer to undo stays. */
const offerMs = 8000
const done: UndoableAct[] = []
const undone: UndoableAct[] = []
const offers = new WeakMap<UndoableAct, NonNullable<ToastProps['action']>>()
/** One act at a time: the next key waits for the calls of the one before. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Says that an act is on its way. What it changes may be seen before the server has answered: who takes it back then means
 * this one, not the one before.
 */
export function trackInFlight<T>(act: Promise<T>): Promise<T> {
  last = Promise.allSettled([last, act])
  return act
}

/** Says that something is done and offers to take it back. */
export function offerUndo(act: UndoableAct): void {
  undone.length = 0
  keep(done, act)
  if (act.quiet) return
  const action = { text: t('drive.undo'), run: () => queue(() => takeBack(act)) }
  offers.set(act, action)
  toast({ kind: 'success', text: act.text, durationMs: offerMs, action, ...(act.also && { also: act.also }) })
}

/** Takes the last act back. */
export function undoLast(): void {
  queue(async () => {
    const act = done.at(-1)
    if (act === undefined) toast({ kind: 'info', text: t('drive.nothingToUndo') })
    else await takeBack(act)
  })
}

/** Does again what was taken back last. */
export function redoLast(): void {
  queue(async () => {
    const act = undone.pop()
    if (act === undefined) return toast({ kind: 'info', text: t('drive.nothingToRedo') })
    try {
      notifyOutcome(await act.redo())
      keep(done, act)
    } catch {
      toast({ kind: 'error', text: t('drive.redoFailed', { what: act.text }) })
    }
  })
}

function queue(act: () => Promise<unknown>): void {
  last = last.then(act)
}

function keep(acts: UndoableAct[], act: UndoableAct): void {
  acts.push(act)
  if (acts.length > most) acts.shift()
}

/** Says the one thing that has happened, and shows the items that it left. */
function notifyOutcome(outcome: Outcome): void {
  if (outcome === undefined) return
  toast({ kind: 'success', text: outcome.text })
  if (outcome.items.length > 0) itemsToSelectStore.setState({ items: outcome.items })
}

async function takeBack(act: UndoableAct): Promise<void> {
  const at = done.indexOf(act)
  if (at < 0) return
  done.splice(at, 1)
  // What is taken back by key is not offered any more.
  const offer = toastStore.getState().toasts.find(({ action }) => action !== undefined && action === offers.get(act))
  if (offer !== undefined) dismissToast(offer.id)
  try {
    notifyOutcome(await act.undo())
    keep(undone, act)
  } catch {
    toast({ kind: 'error', text: t('drive.undoFailed', { what: act.text }) })
  }
}
