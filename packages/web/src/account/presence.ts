// Which users of the caller's departments are online ([R331], [R352]). Loaded when first shown, then updated by pushes.
import type { PushPayload } from '@cloudoc/contract'
import { createStore } from 'zustand/vanilla'
import { api } from '../core/call/api.ts'

/** Online accounts of the caller's own departments. Undefined until they are first loaded. */
export const onlineStore = createStore<{ readonly online: ReadonlySet<number> | undefined }>(() => ({
  online: undefined,
}))

/** Loads the online users from the server. */
export async function loadOnline(): Promise<void> {
  const { list } = await api.getOnlineUsers({}, { quiet: true })
  onlineStore.setState({ online: new Set(list.map(({ userId }) => userId)) })
}

/** Handles a push about a user's status: ONLINE adds the user, any other status removes the user. */
export function userOnline({ userId, status }: PushPayload<'userOnline'>): void {
  const { online } = onlineStore.getState()
  if (online === undefined) return
  const next = new Set(online)
  if (status === 'ONLINE') next.add(userId)
  else next.delete(userId)
  onlineStore.setState({ online: next })
}

/** Discards the online status because it may be out of date. Components that show it load it again. */
export function forgetOnline(): void {
  onlineStore.setState({ online: undefined })
}
