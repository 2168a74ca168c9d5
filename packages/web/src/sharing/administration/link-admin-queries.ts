// Links of all users and link policies, as administrators see them.
import type { Answer, calls } from '@cloudoc/contract'
import { linkRightNames, linkRights } from '@cloudoc/domain'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import type { Translate } from '../../core/i18n/i18n.ts'
import './texts.ts'

const key = ['company', 'links'] as const
export const perPage = 50

export type OpenLink = Answer<typeof calls.getAllLinks>['list'][number]
export type RiskFilter = 'any' | 'reported' | 'noPassword' | 'long' | 'sensitive' | 'downloads' | 'all'
export const riskFilters: readonly RiskFilter[] = [
  'any',
  'reported',
  'noPassword',
  'long',
  'sensitive',
  'downloads',
  'all',
]

export const openLinks = (risk: RiskFilter, keyword: string, page: number) => ({
  queryKey: [...key, 'open', risk, keyword, page],
  queryFn: () => api.getAllLinks({ risk, keyword, from: page * perPage, rows: perPage }, { quiet: true }),
})
export const reportsOf = (externalId: number) => ({
  queryKey: [...key, 'reports', externalId],
  queryFn: () => api.getLinkReports({ externalId }, { quiet: true }),
  staleTime: 0,
})
export const policies = {
  queryKey: [...key, 'policies'],
  queryFn: () => api.getLinkPolicies({}, { quiet: true }),
}

export const downloadLimits = {
  queryKey: [...key, 'limits'],
  queryFn: () => api.getDownloadLimits({}, { quiet: true }),
}
export const downloadAudit = {
  queryKey: [...key, 'today'],
  queryFn: () => api.getDownloadAudit({}, { quiet: true }),
  staleTime: 0,
}

export function refetchLinks(): void {
  void queryClient.invalidateQueries({ queryKey: key })
}

/** The label of a link's permissions. */
export function linkRightsLabel(say: Translate, rights: number): string {
  const names = linkRightNames.filter((name) => (rights & linkRights[name]) !== 0)
  return names.map((name) => say(`company.links.may.${name}`)).join(say('company.links.and'))
}
