// The user's saved searches ([R241]).
import { useQuery } from '@tanstack/react-query'
import { api } from '../../core/call/api.ts'

export const savedSearchesKey = ['drive', 'saved-searches']

/** Latest first. */
export function useSavedSearches() {
  const { data } = useQuery({
    queryKey: savedSearchesKey,
    queryFn: async () => (await api.getSavedSearches({}, { quiet: true })).list,
    retry: false,
  })
  return data ?? []
}

export type SavedSearch = ReturnType<typeof useSavedSearches>[number]
