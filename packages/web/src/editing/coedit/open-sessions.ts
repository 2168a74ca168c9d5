// The documents that are written together on this page: what the server tells of them reaches each.
import type { PushPayload } from '@cloudoc/contract'
import { connectionStore } from '../../core/push/connection.ts'
import type { CoeditSession } from './coedit-session.ts'

type OpenSession = Pick<CoeditSession, 'told' | 'tryNow' | 'store'>

const sessions = new Map<number, Set<OpenSession>>()

/** From now on it is told what is new; answers how to end that. */
export function sessionOpened(fileId: number, here: OpenSession): () => void {
  const all = sessions.get(fileId) ?? new Set()
  sessions.set(fileId, all.add(here))
  // The network is back: what was typed meanwhile goes first.
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
