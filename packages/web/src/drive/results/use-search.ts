// The search of the page's address, with what the server says of it, and the searches that are kept.
import type { SearchQuery } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import type { FolderList } from '../lists/folder-list.ts'
import { searchInfo, searchOf } from '../lists/lists.ts'
import type { SearchInfo } from '../lists/search-source.ts'
import { addressOf, type Dim, isSame, queryOf, without } from '../search/query.ts'

export interface SearchOnPage {
  readonly query: SearchQuery
  readonly list: FolderList
  readonly info: SearchInfo | undefined
  /** The name of the folder that is searched, once it is known. */
  readonly placeName: string | undefined
  /** Searches otherwise. */
  readonly go: (query: SearchQuery) => void
  readonly choose: (dim: Dim, change: Partial<SearchQuery>) => void
}

export function useSearch(): SearchOnPage {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const query = queryOf(params)
  const list = searchOf(query)
  useSyncExternalStore(list.subscribe, list.snapshot)
  const { folderId } = query
  const { data: place } = useQuery({
    queryKey: ['drive', 'search-place', folderId],
    queryFn: () => api.getFolderInfo({ folderId: folderId ?? 0 }, { quiet: true }),
    enabled: folderId !== undefined,
  })
  const go = (next: SearchQuery): void => void navigate(addressOf(next))
  return {
    query,
    list,
    info: searchInfo(list),
    placeName: place?.fName,
    go,
    choose: (dim, change) => go({ ...without(query, dim), ...change }),
  }
}

const savedKey = ['drive', 'saved-searches']

/** The searches that the person keeps, the latest first. */
export function useSavedSearches() {
  const { data } = useQuery({
    queryKey: savedKey,
    queryFn: async () => (await api.getSavedSearches({}, { quiet: true })).list,
    retry: false,
  })
  return data ?? []
}

export type SavedSearch = ReturnType<typeof useSavedSearches>[number]

export const savedAs = (saved: readonly SavedSearch[], query: SearchQuery): SavedSearch | undefined =>
  saved.find((one) => isSame(one.query, query))

export async function keepSearch(name: string, query: SearchQuery): Promise<void> {
  await api.saveSearch({ name: name.slice(0, 60), query })
  await queryClient.invalidateQueries({ queryKey: savedKey })
}

export async function dropSearch(searchId: number): Promise<void> {
  await api.deleteSavedSearch({ searchId })
  await queryClient.invalidateQueries({ queryKey: savedKey })
}
