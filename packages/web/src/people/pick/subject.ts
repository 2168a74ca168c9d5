// The subject of a permission, a share or a notification: a user, a department, a role.
import type { Answer, calls } from '@cloudoc/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../core/call/api.ts'

export type SubjectType = 'user' | 'group' | 'role'
export type Subject = Pick<Answer<typeof calls.searchItem2>['list'][number], 'type' | 'id' | 'name'> &
  Partial<Answer<typeof calls.searchItem2>['list'][number]>

/** One type, users and departments, or all. */
export type SelectableTypes = SubjectType | 'userOrGroup' | 'all'

/** The unique key of a subject. */
export const subjectKey = ({ type, id }: Pick<Subject, 'type' | 'id'>): string => `${type}:${id}`

/** The maximum number offered at once. */
const offered = 40

/** A department being browsed. */
export interface ParentDepartment {
  readonly id: number
  readonly name: string
}

/** The offered subjects: the search results, or the content of the browsed department (by default the company). */
export function useSubjectSuggestions(
  types: SelectableTypes,
  keyword: string,
  within: ParentDepartment | undefined,
  on: boolean,
  secretLevel: number,
) {
  return useQuery({
    queryKey: ['people', 'offered', types, keyword, within?.id ?? 0, secretLevel],
    enabled: on,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const level = secretLevel > 0 ? { secretLevel } : {}
      if (keyword !== '') {
        const searchType = types === 'userOrGroup' ? 'all' : types
        const { list } = await api.searchItem2({ searchType, keyword, rows: offered, ...level }, { signal })
        return types === 'userOrGroup' ? list.filter(({ type }) => type !== 'role') : list
      }
      if (types === 'role') return (await api.searchItem2({ searchType: types, keyword, rows: 200 }, { signal })).list
      const input = { parentType: 'group', parentId: within?.id ?? 0, rows: 200, ...level } as const
      return (await api.getSubItemList(input, { signal })).list
    },
  })
}
