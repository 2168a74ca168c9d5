// Whether the server can be reached: by the push channel, and by the calls.
import { createStore, useStore } from 'zustand'

interface Connection {
  /** The push channel. `off` where the server does not use it; `refused` when it did not accept the session (X46). */
  readonly channel: 'off' | 'connecting' | 'online' | 'offline' | 'refused'
  /** Whether the last call reached the server. */
  readonly reached: boolean
  /** How many calls somebody has waited for longer than a moment. */
  readonly slow: number
  /** Which look at the server is waited for; 0 where none is. */
  readonly looks: number
  /** How often the channel was lost, opened again and told everything that was missed. */
  readonly caughtUp: number
}

/** The state of the connection. */
export const connectionStore = createStore<Connection>(() => ({
  channel: 'off',
  reached: true,
  slow: 0,
  looks: 0,
  caughtUp: 0,
}))

/** False when neither the channel nor the last call reached the server: nothing can be changed then. */
export function useOnline(): boolean {
  return useStore(connectionStore, ({ channel, reached }) => channel === 'online' || reached)
}

/** Asks the server whether it is there; it needs no session for that. */
export async function reachServer(): Promise<boolean> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), 10_000)
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: abort.signal })).ok
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
