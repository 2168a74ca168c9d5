// Data of signing, and what an act on it shows.
import type { SignActivity } from '@cloudoc/contract'
import { refetchRequests } from '../../approvals/index.ts'
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'

export type Side = 'review' | 'creation'
export type SignFilter = 'all' | 'open' | 'signed' | 'rejected' | 'done'
/** Processes on a page of a list. */
export const perPage = 100

const key = ['signing'] as const

export const listQuery = (side: Side, state: SignFilter, keyword: string, page: number) => ({
  queryKey: [...key, 'list', side, state, keyword, page],
  queryFn: () => {
    const input = { state, keyword, from: page * perPage, rows: perPage }
    return side === 'review' ? api.getSignReviewList(input) : api.getSignCreationList(input)
  },
})
export const detailQuery = (activityId: number) => ({
  queryKey: [...key, 'detail', activityId],
  queryFn: () => api.getSignDetail({ activityId }, { quiet: true }),
})
export const signaturesQuery = {
  queryKey: [...key, 'signatures'],
  queryFn: () => api.getSignatureList({}, { quiet: true }),
}
export const sealsQuery = { queryKey: [...key, 'seals'], queryFn: () => api.getSealList({}, { quiet: true }) }
export const certificateQuery = {
  queryKey: [...key, 'certificate'],
  queryFn: () => api.getMySignCertificate({}, { quiet: true }),
}
export const authorityQuery = {
  queryKey: [...key, 'authority'],
  queryFn: () => api.getSignAuthority({}, { quiet: true }),
}
export const certificatesQuery = {
  queryKey: [...key, 'certificates'],
  queryFn: () => api.getSignCertificateList({ rows: 100 }, { quiet: true }),
}
export const allSealsQuery = { queryKey: [...key, 'allSeals'], queryFn: () => api.getAllSealList({}, { quiet: true }) }
export const sealUsesQuery = { queryKey: [...key, 'uses'], queryFn: () => api.getSealUseList({}, { quiet: true }) }

/** Loads all shown signing data and the counters again. */
export function refetchSigning(): void {
  void queryClient.invalidateQueries({ queryKey: key })
  refetchRequests()
}

/** Runs an act and shows its outcome. Returns whether it succeeded. */
export async function act(work: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await work()
    if (done !== '') toast({ kind: 'success', text: done })
    return true
  } catch (failure) {
    toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('sign.failed') })
    return false
  } finally {
    // Also if somebody acted first: their act is then shown.
    refetchSigning()
  }
}

/** Reminds those whom a process waits for. */
export const remindSigners = ({ activityId, waiting }: SignActivity): Promise<boolean> =>
  act(() => api.remindSign({ activityId }, { quiet: true }), t('sign.done.reminded', { n: waiting.length }))
