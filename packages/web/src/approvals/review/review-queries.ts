// Data of requests of every kind.
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'

/** The filters of a list by state. */
export const stateFilters = ['open', 'handled', 'all'] as const
export type StateFilter = (typeof stateFilters)[number]
/** Requests on one page of a list ([R219]). */
export const perPage = 30

/** The prefix of the cache keys of all requests. */
export const requestsKey = ['approvals'] as const

/** Loads all shown request data again. */
export function refetchRequests(): void {
  void queryClient.invalidateQueries({ queryKey: requestsKey })
}

/** What waits for the user, by kind ([R033]). */
export const countersQuery = {
  queryKey: [...requestsKey, 'counters'],
  queryFn: () => api.getCounters({}, { quiet: true }),
}

export const timelineQuery = (reviewId: number) => ({
  queryKey: [...requestsKey, 'way', reviewId],
  queryFn: () => api.getReviewWay({ reviewId }),
})

let currentNavigate: (path: string) => void = () => undefined

/** Sets the function that navigates to an address. Returns a function that removes it. */
export function setNavigate(navigate: (path: string) => void): () => void {
  currentNavigate = navigate
  return () => {
    currentNavigate = () => undefined
  }
}

/** Navigates to a page. */
export const navigateTo = (path: string): void => currentNavigate(path)
