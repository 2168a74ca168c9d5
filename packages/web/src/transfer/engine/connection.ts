/*
 * The way to the server, as transfers see it. Whoever loses it waits here with all the others; one request looks whether
 * the server is back: when the browser says that the network is, when the push channel or any call reached the server,
 * when the page is looked at again, and in growing distances between. While the browser knows that it is offline nothing
 * is sent.
 */
import { connectionStore } from '../../core/push/connection.ts'

export interface Connection {
  readonly isDown: () => boolean
  /** A request did not get through. */
  readonly lost: () => void
  /** Resolves when there is a way; at once where there is. */
  readonly up: () => Promise<void>
  /** Looks now, whatever the next look was waiting for. */
  readonly look: () => void
  readonly close: () => void
}

interface ConnectionOptions {
  /** Whether the server answers. */
  readonly probe: () => Promise<boolean>
  readonly onChange: () => void
}

/** Milliseconds from one look to the next: from the first to the longest, each twice the one before. */
const firstMs = 1000
const longestMs = 30_000

/** Watches the way to the server. */
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
    // Not all pages of a company at the same moment.
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
