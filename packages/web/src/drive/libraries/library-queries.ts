// Data of libraries and storage for these pages.
import type { Answer, calls, Input } from '@cloudoc/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'

export type LibraryInfo = Answer<typeof calls.getLibraries>['list'][number]
export type LibraryChange = Omit<Input<typeof calls.changeLibrary>, 'libraryId'>
export type Space = Answer<typeof calls.getStorageOf>['list'][number]

const atOnce = 100

/** The filtered libraries, page by page. */
export function useLibraries(filter: Omit<Input<typeof calls.getLibraries>, 'from' | 'rows'>) {
  return useInfiniteQuery({
    queryKey: ['company', 'libraries', filter],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => api.getLibraries({ ...filter, from: pageParam, rows: atOnce }, { signal }),
    getNextPageParam: (page, pages) => {
      const shown = pages.reduce((sum, { list }) => sum + list.length, 0)
      return shown < page.total ? shown : undefined
    },
  })
}

/** Loads the shown libraries and spaces again, also those of the folder tree. */
export async function refetchCompany(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['company'] }),
    queryClient.invalidateQueries({ queryKey: ['drive', 'roots'] }),
  ])
}
