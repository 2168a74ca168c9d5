// The pane next to the results: saved searches, and the number of results of each kind ([R241]).

import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { goBack } from '../../core/page/navigation-history.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { ChevronLeft16Regular } from '../../kit/icons.ts'
import { useSavedSearches } from '../search/saved-searches.ts'
import { type FilterDimension, isFilterSet, isSameSearch } from '../search/search-query.ts'
import { filterChoices, filterValueLabel } from './filter-labels.ts'
import { SavedSearchRow } from './saved-search-row.tsx'
import { useSearch } from './use-search.ts'

const shown = ['place', 'scope', 'type', 'time', 'size'] as const satisfies readonly FilterDimension[]
const facetOf = { place: 'places', scope: 'scopes', type: 'docTypes', time: 'days', size: 'sizes' } as const
const extOf: Readonly<Record<string, string>> = {
  word: 'docx',
  excel: 'xlsx',
  ppt: 'pptx',
  pdf: 'pdf',
  image: 'png',
  media: 'mp4',
  other: 'txt',
}

/** The pane next to the results. */
export function FacetsPane(): ReactNode {
  const t = useT()
  const search = useSearch()
  const saved = useSavedSearches()
  const { query, info, go, choose } = search
  const facets = info?.facets
  return (
    <div className="dr-facets">
      <button type="button" className="dr-facet is-back" onClick={goBack}>
        <ChevronLeft16Regular />
        <span>{t('search.back')}</span>
      </button>
      {saved.length > 0 && (
        <section aria-label={t('search.saved.title')}>
          <h3>{t('search.saved.title')}</h3>
          {saved.map((one) => (
            <SavedSearchRow
              key={one.searchId}
              saved={one}
              isOn={isSameSearch(one.query, query)}
              onGo={() => go(one.query)}
            />
          ))}
        </section>
      )}
      {shown.map((dim) => {
        const choices = filterChoices(dim, query, search, t)
        if (dim === 'place' && choices.length < 2) return null
        const now = filterValueLabel(query, dim, search, t)
        const title = dim === 'time' ? t('search.facet.time') : t(`search.dim.${dim}`)
        return (
          <section key={dim} aria-label={title}>
            <h3>{title}</h3>
            {choices.map(({ key, label, change }) => {
              const n = facets?.[facetOf[dim]].find(({ value }) => value === key)?.total
              const on =
                key === 'all' ? !isFilterSet(query, dim) : dim === 'place' ? isFilterSet(query, dim) : label === now
              return (
                <button
                  key={key}
                  type="button"
                  className={`dr-facet${on ? ' is-on' : ''}${n === 0 && !on ? ' is-none' : ''}`}
                  aria-current={on || undefined}
                  onClick={() => choose(dim, change)}
                >
                  {dim === 'type' && key !== 'all' && (
                    <i>{key === 'folder' ? <FolderIcon size={16} /> : <FileIcon ext={extOf[key] ?? ''} size={16} />}</i>
                  )}
                  <span>{label}</span>
                  {n !== undefined && <small>{facets?.isMore === true && n >= 1000 ? '1,000+' : n}</small>}
                </button>
              )
            })}
          </section>
        )
      })}
    </div>
  )
}
