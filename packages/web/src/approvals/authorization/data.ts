// Requests for rights as the page knows them.

import type { Authorization, PushPayload } from '@cloudoc/contract'
import { AuthorizationResult } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { t } from '../../core/i18n/i18n.ts'
import { messageBox } from '../../core/windows/boxes.ts'
import { folderPath, itemIdStr, nameInText } from '../../drive/index.ts'
import { perPage, type Shown } from '../review/requests-page.tsx'
import { rightsWords } from './rights-words.ts'

const key = ['approvals'] as const

/** Everything that is shown of requests is asked for again. */
export function refetchRequests(): void {
  void queryClient.invalidateQueries({ queryKey: key })
}

export type Side = 'review' | 'creation'

export const listOf = (side: Side, state: Shown, page: number) => ({
  queryKey: [...key, side, state, page],
  queryFn: () => {
    const input = { state, from: page * perPage, rows: perPage }
    return side === 'review' ? api.getAuthorizationReviewList(input) : api.getAuthorizationCreationList(input)
  },
})
export const requestOf = (authorizationId: number) => ({
  queryKey: [...key, 'one', authorizationId],
  queryFn: () => api.getAuthorization({ authorizationId }),
})
export const wayOf = (reviewId: number) => ({
  queryKey: [...key, 'way', reviewId],
  queryFn: () => api.getReviewWay({ reviewId }),
})

export const standInQuery = {
  queryKey: [...key, 'standIn'],
  queryFn: () => api.getReviewStandIn({}, { quiet: true }),
}

/** How much waits for the person ([R033]). */
export function useWaiting(): number {
  const { data } = useQuery({ queryKey: [...key, 'counters'], queryFn: () => api.getCounters({}, { quiet: true }) })
  const waits = data?.list.filter(({ name }) => name === 'authorizationReview' || name === 'linkReview') ?? []
  return waits.reduce((sum, { count }) => sum + count, 0)
}

/** The address of what a request is about: a folder is opened, a file shown in its own. */
export function addressOf({ fType, fId }: Pick<Authorization, 'fType' | 'fId'>): string | undefined {
  if (fId === 0) return undefined
  if (fType === 2) return folderPath(fId)
  return `/doc/folder/files?${new URLSearchParams({ itemIdStr: itemIdStr({ fType, fId }) })}`
}

let walk: (path: string) => void = () => undefined

/** Sets how the page goes to an address; answers how to end that. */
export function walkBy(navigate: (path: string) => void): () => void {
  walk = navigate
  return () => {
    walk = () => undefined
  }
}

/** Goes to what a request is about. */
export function openItem(of: Pick<Authorization, 'fType' | 'fId'>): void {
  const address = addressOf(of)
  if (address !== undefined) walk(address)
}

/** Says what was decided about a request of the person; what was approved can be opened from there ([R218]). */
export async function tellReply(reply: PushPayload<'authorizationReply'>): Promise<void> {
  // That nobody has decided yet stands among the notices, and interrupts nobody.
  if (reply.result === AuthorizationResult.late) return
  const name = nameInText(reply.fName)
  if (reply.result === AuthorizationResult.rejected) {
    await messageBox({
      title: t('approvals.reply.title'),
      icon: 'warning',
      text: t('approvals.reply.rejected', { name }),
    })
    return
  }
  const { button } = await messageBox({
    title: t('approvals.reply.title'),
    icon: 'success',
    text: t('approvals.reply.approved', { name, rights: rightsWords(t, reply.right) }),
    buttons: [
      { id: 'ok', text: t('approvals.ok') },
      { id: 'open', text: t(reply.fType === 2 ? 'approvals.openFolder' : 'approvals.open'), kind: 'primary' },
    ],
  })
  if (button === 'open') openItem(reply)
}
