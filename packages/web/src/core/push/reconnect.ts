/*
 * Keeps the push channel open. The JSON channel is never redialled by a timer. An event opens it (X25): the network
 * returns, the page becomes visible, the session is renewed, the user clicks 重新连接, or the server is reachable again.
 * Any successful call detects the last case; without calls a reachability check does. Checks use the delays of the old
 * channel: 10 to 30 s, doubling, ten times ([R307]). If only the old channel exists, it is dialled at those times
 * instead. After ten checks, the next key or click of the user restarts them. A hidden page does not check.
 */
import { limits } from '@cloudoc/domain'
import { connectionStore } from './connection.ts'
import type { Channel } from './push-client.ts'

/** Milliseconds to the next check, with jitter so that not all pages check at the same time. */
function distance(looks: number): number {
  const { reconnectFirstMs, reconnectLongestMs } = limits
  return Math.min(reconnectFirstMs * 2 ** looks * (1 + Math.random() / 2), reconnectLongestMs)
}

/** Opens the channel whenever there is a reason. Returns the function that stops this. */
export function keepOpen(channel: Channel, look: () => Promise<boolean>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let looks = 0
  let looking = false
  let stopped = false

  const rest = (): void => {
    clearTimeout(timer)
    timer = undefined
    connectionStore.setState({ looks: 0 })
  }
  const wait = (): void => {
    rest()
    if (looks === limits.reconnectLooks) return
    timer = setTimeout(() => void lookNow(), distance(looks))
    looks += 1
    connectionStore.setState({ looks })
  }
  const lookNow = async (): Promise<void> => {
    if (connectionStore.getState().channel === 'offline' && navigator.onLine && channel.redial()) return
    // When the network returns or the page becomes visible, that event opens the channel.
    if (looking || !navigator.onLine || document.visibilityState !== 'visible') return
    looking = true
    const reached = await look()
    looking = false
    if (stopped || connectionStore.getState().channel !== 'offline') return
    connectionStore.setState({ reached })
    if (reached) channel.open()
    else wait()
  }

  const leave = connectionStore.subscribe((now, before) => {
    if (now.channel !== before.channel) {
      if (now.channel === 'offline') wait()
      else if (now.channel !== 'connecting') {
        looks = 0
        rest()
      }
    }
    if (now.reached && !before.reached && now.channel === 'offline') channel.open()
  })
  const onVisible = (): void => {
    if (document.visibilityState === 'visible' && connectionStore.getState().channel !== 'refused') channel.open()
  }
  // The socket would take long to notice that the network is gone.
  const onOffline = (): void => {
    channel.close()
    rest()
    connectionStore.setState({ reached: false })
  }
  const onHand = (): void => {
    if (connectionStore.getState().channel !== 'offline' || timer !== undefined || looks < limits.reconnectLooks) return
    looks = 0
    void lookNow()
  }
  window.addEventListener('online', channel.open)
  window.addEventListener('offline', onOffline)
  document.addEventListener('visibilitychange', onVisible)
  window.addEventListener('keydown', onHand)
  window.addEventListener('pointerdown', onHand)
  return () => {
    stopped = true
    leave()
    rest()
    window.removeEventListener('online', channel.open)
    window.removeEventListener('offline', onOffline)
    document.removeEventListener('visibilitychange', onVisible)
    window.removeEventListener('keydown', onHand)
    window.removeEventListener('pointerdown', onHand)
  }
}
