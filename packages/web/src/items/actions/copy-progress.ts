// The toast of a long copy: its progress and a button to cancel it. This module is loaded on demand.
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { dismissToast, toast, toastStore } from '../../core/toast/toast.ts'

const askEveryMs = 1000
/** The same as the timeout of the copy call. */
const shownMs = 600_000

/**
 * Shows the progress of a copy until the returned function is called. `say` returns the text for a number of copied
 * items. `off` is called when the user cancels the copy.
 */
export function showCopyProgress(copyId: string, say: (copied: number) => string, off: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const shown = (): number | undefined => toastStore.getState().toasts.find(({ key }) => key === copyId)?.id
  const cancel = async (): Promise<void> => {
    isOver = true
    off()
    try {
      await api.cancelCopy({ copyId })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (!error.quiet) toast({ kind: 'error', text: error.message })
    }
  }
  const show = (copied: number): void =>
    toast({
      key: copyId,
      text: say(copied),
      durationMs: shownMs,
      action: { text: t('drive.cancel'), run: () => void cancel() },
    })
  const ask = async (): Promise<void> => {
    // A failed request for the progress is ignored: the next request follows.
    const known = await api.getCopyProgress({ copyId }, { quiet: true }).catch(() => undefined)
    if (isOver) return
    // A toast that the user dismissed is not shown again.
    if (known !== undefined && shown() !== undefined) show(known.copied)
    timer = setTimeout(() => void ask(), askEveryMs)
  }
  show(0)
  void ask()
  return () => {
    isOver = true
    clearTimeout(timer)
    const id = shown()
    if (id !== undefined) dismissToast(id)
  }
}
