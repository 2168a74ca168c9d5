// Data of urges, and what happens to them.

import type { Urge } from '@cloudoc/contract'
import { NotifyType, type urgeFilters } from '@cloudoc/domain'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { type PlainTextKey, t } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import type { Subject } from '../../people/index.ts'
import { openItem } from '../authorization/authorization-queries.ts'
import { refetchRequests, requestsKey } from '../review/review-queries.ts'
import './texts.ts'

export type UrgeFilter = (typeof urgeFilters)[number]
export type Side = 'review' | 'creation'
/** Urges on a page of a list ([R270]). */
export const perPage = 100

const key = [...requestsKey, 'urges'] as const

export const listOf = (side: Side, state: UrgeFilter, keyword: string, page: number) => ({
  queryKey: [...key, 'list', side, state, keyword, page],
  queryFn: () => {
    const input = { state, keyword, from: page * perPage, rows: perPage }
    return side === 'review' ? api.getNotifyReviewList(input) : api.getNotifyCreationList(input)
  },
})
export const detailOf = (notifyId: number) => ({
  queryKey: [...key, 'detail', notifyId],
  queryFn: () => api.getNotifyDetail({ notifyId }),
})
export const receiversOf = (notifyId: number, rows: number) => ({
  queryKey: [...key, 'receivers', notifyId, rows],
  queryFn: () => api.getNotifyReceiverList({ notifyId, rows }),
})
export const messagesOf = (notifyId: number) => ({
  queryKey: [...key, 'messages', notifyId],
  queryFn: () => api.getNotifyMessageList({ notifyId }),
})

/** Loads all shown urges and the counters again. */
export const refetchUrges = (): void => refetchRequests()

/** The ids of chosen subjects, as the calls take them. */
export function idsOf(chosen: readonly Subject[]) {
  const of = (wanted: Subject['type']): number[] => chosen.filter(({ type }) => type === wanted).map(({ id }) => id)
  return { userIdArray: of('user'), groupIdArray: of('group'), roleIdArray: of('role') }
}

/** What is asked for, by notifyType. */
export const typeKeys = {
  [NotifyType.handle]: 'urge.type.handle',
  [NotifyType.read]: 'urge.type.read',
  [NotifyType.feedback]: 'urge.type.feedback',
} as const satisfies Record<NotifyType, PlainTextKey>

/** Runs an act on an urge and shows its outcome. Returns whether it succeeded. */
export async function act(work: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await work()
    if (done !== '') toast({ kind: 'success', text: done })
    return true
  } catch (failure) {
    toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
    return false
  } finally {
    // Also if somebody acted first: their act is then shown.
    refetchUrges()
  }
}

type Acted = Pick<Urge, 'notifyId' | 'notifyType' | 'fType' | 'fId' | 'fName' | 'userName' | 'isSender' | 'handleTime'>

export const markHandled = ({ notifyId, userName }: Acted, comments = ''): Promise<boolean> =>
  act(() => api.approveNotify({ notifyId, comments }), t('urge.done.handled', { name: isolated(userName) }))

export const repeatUrge = ({ notifyId }: Pick<Urge, 'notifyId'>): Promise<boolean> =>
  act(async () => {
    const { receiverCount } = await api.remindNotify({ notifyId })
    toast({ kind: 'success', text: t('urge.done.reminded', { n: receiverCount }) })
  }, '')

export async function endUrge({ notifyId }: Pick<Urge, 'notifyId'>): Promise<boolean> {
  const title = t('urge.end')
  const sure = await confirmBox({ title, text: t('urge.end.sure'), ok: title, danger: true })
  return sure && act(() => api.revokeNotify({ notifyId }), t('urge.done.ended'))
}

export async function handOn({ notifyId }: Pick<Urge, 'notifyId'>, comments: string): Promise<boolean> {
  const title = t('urge.handOn')
  const [to] = (await openWindow('people-pick', { title, ok: title, picked: [] })) ?? []
  if (to === undefined) return false
  const done = t('urge.done.handedOn', { name: isolated(to.accountName) })
  return act(() => api.handOnNotify({ notifyId, userId: to.userId, comments }), done)
}

/** Confirms that an urge is on the screen. Not called while it is only loaded. */
export async function confirmRead(notifyId: number): Promise<void> {
  try {
    await api.readNotify({ notifyId }, { quiet: true })
    void queryClient.invalidateQueries({ queryKey: [...key, 'list'] })
  } catch {
    // The receipt is sent again the next time that the urge is shown.
  }
}

/** Opens the item of an urge: a file in the previewer, a folder in the files. To read it is all that some urges ask. */
export async function openUrged(urge: Acted & { readonly state: Urge['state'] }): Promise<void> {
  const { fType, fId, notifyType, state, isSender, handleTime } = urge
  if (fId === 0) return
  if (notifyType === NotifyType.read && state === 'open' && !isSender && handleTime === null) await markHandled(urge)
  if (fType === 2) openItem({ fType, fId })
  else void openWindow('previewer', { fileInfo: { ...mainServer, fId } })
}
