// Whether what stands on the screen may still be looked at: the right may go in the middle of reading ([R166], X42).
import { useEffect, useEffectEvent } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { connectionStore } from '../../core/push/connection.ts'
import { accessEndedCodes, onAccessDoubt } from '../offline/offline-copies.ts'

/** Pages that were told of one change ask one after another. */
const spreadMs = 1000
/** What nothing is told of, such as the end of a time, is found by asking now and then; without a channel, more often. */
const [askEveryMs, untoldEveryMs] = [20_000, 2000]

/** Hears when the server shows what is shown no longer to who looks at it. */
export function useAccessCheck(
  shown: { readonly fId: number; readonly previewKey: string } | undefined,
  onEnded: (error: CallError) => void,
): void {
  const ended = useEffectEvent(onEnded)
  const { fId, previewKey } = shown ?? {}
  useEffect(() => {
    if (previewKey === undefined) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const isTold = (): boolean => connectionStore.getState().channel === 'online'
    const askIn = (ms: number): void => {
      clearTimeout(timer)
      timer = isOver ? undefined : setTimeout(() => void ask(), ms)
    }
    const ask = async (): Promise<void> => {
      try {
        // A page that nobody sees asks when it is seen.
        if (!document.hidden) await api.getPreviewStatus({ previewKey }, { quiet: true, probe: true })
      } catch (error) {
        if (!isOver && error instanceof CallError && accessEndedCodes.includes(error.code)) return ended(error)
      }
      askIn(isTold() ? askEveryMs : untoldEveryMs)
    }
    const seen = (): void => {
      if (!document.hidden) void ask()
    }
    askIn(isTold() ? askEveryMs : untoldEveryMs)
    document.addEventListener('visibilitychange', seen)
    const stop = onAccessDoubt((fileId) => {
      if (fileId === undefined || fileId === fId) askIn(Math.random() * spreadMs)
    })
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
      document.removeEventListener('visibilitychange', seen)
    }
  }, [fId, previewKey])
}
