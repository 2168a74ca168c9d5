import { QueryClient } from '@tanstack/react-query'
import { CallError } from './api.ts'

/**
 * What the page has read from the server. Pushes and own changes keep it fresh, so nothing is read again merely because a
 * window got the focus; a refusal is an answer and is not asked for again.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      retry: (failures, error) => failures < 1 && error instanceof CallError && error.code === 'network',
    },
    mutations: { networkMode: 'always' },
  },
})
