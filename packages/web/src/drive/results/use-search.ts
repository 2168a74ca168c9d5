// The search in the address of the page, its metadata from the server, and the saved searches.
import type { SearchQuery, Tag } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { api, mainServer } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useSession } from '../../core/session/session.ts'
import type { FolderList } from '../../items/lists/folder-list.ts'
import { searchInfo, searchOf } from '../../items/lists/lists.ts'
import type { SearchInfo } from '../../items/lists/search-source.ts'
import { type SavedSearch, savedSearchesKey } from '../search/saved-searches.ts'
import {
  type FilterDimension,
  isSameSearch,
  parseSearchAddress,
  searchAddress,
  withoutFilter,
} from '../search/search-query.ts'
import type { FilterNames } from './filter-labels.ts'

export interface SearchOnPage extends FilterNames {
  readonly query: SearchQuery
  readonly list: FolderList
  readonly info: SearchInfo | undefined
  /** Runs another search. */
  readonly go: (query: SearchQuery) => void
  readonly choose: (dim: FilterDimension, change: Partial<SearchQuery>) => void
}

/** The number of tags offered: the latest of the user and of the company. */
const offeredTags = 60
const none: readonly Tag[] = []

export function useSearch(): SearchOnPage {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const query = parseSearchAddress(params)
  const list = searchOf(query)
  useSyncExternalStore(list.subscribe, list.snapshot)
  const { folderId } = query
  const { data: place } = useQuery({
    queryKey: ['drive', 'search-place', folderId],
    queryFn: () => api.of(mainServer).getFolderInfo({ folderId: folderId ?? 0 }, { quiet: true }),
    enabled: folderId !== undefined,
  })
  const hasTags = useSession().setting.tag
  const { data: tags } = useQuery({
    queryKey: ['drive', 'tags', 'search'],
    queryFn: async () => (await api.getTagList({ rows: offeredTags }, { quiet: true })).list,
    enabled: hasTags,
  })
  const go = (next: SearchQuery): void => void navigate(searchAddress(next))
  return {
    query,
    list,
    info: searchInfo(list),
    placeName: place?.fName,
    tags: hasTags ? (tags ?? none) : none,
    go,
    choose: (dim, change) => go({ ...withoutFilter(query, dim), ...change }),
  }
}

export const savedSearchName = (saved: readonly SavedSearch[], query: SearchQuery): SavedSearch | undefined =>
  saved.find((one) => isSameSearch(one.query, query))

export const maxSearchNameLength = 60

export async function saveSearch(name: string, query: SearchQuery): Promise<void> {
  await api.saveSearch({ name: name.slice(0, maxSearchNameLength), query })
  await queryClient.invalidateQueries({ queryKey: savedSearchesKey })
}

export async function deleteSavedSearch(searchId: number): Promise<void> {
  await api.deleteSavedSearch({ searchId })
  await queryClient.invalidateQueries({ queryKey: savedSearchesKey })
}

export async function renameSavedSearch(searchId: number, name: string): Promise<void> {
  await api.renameSavedSearch({ searchId, name })
  await queryClient.invalidateQueries({ queryKey: savedSearchesKey })
}
