// Queries for permission requests.

import type { Authorization, PushPayload } from '@cloudoc/contract'
import { AuthorizationResult, nameInText } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { api, mainServer } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { messageBox } from '../../core/windows/boxes.ts'
import { folderPath, itemIdStr } from '../../items/item/item.ts'
import { countersQuery, requestsKey as key, navigateTo, perPage, type StateFilter } from '../review/review-queries.ts'
import { rightsLabel } from './rights-labels.ts'

export type Side = 'review' | 'creation'

export const listOf = (side: Side, state: StateFilter, page: number) => ({
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
export const standInQuery = {
  queryKey: [...key, 'standIn'],
  queryFn: () => api.getReviewStandIn({}, { quiet: true }),
}

const reviewKinds: ReadonlySet<string> = new Set([
  'authorizationReview',
  'downloadReview',
  'urgeReview',
  'workflowPending',
])

/** The number of requests that wait for the user's decision ([R033]). */
export function useWaiting(): number {
  const { data } = useQuery(countersQuery)
  const waits = data?.list.filter(({ name }) => reviewKinds.has(name)) ?? []
  return waits.reduce((sum, { count }) => sum + count, 0)
}

/** The address of a request's item. A folder is opened; a file is shown in its folder. */
export function addressOf({ fType, fId }: Pick<Authorization, 'fType' | 'fId'>): string | undefined {
  if (fId === 0) return undefined
  if (fType === 2) return folderPath({ ...mainServer, fId })
  return `/doc/folder/files?${new URLSearchParams({ itemIdStr: itemIdStr({ ...mainServer, fType, fId }) })}`
}

/** Goes to the item of a request. */
export function openItem(of: Pick<Authorization, 'fType' | 'fId'>): void {
  const address = addressOf(of)
  if (address !== undefined) navigateTo(address)
}

/**
 * Shows the decision on one of the user's requests. If it was approved, the item can be opened from the message
 * ([R218]).
 */
export async function notifyReply(reply: PushPayload<'authorizationReply'>): Promise<void> {
  // An overdue request only appears among the notices and shows no message.
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
    text: t('approvals.reply.approved', { name, rights: rightsLabel(t, reply.right) }),
    buttons: [
      { id: 'ok', text: t('approvals.ok') },
      { id: 'open', text: t(reply.fType === 2 ? 'approvals.openFolder' : 'approvals.open'), kind: 'primary' },
    ],
  })
  if (button === 'open') openItem(reply)
}
