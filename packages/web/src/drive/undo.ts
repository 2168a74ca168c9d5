// The last acts that can be taken back, newest last: the toast's button and Ctrl+Z share it.
import { toast } from '../core/dialogs.ts'
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

/** Says that something is done and offers to take it back. */
export function remember(done: Done): void {
  stack.push(done)
  if (stack.length > most) stack.shift()
  if (done.quiet) return
  toast({
    kind: 'success',
    text: done.text,
    durationMs: offerMs,
    action: { text: t('drive.undo'), run: () => void takeBack(done) },
  })
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
  try {
    await done.undo()
    toast({ kind: 'info', text: t('drive.undone', { what: done.text }) })
  } catch {
    toast({ kind: 'error', text: t('drive.undoFailed', { what: done.text }) })
  }
}
