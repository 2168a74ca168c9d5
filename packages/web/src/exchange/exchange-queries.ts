// Data of the exchange. Everything that the first page needs; texts of the windows are loaded with them.
import type { FileExchange, ItemRecord } from '@cloudoc/contract'
import { api } from '../core/call/api.ts'
import { queryClient } from '../core/call/query.ts'

const key = ['exchange'] as const
const rulesKey = ['exchangeRules'] as const

/** Exchanges on one page of a list. */
export const perPage = 100

export type Side = 'sent' | 'receive' | 'review'
export type ListState = 'all' | 'open' | 'handled'

/** An item that can be sent. */
export type SentItem = Pick<
  ItemRecord,
  'fId' | 'fType' | 'fName' | 'extName' | 'fileSize' | 'secretLevel' | 'secretName'
>

export const idsOf = (items: readonly Pick<SentItem, 'fType' | 'fId'>[]) => ({
  fileId: items.filter(({ fType }) => fType === 1).map(({ fId }) => fId),
  folderId: items.filter(({ fType }) => fType === 2).map(({ fId }) => fId),
})

export const exchangeRulesQuery = {
  queryKey: rulesKey,
  queryFn: () => api.getExchangeRules({}, { quiet: true }),
  staleTime: Number.POSITIVE_INFINITY,
}

/** The rules as menus need them: loaded after sign-in, and again after push 65. */
export const exchangeRulesNow = () =>
  queryClient.getQueryData<Awaited<ReturnType<typeof exchangeRulesQuery.queryFn>>>(rulesKey)?.rules ?? []

/** Loads the rules that concern the user. */
export function loadExchangeRules(): void {
  queryClient.query(exchangeRulesQuery).catch(() => undefined)
}

export const listQuery = (side: Side, state: ListState, keyword: string, page: number) => ({
  queryKey: [...key, 'list', side, state, keyword, page],
  queryFn: () => api.getExchangeList({ side, state, keyword, from: page * perPage, rows: perPage }),
})

export type Which = Pick<FileExchange, 'applyId' | 'approveId'>

export const detailQuery = ({ applyId, approveId }: Which) => ({
  queryKey: [...key, 'one', applyId, approveId],
  queryFn: () =>
    approveId > 0
      ? api.getReceivedDetail({ approveId }, { quiet: true })
      : api.getExchangeDetail({ applyId }, { quiet: true }),
})

export const administrationQuery = {
  queryKey: [...key, 'administration'],
  queryFn: () => api.getExchangeAdministration({}, { quiet: true }),
}
export const bundlesQuery = {
  queryKey: [...key, 'bundles'],
  queryFn: () => api.getExchangeBundles({}, { quiet: true }),
}

export function refetchExchange(): void {
  void queryClient.invalidateQueries({ queryKey: key })
  // The counters of the rail.
  void queryClient.invalidateQueries({ queryKey: ['approvals', 'counters'] })
}

export function refetchExchangeRules(): void {
  // Menus read them without observing them.
  void queryClient.invalidateQueries({ queryKey: rulesKey, refetchType: 'all' })
  refetchExchange()
}
