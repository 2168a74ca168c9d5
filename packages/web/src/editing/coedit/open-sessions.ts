// The documents that are written together on this page: what the server tells of them reaches each.
import type { PushPayload } from '@cloudoc/contract'
import { connectionStore } from '../../core/push/connection.ts'
import type { Here } from './coedit-session.ts'

type Open = Pick<Here, 'told' | 'tryNow' | 'store'>

const open = new Map<number, Set<Open>>()

/** From now on it is told what is new; answers how to end that. */
export function hereOpened(fileId: number, here: Open): () => void {
  const all = open.get(fileId) ?? new Set()
  open.set(fileId, all.add(here))
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
    if (all.size === 0) open.delete(fileId)
  }
}

export function onTogetherChanged(news: PushPayload<'togetherChanged'>): void {
  for (const here of open.get(news.fileId) ?? []) here.told(news)
}
