// The search of the page's address, with what the server says of it, and the searches that are kept.
import type { SearchQuery, Tag } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useSession } from '../../core/session/session.ts'
import type { FolderList } from '../../items/lists/folder-list.ts'
import { searchInfo, searchOf } from '../../items/lists/lists.ts'
import type { SearchInfo } from '../../items/lists/search-source.ts'
import { type SavedSearch, savedKey } from '../search/saved-searches.ts'
import { addressOf, type Dim, isSame, queryOf, without } from '../search/search-query.ts'
import type { Names } from './filter-labels.ts'

export interface SearchOnPage extends Names {
  readonly query: SearchQuery
  readonly list: FolderList
  readonly info: SearchInfo | undefined
  /** Searches otherwise. */
  readonly go: (query: SearchQuery) => void
  readonly choose: (dim: Dim, change: Partial<SearchQuery>) => void
}

/** The latest of the person's tags and of the company's. */
const offeredTags = 60
const none: readonly Tag[] = []

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
  const hasTags = useSession().setting.tag
  const { data: tags } = useQuery({
    queryKey: ['drive', 'tags', 'search'],
    queryFn: async () => (await api.getTagList({ rows: offeredTags }, { quiet: true })).list,
    enabled: hasTags,
  })
  const go = (next: SearchQuery): void => void navigate(addressOf(next))
  return {
    query,
    list,
    info: searchInfo(list),
    placeName: place?.fName,
    tags: hasTags ? (tags ?? none) : none,
    go,
    choose: (dim, change) => go({ ...without(query, dim), ...change }),
  }
}

export const savedAs = (saved: readonly SavedSearch[], query: SearchQuery): SavedSearch | undefined =>
  saved.find((one) => isSame(one.query, query))

export const longestSaved = 60

export async function keepSearch(name: string, query: SearchQuery): Promise<void> {
  await api.saveSearch({ name: name.slice(0, longestSaved), query })
  await queryClient.invalidateQueries({ queryKey: savedKey })
}

export async function dropSearch(searchId: number): Promise<void> {
  await api.deleteSavedSearch({ searchId })
  await queryClient.invalidateQueries({ queryKey: savedKey })
}

export async function renameSearch(searchId: number, name: string): Promise<void> {
  await api.renameSavedSearch({ searchId, name })
  await queryClient.invalidateQueries({ queryKey: savedKey })
}
