// Data of requests of every kind.
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'

/** The prefix of the cache keys of all requests. */
export const requestsKey = ['approvals'] as const

/** Loads all shown request data again. */
export function refetchRequests(): void {
  void queryClient.invalidateQueries({ queryKey: requestsKey })
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
