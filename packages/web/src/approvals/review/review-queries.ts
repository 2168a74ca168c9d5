// What the page knows of requests of every kind.
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'

/** What is kept of requests is kept below it. */
export const requestsKey = ['approvals'] as const

/** Everything that is shown of requests is asked for again. */
export function refetchRequests(): void {
  void queryClient.invalidateQueries({ queryKey: requestsKey })
}

export const timelineQuery = (reviewId: number) => ({
  queryKey: [...requestsKey, 'way', reviewId],
  queryFn: () => api.getReviewWay({ reviewId }),
})

let currentNavigate: (path: string) => void = () => undefined

/** Sets how the page goes to an address; answers how to end that. */
export function setNavigate(navigate: (path: string) => void): () => void {
  currentNavigate = navigate
  return () => {
    currentNavigate = () => undefined
  }
}

/** Goes to a page. */
export const navigateTo = (path: string): void => currentNavigate(path)
