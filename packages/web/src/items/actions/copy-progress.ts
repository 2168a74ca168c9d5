// A copy that takes long: how far it is, and the offer to call it off. Loaded when there is one.
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { dismissToast, toast, toastStore } from '../../core/toast/toast.ts'

const askEveryMs = 1000
/** As long as the call has. */
const shownMs = 600_000

/** Shows a copy until what it answers is called, by what `say` says of how far it is; `off` is told that somebody has called it off. */
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
    // A figure that does not come is followed by the next one.
    const known = await api.getCopyProgress({ copyId }, { quiet: true }).catch(() => undefined)
    if (isOver) return
    // Nor does it come back once it was put away.
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
