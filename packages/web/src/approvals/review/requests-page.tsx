// The page of a list of requests of any kind: the filter, 30 per page ([R219], [R231]), and a hint if there are none.
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { SheetPicture } from '../../items/lists/list-states.tsx'
import { Button } from '../../kit/button.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { useListKeys } from '../../kit/use-list-keys.ts'
import { RequestListTabs } from './request-list-tabs.tsx'
import { perPage, type StateFilter, stateFilters } from './review-queries.ts'
import './approvals.css'

interface RequestsPageProps<Request> {
  readonly shownFirst: StateFilter
  readonly listOf: (
    state: StateFilter,
    page: number,
  ) => { queryKey: QueryKey; queryFn: () => Promise<{ list: readonly Request[]; total: number }> }
  /** Renders a list item. */
  readonly renderRow: (request: Request) => ReactNode
  /** The query parameter that names a request. A notice links to its request with it. */
  readonly asked: string
  readonly onAsked: (id: number) => void
  readonly nothing: { readonly title: string; readonly text: string }
  /** Shown at the end of the header. */
  readonly children?: ReactNode
}

export function RequestsPage<Request>(props: RequestsPageProps<Request>): ReactNode {
  const { shownFirst, listOf, renderRow, asked, onAsked, nothing, children } = props
  const t = useT()
  const [state, setState] = useState(shownFirst)
  const [page, setPage] = useState(0)
  const { data, error, refetch } = useQuery(listOf(state, page))
  const [query, setQuery] = useSearchParams()
  const id = Number(query.get(asked) ?? 0)
  const show = useEffectEvent(onAsked)
  useEffect(() => {
    if (id <= 0) return
    setQuery({}, { replace: true })
    show(id)
  }, [id, setQuery])
  const keys = useListKeys()
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  return (
    <section className="ap-page" aria-label={t('approvals.title')}>
      <header>
        <h1>{t('approvals.title')}</h1>
        <RequestListTabs />
        <div className="ap-segments" role="group" aria-label={t('approvals.state')}>
          {stateFilters.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={state === one}
              onClick={() => {
                setState(one)
                setPage(0)
              }}
            >
              {t(`approvals.state.${one}`)}
            </button>
          ))}
        </div>
        {children}
      </header>
      {error !== null ? (
        <StatePage picture={<SheetPicture sign="warning" />} title={t('approvals.notLoaded')} text={error.message}>
          <Button onClick={() => void refetch()}>{t('drive.retry')}</Button>
        </StatePage>
      ) : data === undefined ? (
        <Spinner label={t('approvals.loading')} />
      ) : data.list.length === 0 ? (
        <StatePage picture={<SheetPicture sign="search" />} {...nothing} />
      ) : (
        <ul className="ap-list" {...keys}>
          {data.list.map(renderRow)}
        </ul>
      )}
      {pages > 1 && (
        <footer>
          <PagePager
            page={page}
            pages={pages}
            onPage={setPage}
            previousLabel={t('approvals.before')}
            nextLabel={t('approvals.after')}
          />
        </footer>
      )}
    </section>
  )
}
