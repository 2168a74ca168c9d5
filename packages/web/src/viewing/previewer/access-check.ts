// Watches whether the user may still view the shown content: the permission can be revoked while reading ([R166], X42).
import { useEffect, useEffectEvent } from 'react'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { connectionStore } from '../../core/push/connection.ts'
import { accessEndedCodes, onAccessDoubt } from '../offline/offline-copies.ts'

/** Spreads the requests of pages that are notified of the same change. */
const spreadMs = 1000
/** Changes without a push message, such as an expiry time, are found by polling; more often without a push channel. */
const [askEveryMs, untoldEveryMs] = [20_000, 2000]

/** Calls `onEnded` when the user may no longer view the content. */
export function useAccessCheck(
  shown: { readonly serverId: number; readonly fId: number; readonly previewKey: string } | undefined,
  onEnded: (error: CallError) => void,
): void {
  const ended = useEffectEvent(onEnded)
  const { serverId = mainServer.serverId, fId, previewKey } = shown ?? {}
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
        // A hidden page asks when it becomes visible.
        if (!document.hidden) await api.of({ serverId }).getPreviewStatus({ previewKey }, { quiet: true, probe: true })
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
  }, [serverId, fId, previewKey])
}
