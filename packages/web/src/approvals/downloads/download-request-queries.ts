// Queries for requests for additional daily downloads.
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import type { RevokeTexts } from '../review/request-menu.tsx'
import { perPage, type StateFilter } from '../review/review-queries.ts'

const key = ['approvals', 'downloads'] as const
export type Side = 'review' | 'application'

export const listOf = (side: Side, state: StateFilter, page: number) => ({
  queryKey: [...key, side, state, page],
  queryFn: () => {
    const input = { state, from: page * perPage, rows: perPage }
    return side === 'review' ? api.getMoreDownloadsReviewList(input) : api.getMoreDownloadsList(input)
  },
})
export const requestOf = (reviewId: number) => ({
  queryKey: [...key, 'one', reviewId],
  queryFn: () => api.getMoreDownloads({ reviewId }),
})
export const termsQuery = {
  queryKey: [...key, 'terms'],
  queryFn: () => api.getMoreDownloadsTerms({}, { quiet: true }),
  staleTime: 0,
}
export const todayQuery = {
  queryKey: [...key, 'today'],
  queryFn: () => api.getDownloadToday({}, { quiet: true }),
  staleTime: 0,
}
/** The messages for revoking additional downloads. */
export const revokeTexts = (): RevokeTexts => ({
  sure: t('approvals.downloads.revoke.sure'),
  done: t('approvals.downloads.revoked'),
})
