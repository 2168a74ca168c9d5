// The users of a list: the total number of rows, of which only the visible ones are loaded.
import type { Input } from '@cloudoc/contract'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type Catalogue } from '../../core/call/api.ts'
import type { PersonRow } from '../shared/organisation-queries.ts'

export type PeopleFilter = Pick<Input<Catalogue['countPeople']>, 'groupId' | 'keyword' | 'roleId' | 'state'>

const pageRows = 100

export interface PeopleList {
  /** Undefined until known. */
  readonly total: number | undefined
  readonly filter: PeopleFilter
  readonly failed: Error | null
  /** The user of a row; undefined if not loaded yet. */
  readonly at: (index: number) => PersonRow | undefined
  /** Sets the visible rows. */
  readonly show: (first: number, last: number) => void
  readonly isSelected: (userId: number) => boolean
  readonly selected: () => readonly PersonRow[]
  readonly select: (people: readonly PersonRow[]) => void
}

export function usePeople(filter: PeopleFilter): PeopleList {
  const [range, setRange] = useState({ first: 0, last: 0 })
  const [selection, setSelection] = useState<ReadonlyMap<number, PersonRow>>(new Map())
  const key = JSON.stringify(filter)
  const counted = useQuery({
    queryKey: ['organisation', 'people', 'count', key],
    queryFn: ({ signal }) => api.countPeople(filter, { signal }),
    placeholderData: keepPreviousData,
  })
  // The selection belongs to this list.
  useEffect(() => {
    setSelection(new Map())
    setRange({ first: 0, last: 0 })
  }, [key])
  const pages = Array.from({ length: range.last - range.first + 1 }, (_, n) => range.first + n)
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['organisation', 'people', 'page', key, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.getPeople({ ...filter, from: page * pageRows, rows: pageRows }, { signal }),
    })),
  })
  return {
    filter,
    // A first page that is not full gives the total before the count call returns.
    total:
      counted.data?.total ??
      (range.first === 0 && (results[0]?.data?.list.length ?? pageRows) < pageRows
        ? results[0]?.data?.list.length
        : undefined),
    failed: counted.error ?? results.find(({ error }) => error !== null)?.error ?? null,
    at: (index) => results[Math.floor(index / pageRows) - range.first]?.data?.list[index % pageRows],
    show(first, last) {
      const next = { first: Math.floor(first / pageRows), last: Math.floor(last / pageRows) }
      if (next.first !== range.first || next.last !== range.last) setRange(next)
    },
    isSelected: (userId) => selection.has(userId),
    selected: () => [...selection.values()],
    select: (people) => setSelection(new Map(people.map((person) => [person.userId, person]))),
  }
}

/** All users of a list, up to a maximum. */
export async function everybody(filter: PeopleFilter, most: number): Promise<PersonRow[]> {
  const found: PersonRow[] = []
  const rows = 500
  while (found.length < most) {
    const { list } = await api.getPeople({ ...filter, from: found.length, rows: Math.min(rows, most - found.length) })
    found.push(...list)
    if (list.length < rows) break
  }
  return found
}
