// Who of one's department is there ([R331], [R352]): asked for when somebody looks, then brought on by pushes.
import type { PushPayload } from '@cloudoc/contract'
import { createStore } from 'zustand/vanilla'
import { api } from '../core/call/api.ts'

/** Accounts that are there, of one's own departments; undefined before anybody has looked. */
export const onlineStore = createStore<{ readonly online: ReadonlySet<number> | undefined }>(() => ({
  online: undefined,
}))

/** Asks the server who is there. */
export async function loadOnline(): Promise<void> {
  const { list } = await api.getOnlineUsers({}, { quiet: true })
  onlineStore.setState({ online: new Set(list.map(({ userId }) => userId)) })
}

/** Somebody has come or gone: ONLINE adds, anything else removes. */
export function userOnline({ userId, status }: PushPayload<'userOnline'>): void {
  const { online } = onlineStore.getState()
  if (online === undefined) return
  const next = new Set(online)
  if (status === 'ONLINE') next.add(userId)
  else next.delete(userId)
  onlineStore.setState({ online: next })
}

/** What was known may be wrong: whoever looks asks anew. */
export function forgetOnline(): void {
  onlineStore.setState({ online: undefined })
}
