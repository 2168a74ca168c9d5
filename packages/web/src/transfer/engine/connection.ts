/*
 * The connection to the server for transfers. All transfers that lose it wait for one shared probe request. The probe
 * runs when the browser reports that the network is back, when the push channel or any call reaches the server, when
 * the page becomes visible, and at increasing intervals. Nothing is sent while the browser knows that it is offline.
 */
import { connectionStore } from '../../core/push/connection.ts'

export interface Connection {
  readonly isDown: () => boolean
  /** Reports that a request failed to reach the server. */
  readonly lost: () => void
  /** Resolves when there is a connection, at once if there is one. */
  readonly up: () => Promise<void>
  /** Probes now, regardless of the interval. */
  readonly look: () => void
  readonly close: () => void
}

interface ConnectionOptions {
  /** Returns whether the server answers. */
  readonly probe: () => Promise<boolean>
  readonly onChange: () => void
}

/** The probe interval in milliseconds: the first and the longest, doubled each time. */
const firstMs = 1000
const longestMs = 30_000

/** Monitors the connection to the server. */
export function watchConnection({ probe, onChange }: ConnectionOptions): Connection {
  let waiting: { readonly back: Promise<void>; readonly resolve: () => void } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking = false
  let delay = firstMs

  const look = (): void => {
    if (waiting === undefined || looking || !navigator.onLine) return
    clearTimeout(timer)
    looking = true
    void probe().then((isBack) => {
      looking = false
      if (isBack) found()
      else again()
    })
  }
  const again = (): void => {
    clearTimeout(timer)
    if (!navigator.onLine) return
    // Random jitter, so that the pages of a company do not all probe at the same moment.
    timer = setTimeout(look, delay * (0.75 + Math.random() / 2))
    delay = Math.min(delay * 2, longestMs)
  }
  const found = (): void => {
    const before = waiting
    waiting = undefined
    delay = firstMs
    clearTimeout(timer)
    connectionStore.setState({ reached: true })
    before?.resolve()
    onChange()
  }

  const onVisible = (): void => {
    if (document.visibilityState === 'visible') look()
  }
  window.addEventListener('online', look)
  document.addEventListener('visibilitychange', onVisible)
  const leave = connectionStore.subscribe((now, before) => {
    const isBack = (now.channel === 'online' && before.channel !== 'online') || (now.reached && !before.reached)
    if (isBack) look()
  })

  return {
    isDown: () => waiting !== undefined,
    lost() {
      if (waiting !== undefined) return
      let resolve = (): void => undefined
      const back = new Promise<void>((done) => {
        resolve = done
      })
      waiting = { back, resolve }
      connectionStore.setState({ reached: false })
      onChange()
      again()
    },
    up: async () => waiting?.back,
    look,
    close() {
      clearTimeout(timer)
      leave()
      window.removeEventListener('online', look)
      document.removeEventListener('visibilitychange', onVisible)
    },
  }
}
