// Data of applications for downloads and links.
import type { ItemRecord, OperationApplication } from '@cloudoc/contract'
import { ApplyState, ApplyType } from '@cloudoc/domain'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import type { ChipTone } from '../../kit/chips.tsx'
import { requestsKey } from '../review/review-queries.ts'
import './application-texts.ts'

const key = [...requestsKey, 'applications'] as const

export type OperateType = (typeof ApplyType)[keyof typeof ApplyType]
export type Side = 'creation' | 'review'
export type ListState = 'all' | 'open' | 'handled' | 'others'

/** Applications on one page of a list. */
export const perPage = 100

/** An item that can be applied for. */
export type WantedItem = Pick<
  ItemRecord,
  'serverId' | 'fId' | 'fType' | 'fName' | 'extName' | 'fileSize' | 'secretLevel' | 'secretName'
>

export const idsOf = (items: readonly Pick<WantedItem, 'fType' | 'fId'>[]) => ({
  fileIdArray: items.filter(({ fType }) => fType === 1).map(({ fId }) => fId),
  folderIdArray: items.filter(({ fType }) => fType === 2).map(({ fId }) => fId),
})

/** The reviewers and limits of an application for these items. */
export const termsOf = (operateType: OperateType, items: readonly WantedItem[]) => ({
  queryKey: [...key, 'terms', operateType, ...items.map(({ fType, fId }) => `${fType}:${fId}`)],
  queryFn: () => api.of(items[0] ?? mainServer).getApplyTerms({ operateType, ...idsOf(items) }, { quiet: true }),
  staleTime: 0,
})

export interface Wanted {
  readonly state: ListState
  readonly keyword: string
  /** Applications of the last so many days; 0 for all. */
  readonly days: number
  readonly page: number
}

export const listOf = (operateType: OperateType, side: Side, { state, keyword, days, page }: Wanted) => ({
  queryKey: [...key, operateType, side, state, keyword, days, page],
  queryFn: () =>
    api.getApplyList({
      ...{ operateType, side, state, keyword, from: page * perPage, rows: perPage },
      since: days === 0 ? 0 : Date.now() - days * 86_400_000,
    }),
})

export const detailOf = (applicationId: number) => ({
  queryKey: [...key, 'one', applicationId],
  queryFn: () => api.getApplyDetail({ applicationId }),
  // Downloads are counted without a push.
  staleTime: 0,
})

export const folderOf = (applicationId: number, folderId: number, page: number) => ({
  queryKey: [...key, 'folder', applicationId, folderId, page],
  queryFn: () => api.of(mainServer).getApplyFolder({ applicationId, folderId, from: page * perPage, rows: perPage }),
})

/** The window that shows an application, by what is applied for and who looks. */
export const windowOf = (operateType: OperateType, isReview: boolean) =>
  operateType === ApplyType.external
    ? ('cloudoc-apply-link-detail' as const)
    : isReview
      ? ('cloudoc-apply-audit' as const)
      : ('cloudoc-apply-download-detail' as const)

/** The page of applications for downloads or links. */
export const pageOf = (operateType: OperateType, side: Side): string =>
  `/doc/folder/security/apply-${operateType === ApplyType.external ? 'link' : 'download'}-${side}`

type Shown = Pick<
  OperationApplication,
  'nodeState' | 'reason' | 'state' | 'itemCount' | 'approvedCount' | 'applicationTitle'
>

/** The state of an application, as text and colour (X14). */
export function stateOf(one: Shown): { readonly text: string; readonly tone: ChipTone } {
  const { nodeState, state, itemCount, approvedCount } = one
  if (nodeState === ApplyState.pending) return { text: t('applications.state.pending'), tone: 'info' }
  if (nodeState === ApplyState.rejected) return { text: t('applications.state.rejected'), tone: 'danger' }
  if (nodeState === ApplyState.over)
    return {
      text: t(
        state === 'over'
          ? 'applications.state.expired'
          : state === 'withdrawn'
            ? 'applications.state.withdrawn'
            : 'applications.state.revoked',
      ),
      tone: 'neutral',
    }
  return approvedCount < itemCount
    ? { text: t('applications.state.part', { n: approvedCount, other: itemCount - approvedCount }), tone: 'success' }
    : { text: t('applications.state.approved'), tone: 'success' }
}

/** The first item, and how many there are. */
export const titleOf = ({ applicationTitle, itemCount }: Pick<Shown, 'applicationTitle' | 'itemCount'>): string =>
  itemCount > 1 ? t('approvals.apply.many', { name: applicationTitle, n: itemCount }) : applicationTitle

export const timesLabel = (count: number): string =>
  count === 0 ? t('applications.anyTimes') : t('applications.times', { n: count })

/** Runs a change and shows its result. Returns whether it succeeded. */
export async function tryChange(work: () => Promise<unknown>, done: string, after: () => void): Promise<boolean> {
  try {
    await work()
    toast({ kind: 'success', text: done })
    return true
  } catch (failure) {
    toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
    return false
  } finally {
    // Also if another reviewer decided first: their decision is then shown.
    after()
  }
}
