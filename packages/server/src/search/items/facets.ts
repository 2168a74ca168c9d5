// Applies the filters to hits and computes the facet counts.
import type { SearchFacets } from '@cloudoc/contract'
import { type DocType, docTypeOf, docTypes, searchDays, searchSizes } from '@cloudoc/domain'
import { dayMs, type Filters, type Found, type Query, timesOf, type VisibleHit } from './query.ts'

/** The filters, separated so that each can be omitted to count its alternatives. */
const parts = {
  scope: (
    { row, mayRead, mayReadComments }: VisibleHit,
    { filters: { scope = 'all' }, typed: { words }, tagged, commented }: Query,
  ): boolean =>
    scope === 'all' ||
    words.every((_, n) => {
      switch (scope) {
        case 'name':
          return row.in_name[n] === true
        case 'content':
          return mayRead && row.in_text[n] === true
        case 'tag':
          return tagged.get(row.id)?.[n] === true
        case 'comment':
          return mayReadComments && commented.get(row.id)?.[n] === true
      }
    }),
  tag: ({ row }: VisibleHit, { bearing }: Query): boolean => bearing === undefined || bearing.has(row.id),
  docType: ({ row }: VisibleHit, { filters: { docType } }: Query): boolean =>
    docType === undefined || typeOf(row) === docType,
  time: ({ row }: VisibleHit, { filters, now }: Query): boolean => {
    const { from = 0, to = Number.MAX_SAFE_INTEGER } = timesOf(filters, now)
    return row.modified_at >= from && row.modified_at < to
  },
  size: ({ row }: VisibleHit, { filters: { sizeFrom, sizeTo } }: Query): boolean =>
    (sizeFrom === undefined && sizeTo === undefined) ||
    (row.f_type === 1 && row.size >= (sizeFrom ?? 0) && row.size < (sizeTo ?? Number.MAX_SAFE_INTEGER)),
  place: ({ library, path, row }: VisibleHit, { isInScope }: Query): boolean =>
    isInScope(library, row.parent_id === null ? [] : path),
} as const
type Part = keyof typeof parts

const typeOf = ({ f_type: fType, ext, link_to: link }: Found): DocType | undefined =>
  link === null ? docTypeOf({ fType, ext }) : undefined

/** Whether a hit passes all filters, or all but one. */
export const passes = (hit: VisibleHit, query: Query, except?: Part): boolean =>
  (Object.keys(parts) as Part[]).every((part) => part === except || parts[part](hit, query))

/** The number of hits for each value of each filter. */
export function facetsOf(hits: readonly VisibleHit[], isAll: boolean, query: Query): SearchFacets {
  const among = (part: Part): readonly VisibleHit[] => hits.filter((hit) => passes(hit, query, part))
  const count = (part: Part, is: Readonly<Record<string, (hit: VisibleHit) => boolean>>): SearchFacets['scopes'] => {
    const left = among(part)
    return Object.entries(is).map(([value, test]) => ({ value, total: left.filter(test).length }))
  }
  const chosen = (filters: Filters): Query => ({ ...query, filters })
  const times = Object.fromEntries(
    searchDays.map((days) => [String(days), (hit: VisibleHit) => hit.row.modified_at >= query.now - days * dayMs]),
  )
  const sizes = Object.fromEntries(
    searchSizes.map(({ from, to }, n) => [
      String(n),
      (hit: VisibleHit) => parts.size(hit, chosen({ sizeFrom: from, sizeTo: to })),
    ]),
  )
  const any = (): boolean => true
  return {
    isMore: !isAll,
    scopes: count('scope', {
      all: any,
      name: (hit) => parts.scope(hit, chosen({ scope: 'name' })),
      content: (hit) => parts.scope(hit, chosen({ scope: 'content' })),
      tag: (hit) => parts.scope(hit, chosen({ scope: 'tag' })),
      ...(query.filters.scope === 'comment'
        ? { comment: (hit) => parts.scope(hit, chosen({ scope: 'comment' })) }
        : {}),
    }),
    docTypes: count('docType', {
      all: any,
      ...Object.fromEntries(docTypes.map((type) => [type, ({ row }: VisibleHit) => typeOf(row) === type])),
    }),
    days: count('time', { all: any, ...times }),
    sizes: count('size', { all: any, ...sizes }),
    tags: count('tag', {
      all: any,
      ...(query.filters.tagId === undefined ? {} : { here: (hit) => parts.tag(hit, query) }),
    }),
    places: count('place', {
      all: any,
      ...(query.filters.folderId === undefined ? {} : { here: (hit) => parts.place(hit, query) }),
    }),
  }
}
