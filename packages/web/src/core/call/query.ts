import { QueryClient } from '@tanstack/react-query'
import { CallError } from './api.ts'

/**
 * The cache of data read from the server. Pushes and the user's own changes keep it current, so a window focus triggers
 * no reload. A refusal is an answer and is not retried.
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
