// The filters of a search as text, for chips, facets and empty pages.
import type { SearchPassage, SearchQuery, Tag } from '@cloudoc/contract'
import { type DocType, docTypes, formatSize, searchDays, searchSizes } from '@cloudoc/domain'
import type { Translate } from '../../core/i18n/i18n.ts'
import { type FilterDimension, isFilterSet, searchScopes } from '../search/search-query.ts'

export function daysLabel(days: number, t: Translate): string {
  return days === 365 ? t('search.year') : days === 1 ? t('search.day') : t('search.days', { n: days })
}

const bytesText = (bytes: number): string => formatSize(bytes, 1).replace('.0 ', ' ')

export function bytesRange(from: number | undefined, to: number | undefined, t: Translate): string {
  if (to === undefined) return t('search.bytes.over', { from: bytesText(from ?? 0) })
  if (from === undefined || from === 0) return t('search.bytes.under', { to: bytesText(to) })
  return t('search.bytes.between', { from: bytesText(from), to: bytesText(to) })
}

/** Returns a day in the format of a date field, in local time. */
export function dateOf(time: number): string {
  const date = new Date(time)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Returns the start of a day in local time. */
export function startOf(date: string): number | undefined {
  const time = new Date(`${date}T00:00:00`).getTime()
  return Number.isNaN(time) || time < 0 ? undefined : time
}

const dayMs = 24 * 60 * 60_000

function timeText({ days, timeFrom, timeTo }: SearchQuery, t: Translate): string {
  if (days !== undefined) return daysLabel(days, t)
  // The end of the range is exclusive.
  const [from, to] = [timeFrom, timeTo === undefined ? undefined : timeTo - dayMs / 2].map((time) =>
    time === undefined ? undefined : dateOf(time),
  )
  if (from !== undefined && to !== undefined) return t('search.between', { from, to })
  if (from !== undefined) return t('search.since', { from })
  return to === undefined ? t('search.any') : t('search.until', { to })
}

/** The names for the ids in a search. */
export interface FilterNames {
  /** The name of the searched folder, once it is loaded. */
  readonly placeName: string | undefined
  /** The tags that the user sees. Empty if tags are disabled. */
  readonly tags: readonly Tag[]
}

/** Returns the chosen value of a filter as text. */
export function filterValueLabel(
  query: SearchQuery,
  dim: FilterDimension,
  { placeName, tags }: FilterNames,
  t: Translate,
): string {
  const { sizeFrom, sizeTo, docType, scope = 'all', tagId } = query
  switch (dim) {
    case 'time':
      return timeText(query, t)
    case 'size':
      return isFilterSet(query, dim) ? bytesRange(sizeFrom, sizeTo, t) : t('search.any')
    case 'type':
      return docType === undefined ? t('search.all') : typeLabel(docType, t)
    case 'scope':
      return t(`search.scope.${scope}`)
    case 'tag':
      return tagId === undefined ? t('search.any') : (tags.find((tag) => tag.tagId === tagId)?.tagName ?? `${tagId}`)
    case 'place':
      return isFilterSet(query, dim) ? (placeName ?? t('search.place.thisFolder')) : t('search.place.all')
  }
}

export const typeLabel = (type: DocType, t: Translate): string => t(`search.type.${type}`)

/** Returns the location of a passage. Empty if the document has no pages, sheets or slides. */
export function passageLocationLabel({ kind, name }: SearchPassage, t: Translate): string {
  return kind === 'whole' ? '' : t(`search.where.${kind}`, { name })
}

/** A selectable filter value, as a change of the search. */
export interface FilterChoice {
  readonly key: string
  readonly label: string
  readonly change: Partial<SearchQuery>
}

export function filterChoices(
  dim: FilterDimension,
  query: SearchQuery,
  { placeName, tags }: FilterNames,
  t: Translate,
): FilterChoice[] {
  switch (dim) {
    case 'time':
      return [
        { key: 'all', label: t('search.any'), change: {} },
        ...searchDays.map((days) => ({ key: String(days), label: daysLabel(days, t), change: { days } })),
      ]
    case 'size':
      return [
        { key: 'all', label: t('search.any'), change: {} },
        ...searchSizes.map(({ from, to }, n) => ({
          key: String(n),
          label: bytesRange(from, to, t),
          change: { sizeFrom: from, ...(to === undefined ? {} : { sizeTo: to }) },
        })),
      ]
    case 'type':
      return [
        { key: 'all', label: t('search.all'), change: {} },
        ...docTypes.map((docType) => ({ key: docType, label: typeLabel(docType, t), change: { docType } })),
      ]
    case 'scope':
      return searchScopes.map((scope) => ({
        key: scope,
        label: t(`search.scope.${scope}`),
        change: { scope },
      }))
    case 'tag':
      return [
        { key: 'all', label: t('search.any'), change: {} },
        ...tags.map(({ tagId, tagName }) => ({ key: String(tagId), label: tagName, change: { tagId } })),
      ]
    case 'place':
      return [
        { key: 'all', label: t('search.place.all'), change: {} },
        ...(query.folderId === undefined
          ? []
          : [
              {
                key: 'here',
                label: t('search.place.here', { name: placeName ?? t('search.place.thisFolder') }),
                change: { folderId: query.folderId },
              },
            ]),
      ]
  }
}
