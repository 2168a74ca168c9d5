// A search as an address, so that it can be used in the history, sent and saved ([R241]).
import type { SearchQuery } from '@cloudoc/contract'
import { docTypes, searchDays, searchSizes } from '@cloudoc/domain'

export const searchPath = '/doc/folder/search'
const mb = 1024 * 1024
export const searchScopes = ['all', 'name', 'content', 'tag', 'comment'] as const
const sorts = ['relevance', 'time', 'name', 'size'] as const

/** The numeric parameters of the address, by the filter they belong to. */
const numbers = {
  folderId: 'folder',
  tagId: 'tag',
  days: 'days',
  timeFrom: 'from',
  timeTo: 'to',
  sizeFrom: 'min',
  sizeTo: 'max',
} as const

function oneOf<const T extends string>(all: readonly T[], value: string | null): T | undefined {
  return all.find((one) => one === value)
}

/** Parses the search of an address. */
export function parseSearchAddress(params: URLSearchParams): SearchQuery {
  const query: Record<string, unknown> = { keyword: params.get('keyword')?.slice(0, 255) ?? '' }
  for (const [name, key] of Object.entries(numbers)) {
    const value = params.get(key)
    if (value !== null && /^-?\d{1,15}$/.test(value)) query[name] = Number(value)
  }
  query['scope'] = oneOf(searchScopes, params.get('scope')) ?? 'all'
  const docType = oneOf(docTypes, params.get('type'))
  const sort = oneOf(sorts, params.get('sort'))
  const order = oneOf(['asc', 'desc'] as const, params.get('order'))
  return {
    ...(query as SearchQuery),
    ...(docType && { docType }),
    ...(sort && sort !== 'relevance' && { sort }),
    ...(order && { order }),
  }
}

/** Returns the address of a search. */
export function searchAddress(query: SearchQuery): string {
  const params = new URLSearchParams({ keyword: query.keyword })
  const { scope, docType, sort, order } = query
  if (scope !== undefined && scope !== 'all') params.set('scope', scope)
  if (docType !== undefined) params.set('type', docType)
  for (const [name, key] of Object.entries(numbers)) {
    const value = query[name as keyof typeof numbers]
    if (value !== undefined) params.set(key, String(value))
  }
  if (sort !== undefined && sort !== 'relevance') params.set('sort', sort)
  if (order !== undefined) params.set('order', order)
  return `${searchPath}?${params}`
}

/** The filter dimensions. */
export const filterDimensions = ['time', 'size', 'type', 'scope', 'tag', 'place'] as const
export type FilterDimension = (typeof filterDimensions)[number]

/** Returns the search without one of its filters. */
export function withoutFilter(query: SearchQuery, dim: FilterDimension): SearchQuery {
  const { days, timeFrom, timeTo, sizeFrom, sizeTo, docType, scope, tagId, folderId, ...rest } = query
  const kept = {
    time: { days, timeFrom, timeTo },
    size: { sizeFrom, sizeTo },
    type: { docType },
    scope: { scope },
    tag: { tagId },
    place: { folderId },
  }
  const parts = Object.entries(kept).flatMap(([name, part]) => (name === dim ? [] : Object.entries(part)))
  return {
    ...rest,
    ...Object.fromEntries(parts.filter(([, value]) => value !== undefined)),
    ...(dim === 'scope' && { scope: 'all' }),
  }
}

/** Whether a filter of this dimension is set. */
export function isFilterSet(query: SearchQuery, dim: FilterDimension): boolean {
  const { days, timeFrom, timeTo, sizeFrom, sizeTo, docType, scope, tagId, folderId } = query
  return {
    time: (days ?? timeFrom ?? timeTo) !== undefined,
    size: (sizeFrom ?? sizeTo) !== undefined,
    type: docType !== undefined,
    scope: scope !== undefined && scope !== 'all',
    tag: tagId !== undefined,
    place: folderId !== undefined,
  }[dim]
}

/** Returns the index of the size range among the presets. Undefined for a custom range or none. */
export function sizeOf({ sizeFrom, sizeTo }: SearchQuery): number | undefined {
  const at = searchSizes.findIndex(({ from, to }) => (sizeFrom ?? 0) === from && sizeTo === to)
  return at < 0 || (sizeFrom === undefined && sizeTo === undefined) ? undefined : at
}

export const isOfferedTime = ({ days }: SearchQuery): boolean =>
  days !== undefined && (searchDays as readonly number[]).includes(days)

/** Whether two searches are equal. */
export const isSameSearch = (a: SearchQuery, b: SearchQuery): boolean => searchAddress(a) === searchAddress(b)

export const megabyte = mb
