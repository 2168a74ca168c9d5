// The last acts that can be taken back, newest last: the toast's button and Ctrl+Z share it.
import { dismissToast, type ToastProps, toast, toastStore } from '../core/dialogs.ts'
import { t } from '../core/i18n.ts'

interface Done {
  readonly text: string
  readonly undo: () => Promise<void>
  /** No toast: what happened is plain to see. */
  readonly quiet?: boolean
}

/** Acts that are remembered. */
const most = 20
/** Milliseconds that the offer to undo stays. */
const offerMs = 8000
const stack: Done[] = []
const offers = new WeakMap<Done, NonNullable<ToastProps['action']>>()

/** Says that something is done and offers to take it back. */
export function remember(done: Done): void {
  stack.push(done)
  if (stack.length > most) stack.shift()
  if (done.quiet) return
  const action = { text: t('drive.undo'), run: () => void takeBack(done) }
  offers.set(done, action)
  toast({ kind: 'success', text: done.text, durationMs: offerMs, action })
}

/** Takes the last act back; false when there is none. */
export function undoLast(): boolean {
  const last = stack.at(-1)
  if (last === undefined) return false
  void takeBack(last)
  return true
}

async function takeBack(done: Done): Promise<void> {
  const at = stack.indexOf(done)
  if (at < 0) return
  stack.splice(at, 1)
  // What is taken back by key is not offered any more.
  const offer = toastStore.getState().toasts.find(({ action }) => action !== undefined && action === offers.get(done))
  if (offer !== undefined) dismissToast(offer.id)
  try {
    await done.undo()
    toast({ kind: 'info', text: t('drive.undone', { what: done.text }) })
  } catch {
    toast({ kind: 'error', text: t('drive.undoFailed', { what: done.text }) })
  }
}
