// Queries for link requests.
import { linkRightNames, linkRights } from '@cloudoc/domain'
import { api } from '../../core/call/api.ts'
import { type Translate, t } from '../../core/i18n/i18n.ts'
import type { RevokeTexts } from '../review/request-menu.tsx'
import { perPage, type StateFilter } from '../review/review-queries.ts'

const key = ['approvals', 'links'] as const
export type Side = 'review' | 'application'

export const listOf = (side: Side, state: StateFilter, page: number) => ({
  queryKey: [...key, side, state, page],
  queryFn: () => {
    const input = { state, from: page * perPage, rows: perPage }
    return side === 'review' ? api.getLinkReviewList(input) : api.getLinkApplicationList(input)
  },
})
export const applicationOf = (reviewId: number) => ({
  queryKey: [...key, 'one', reviewId],
  queryFn: () => api.getLinkApplication({ reviewId }),
})

/** The label of a link's permissions. */
export function linkRightsLabel(say: Translate, rights: number): string {
  const names = linkRightNames.filter((name) => (rights & linkRights[name]) !== 0)
  return names.map((name) => say(`links.may.${name}`)).join(say('links.and'))
}

/** The messages for revoking the approval of a link. */
export const revokeTexts = (): RevokeTexts => ({
  sure: t('approvals.link.revoke.sure'),
  done: t('approvals.link.revoked'),
})
