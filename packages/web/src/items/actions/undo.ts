// The undo stack: the last operations that can be undone or redone, newest last. The button of the toast, Ctrl+Z and
// Ctrl+Shift+Z share it.

import { t } from '../../core/i18n/i18n.ts'
import { dismissToast, type ToastProps, toast, toastStore } from '../../core/toast/toast.ts'
import type { ItemRef } from '../item/item.ts'
import { itemsToSelectStore } from '../lists/items-to-select.ts'

/** The outcome of an undo or redo. Undefined if nothing was done, which a dialog has already reported. */
export type Outcome = { readonly text: string; readonly items: readonly ItemRef[] } | undefined

/** A completed operation. Undo and redo are ordinary calls, which may be refused. */
export interface UndoableAct {
  readonly text: string
  readonly undo: () => Promise<Outcome>
  readonly redo: () => Promise<Outcome>
  /** Shows no toast, because the result is visible. */
  readonly quiet?: boolean
  /** A second action that the toast offers in addition to undo. */
  readonly also?: NonNullable<ToastProps['action']>
}

/** Maximum number of operations on the undo stack. */
const most = 20
/** Milliseconds for which the toast with the undo button is shown. */
const offerMs = 8000
const done: UndoableAct[] = []
const undone: UndoableAct[] = []
const offers = new WeakMap<UndoableAct, NonNullable<ToastProps['action']>>()
/** The operations run one at a time: the next key press waits for the calls of the previous one. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Registers an operation that is still running. Its changes may be visible before the server answers, so an undo in the
 * meantime refers to this operation, not to the previous one.
 */
export function trackInFlight<T>(act: Promise<T>): Promise<T> {
  last = Promise.allSettled([last, act])
  return act
}

/** Reports that an operation is done and offers to undo it. */
export function offerUndo(act: UndoableAct): void {
  undone.length = 0
  keep(done, act)
  if (act.quiet) return
  const action = { text: t('drive.undo'), run: () => queue(() => takeBack(act)) }
  offers.set(act, action)
  toast({ kind: 'success', text: act.text, durationMs: offerMs, action, ...(act.also && { also: act.also }) })
}

/** Undoes the last operation. */
export function undoLast(): void {
  queue(async () => {
    const act = done.at(-1)
    if (act === undefined) toast({ kind: 'info', text: t('drive.nothingToUndo') })
    else await takeBack(act)
  })
}

/** Redoes the operation that was undone last. */
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

/** Reports the outcome and reveals the resulting items. */
function notifyOutcome(outcome: Outcome): void {
  if (outcome === undefined) return
  toast({ kind: 'success', text: outcome.text })
  if (outcome.items.length > 0) itemsToSelectStore.setState({ items: outcome.items })
}

async function takeBack(act: UndoableAct): Promise<void> {
  const at = done.indexOf(act)
  if (at < 0) return
  done.splice(at, 1)
  // An operation that was undone by key loses its undo button.
  const offer = toastStore.getState().toasts.find(({ action }) => action !== undefined && action === offers.get(act))
  if (offer !== undefined) dismissToast(offer.id)
  try {
    notifyOutcome(await act.undo())
    keep(undone, act)
  } catch {
    toast({ kind: 'error', text: t('drive.undoFailed', { what: act.text }) })
  }
}
