// The page /doc/folder/search: the results of a search in names and contents, with filter chips, facet counts, and the
// matching passages of the selected document ([R240]-[R242]).

import type { ItemRecord, SearchFacets } from '@cloudoc/contract'
import { formatSize, isVirtualFolder, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { api, mainServer } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { statusStore } from '../../core/page/status.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { type ActionContext, evaluate, rules } from '../../items/actions/actions.ts'
import { resolveLink } from '../../items/actions/links.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { previewFile } from '../../items/actions/preview-file.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { folderPath, isFolder, isLink, keyOf, parentOf } from '../../items/item/item.ts'
import type { SearchTarget } from '../../items/item/search-target.ts'
import { ItemTags } from '../../items/labels/tag-chip.tsx'
import { SheetPicture, StatePage } from '../../items/lists/list-states.tsx'
import { refetchSearch } from '../../items/lists/lists.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Bookmark16Filled, Bookmark16Regular, Info20Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { type FixedColumns, itemColumns } from '../files/grid/columns.ts'
import { ItemList } from '../files/grid/item-list.tsx'
import type { ListSource } from '../files/grid/list-source.ts'
import { Picture } from '../files/grid/tile.tsx'
import { useListActions } from '../files/grid/use-list-actions.ts'
import { useListRows } from '../files/grid/use-list-rows.ts'
import { useSavedSearches } from '../search/saved-searches.ts'
import { type FilterDimension, filterDimensions, isFilterSet, withoutFilter } from '../search/search-query.ts'
import { FilterChips } from './filter-chips.tsx'
import { filterValueLabel } from './filter-labels.ts'
import type { ResultsPage } from './menu.tsx'
import { Passage, resultRowRenderer, searchTargetOf } from './result-row.tsx'
import { deleteSavedSearch, type SearchOnPage, savedSearchName, saveSearch, useSearch } from './use-search.ts'
import './results.css'

const columns: FixedColumns = {
  columns: [{ ...itemColumns.time }, { ...itemColumns.by }],
  template: '36px minmax(0, 1fr) 96px 88px',
}
const sorts = ['relevance', 'time', 'name', 'size'] as const

export function ResultsView(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const context = useActionContext()
  const search = useSearch()
  const { query, list, info, go } = search
  const root = useRef<HTMLElement>(null)
  const [panel, setPanel] = useState(() => !window.matchMedia('(max-width: 1199px)').matches)
  const showInFolder = (item: ItemRecord): void => {
    if (item.parentFolderId > 0) void navigate(folderPath(parentOf(item), item))
  }
  const open = async (item: ItemRecord, find?: SearchTarget): Promise<void> => {
    try {
      const target = isLink(item) ? await resolveLink(item) : item
      if (target === undefined) return
      if (isFolder(target)) return void navigate(folderPath(target))
      void openWindow('previewer', { fileInfo: previewFile(target, context), find })
    } catch (error) {
      notifyFailure(error)
    }
  }
  const onOpen = (item: ItemRecord): void => void open(item)
  const openAt = (item: ItemRecord, find: SearchTarget): void => void open(item, find)
  const look = useMemo(() => resultRowRenderer(query.keyword, info, t), [query.keyword, info, t])
  const source: ListSource = { rows: list, module: 'search', label: t('search.of'), columns, rowRenderer: look, onOpen }
  const rows = useListRows(source)
  const page: ResultsPage = {
    open: onOpen,
    preview: onOpen,
    showInFolder,
    rename: () => {},
    rerun: () => void refetchSearch(),
  }
  const actions = useListActions<ResultsPage>({ source, rows, root, context, page })
  const { state, chosen, count, grid, now } = rows
  const ready = state.status === 'ready' && state.total > 0
  useEffect(() => {
    const active = document.activeElement
    if (ready && (active === null || active === document.body)) grid.current?.focus()
  }, [ready, grid])
  const total = info === undefined || info.total < 1000 ? info?.total : info.total.toLocaleString()
  const line = total === undefined ? '' : t(info?.isMore ? 'search.more' : 'search.total', { n: total })
  const chosenLine = count > 0 ? t('drive.chosen', { n: count }) : ''
  useEffect(() => {
    statusStore.setState({ parts: [line, chosenLine].filter(Boolean) })
    return () => statusStore.setState({ parts: [] })
  }, [line, chosenLine])
  if (query.keyword.trim() === '') return <NothingTyped />
  return (
    <div className="dr-page">
      <section className="dr-files dr-results" ref={root} aria-label={t('search.of')} onKeyDown={actions.onKeyDown}>
        <div className="dr-path-bar">
          <h1 title={query.keyword}>{t('search.title', { keyword: query.keyword })}</h1>
          {info !== undefined && (
            <span className="dr-results-total" role="status">
              {line} · {t('search.took', { n: (info.took / 1000).toFixed(2) })}
            </span>
          )}
          <span className="dr-results-tools">
            <SaveButton search={search} />
            <Select
              label={t('search.sort')}
              size="small"
              value={query.sort ?? 'relevance'}
              options={sorts.map((sort) => ({ value: sort, label: t(`search.sort.${sort}`) }))}
              onChange={(sort) => {
                const { order: _, sort: __, ...rest } = query
                go(sort === 'relevance' ? rest : { ...rest, sort })
              }}
            />
            <IconButton
              label={t('search.panel')}
              icon={<Info20Regular />}
              pressed={panel}
              onClick={() => setPanel(!panel)}
            />
          </span>
        </div>
        <FilterChips search={search} />
        <Meant search={search} />
        <ItemList
          source={source}
          rows={rows}
          actions={actions}
          context={context}
          onRetry={() => void refetchSearch()}
          onLeave={() => void navigate('/doc/folder/files')}
          failedTitle={t('search.failed', { keyword: query.keyword })}
          bareWhenEmpty
          empty={<NothingFound search={search} />}
        />
      </section>
      {panel && ready && (
        <Matches
          item={count === 1 ? chosen[0] : undefined}
          search={search}
          context={context}
          now={now}
          page={page}
          openAt={openAt}
        />
      )}
    </div>
  )
}

function NothingTyped(): ReactNode {
  const t = useT()
  return (
    <div className="dr-page">
      <section className="dr-files" aria-label={t('search.of')}>
        <StatePage
          picture={<SheetPicture sign="search" />}
          title={t('search.empty.title')}
          text={t('search.empty.hint')}
        />
      </section>
    </div>
  )
}

/** Saves the search under its description, or removes the saved search. */
function SaveButton({ search }: { readonly search: SearchOnPage }): ReactNode {
  const { query } = search
  const t = useT()
  const saved = useSavedSearches()
  const kept = savedSearchName(saved, query)
  const name = [
    query.keyword,
    ...filterDimensions.filter((dim) => isFilterSet(query, dim)).map((dim) => filterValueLabel(query, dim, search, t)),
  ].join(' ')
  const [isBusy, setBusy] = useState(false)
  const toggle = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      if (kept !== undefined) return await deleteSavedSearch(kept.searchId)
      await saveSearch(name, query)
      toast({ kind: 'success', text: t('search.saved.done') })
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      kind="ghost"
      size="small"
      aria-pressed={kept !== undefined}
      aria-busy={isBusy || undefined}
      icon={kept === undefined ? <Bookmark16Regular /> : <Bookmark16Filled />}
      onClick={() => void toggle()}
    >
      {t(kept === undefined ? 'search.save' : 'search.saved')}
    </Button>
  )
}

/** Suggests other terms, and shows the terms that were searched instead. */
function Meant({ search: { query, info, list, go } }: { readonly search: SearchOnPage }): ReactNode {
  const t = useT()
  if (info === undefined) return null
  const { suggestions, looser, isMore, total } = info
  return (
    <>
      {suggestions.length > 0 && (
        <p className="dr-meant">
          {t('search.meant')}
          {suggestions.map(({ keyword, total: n }) => (
            <span key={keyword}>
              <Button kind="link" size="small" onClick={() => go({ ...query, keyword })}>
                {keyword}
              </Button>
              {t('search.meantTotal', { n })}
            </span>
          ))}
        </p>
      )}
      {looser !== undefined && (
        <p className="dr-meant">
          {t('search.looser', { keyword: query.keyword, words: looser.map((word) => `“${word}”`).join(' ') })}
        </p>
      )}
      {info.isReading && (
        <p className="dr-meant" role="status">
          {t('search.reading')}{' '}
          <Button kind="link" size="small" onClick={() => void list.refresh()}>
            {t('search.again')}
          </Button>
        </p>
      )}
      {isMore && <p className="dr-meant">{t('search.newest', { n: total.toLocaleString() })}</p>}
    </>
  )
}

/** Returns the number of results without a filter. */
const allOf = (counts: SearchFacets['days'] | undefined): number | undefined =>
  counts?.find(({ value }) => value === 'all')?.total

/** Offers filters to remove when there are no results, with the number of results for each. */
function NothingFound({ search }: { readonly search: SearchOnPage }): ReactNode {
  const t = useT()
  const { query, info, go } = search
  const facets = info?.facets
  const counts: Readonly<Record<FilterDimension, number | undefined>> = {
    time: allOf(facets?.days),
    size: allOf(facets?.sizes),
    type: allOf(facets?.docTypes),
    scope: allOf(facets?.scopes),
    tag: allOf(facets?.tags),
    place: allOf(facets?.places),
  }
  const chosen = filterDimensions.filter((dim) => isFilterSet(query, dim))
  const worth = chosen.filter((dim) => (counts[dim] ?? 0) > 0)
  return (
    <StatePage
      picture={<SheetPicture sign="search" />}
      title={t('search.none.title', { keyword: query.keyword })}
      text={t(worth.length > 0 ? 'search.none.withFilters' : 'search.none.hint')}
    >
      <div className="dr-none-ways">
        {worth.length > 0 && (
          <ul className="dr-worth">
            {worth.map((dim) => (
              <li key={dim}>
                <span>
                  {t(`search.dim.${dim}`)}: {filterValueLabel(query, dim, search, t)}
                </span>
                <Button kind="link" size="small" onClick={() => go(withoutFilter(query, dim))}>
                  {dim === 'place' ? t('search.none.everywhere') : t('search.remove', { dim: t(`search.dim.${dim}`) })}
                  {' · '}
                  {t('search.total', { n: counts[dim] ?? 0 })}
                </Button>
              </li>
            ))}
          </ul>
        )}
        {chosen.length > 0 && (
          <Button onClick={() => go({ keyword: query.keyword, scope: 'all' })}>{t('search.clear')}</Button>
        )}
        <p className="dr-none-rights">{t('search.none.rights')}</p>
      </div>
    </StatePage>
  )
}

interface MatchesProps {
  readonly item: ItemRecord | undefined
  readonly search: SearchOnPage
  readonly context: ActionContext
  readonly now: number
  readonly page: ResultsPage
  /** Opens a document at a match of the search. */
  readonly openAt: (item: ItemRecord, find: SearchTarget) => void
}

/** The matching passages of the selected document. */
function Matches({ item, search: { query, info }, context, now, page, openAt }: MatchesProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const said = item && info?.highlights.get(keyOf(item))
  const fileId = item !== undefined && !isFolder(item) && !isLink(item) ? item.fId : 0
  const inContent = said === undefined || said.in.includes('content')
  const { data, isError } = useQuery({
    queryKey: ['drive', 'matches', fileId, item?.version, query.keyword],
    queryFn: () => api.of(item ?? mainServer).getSearchMatches({ fileId, keyword: query.keyword }, { quiet: true }),
    enabled: fileId > 0 && !isVirtualFolder(fileId) && inContent,
    retry: false,
  })
  const passages = data?.list ?? []
  const first = searchTargetOf(passages, 0)
  if (item === undefined)
    return (
      <aside className="dr-info dr-matches" aria-label={t('search.panel')}>
        <p className="dr-matches-none">{t('search.matches.none')}</p>
      </aside>
    )
  return (
    <aside className="dr-info dr-matches" aria-label={t('search.panel')}>
      <div className="dr-info-picture">
        <Picture item={item} sign={64} canPreview={evaluate(rules.preview, [item], context).enabled} />
      </div>
      <h2 title={item.fName}>{item.fName}</h2>
      <p className="dr-info-meta">
        {[
          isFolder(item) ? '' : formatSize(item.fileSize),
          shortTime(item.modifyTime, now, locale),
          item.lastOperatorName,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <h3>{t('search.matches', { n: data?.total ?? said?.times ?? 0 })}</h3>
      {passages.length === 0 ? (
        <p className="dr-matches-name">{t(isError && inContent ? 'search.matches.failed' : 'search.matches.name')}</p>
      ) : (
        <ol>
          {passages.map((passage, n) => {
            const sought = searchTargetOf(passages, n)
            return (
              <li key={n}>
                <button
                  type="button"
                  title={t('search.openHere')}
                  disabled={sought === undefined}
                  onClick={() => sought && openAt(item, sought)}
                >
                  <Passage passage={passage} t={t} />
                </button>
              </li>
            )
          })}
        </ol>
      )}
      <ItemTags item={item} />
      <div className="dr-matches-tools">
        <Button
          kind="primary"
          size="small"
          onClick={() => (first === undefined ? page.open(item) : openAt(item, first))}
        >
          {t('search.open')}
        </Button>
        {item.parentFolderId > 0 && (
          <Button size="small" onClick={() => page.showInFolder(item)}>
            {t('search.showInFolder')}
          </Button>
        )}
      </div>
    </aside>
  )
}
