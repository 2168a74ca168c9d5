// Whether the server can be reached, by the push channel and by calls.
import { createStore, useStore } from 'zustand'

interface Connection {
  /** The push channel. `off` if the server does not use it; `refused` if it did not accept the session (X46). */
  readonly channel: 'off' | 'connecting' | 'online' | 'offline' | 'refused'
  /** Whether the last call reached the server. */
  readonly reached: boolean
  /** The number of slow calls the user is waiting for. */
  readonly slow: number
  /** The number of the scheduled reachability check; 0 if none is scheduled. */
  readonly looks: number
  /** How often the channel was lost, reopened, and all missed pushes delivered. */
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

/** False if neither the channel nor the last call reached the server. Changes are then impossible. */
export function useOnline(): boolean {
  return useStore(connectionStore, ({ channel, reached }) => channel === 'online' || reached)
}

/** Checks whether the server is reachable. Needs no session. */
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
