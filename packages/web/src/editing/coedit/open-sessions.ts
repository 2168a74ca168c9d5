// The open co-editing sessions of this page; push messages of the server are delivered to them.
import type { PushPayload } from '@cloudoc/contract'
import { connectionStore } from '../../core/push/connection.ts'
import type { CoeditSession } from './coedit-session.ts'

type OpenSession = Pick<CoeditSession, 'told' | 'tryNow' | 'store'>

const sessions = new Map<number, Set<OpenSession>>()

/** Registers a session for push messages; returns a function that unregisters it. */
export function sessionOpened(fileId: number, here: OpenSession): () => void {
  const all = sessions.get(fileId) ?? new Set()
  sessions.set(fileId, all.add(here))
  // The connection is back: unsent changes are sent first.
  const unsubscribe = connectionStore.subscribe((now, before) => {
    const isBack = (now.reached && !before.reached) || (now.channel === 'online' && before.channel !== 'online')
    if (isBack) void here.tryNow()
  })
  const online = (): void => void here.tryNow()
  window.addEventListener('online', online)
  return () => {
    unsubscribe()
    window.removeEventListener('online', online)
    all.delete(here)
    if (all.size === 0) sessions.delete(fileId)
  }
}

export function onCoeditChanged(news: PushPayload<'togetherChanged'>): void {
  for (const here of sessions.get(news.fileId) ?? []) here.told(news)
}
