// Whether the server can be reached: by the push channel, and by the calls.
import { createStore, useStore } from 'zustand'

interface Connection {
  /** The push channel. `off` where the server does not use it. */
  readonly channel: 'off' | 'connecting' | 'online' | 'offline'
  /** Whether the last call reached the server. */
  readonly reached: boolean
}

/** The state of the connection. */
export const connectionStore = createStore<Connection>(() => ({ channel: 'off', reached: true }))

/** False when neither the channel nor the last call reached the server: nothing can be changed then. */
export function useOnline(): boolean {
  return useStore(connectionStore, ({ channel, reached }) => channel === 'online' || reached)
}
