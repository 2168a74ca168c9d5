// Data of sensitive files.
import { api } from '../../core/call/api.ts'
import { requestsKey } from '../review/review-queries.ts'

/** Files on one page of a list ([R257]). */
export const perPage = 100

type ListInput = Parameters<typeof api.getSensitiveList>[0]
type LogInput = Parameters<typeof api.getSensitiveLog>[0]

export const sensitiveList = (input: ListInput) => ({
  queryKey: [...requestsKey, 'sensitive', 'list', input],
  queryFn: () => api.getSensitiveList(input),
})

export const sensitiveText = (checkId: number) => ({
  queryKey: [...requestsKey, 'sensitive', 'text', checkId],
  queryFn: () => api.getSensitiveText({ checkId }),
  // Each look is logged, so the text is not read again by itself.
  staleTime: Number.POSITIVE_INFINITY,
})

export const sensitiveLog = (input: LogInput) => ({
  queryKey: [...requestsKey, 'sensitive', 'log', input],
  queryFn: () => api.getSensitiveLog(input),
})

export const sensitiveRules = () => ({
  queryKey: [...requestsKey, 'sensitive', 'rules'],
  queryFn: () => api.getSensitiveRules({}),
})
