// The page of a list whose items lie in different folders: its header, its rows, and the empty state.
import type { ItemRecord } from '@cloudoc/contract'
import { type ReactNode, useMemo, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../../../core/i18n/i18n.ts'
import { useActionContext } from '../../../items/actions/use-action-context.ts'
import { type Filter, FilterField } from '../../../items/lists/filter-field.tsx'
import type { FolderList, Sorting, SortKey } from '../../../items/lists/folder-list.ts'
import { NoMatch, SheetPicture, StatePage } from '../../../items/lists/list-states.tsx'
import { Button } from '../../../kit/button.tsx'
import type { FixedColumns } from './columns.ts'
import { groupByKind, groupByTime } from './groups.tsx'
import { ItemList } from './item-list.tsx'
import type { ListSource } from './list-source.ts'
import { type FlatListPage, useFlatListPage } from './use-flat-list-page.ts'
import { useListActions } from './use-list-actions.ts'
import { useListRows } from './use-list-rows.ts'
import { useListStatus } from './use-list-status.ts'

interface FlatListProps extends Filter {
  readonly list: FolderList
  readonly module: string
  readonly label: string
  readonly columns: FixedColumns
  readonly head: ReactNode
  /** Shown at the end of the header, after the filter. */
  readonly tools?: ReactNode
  /** Shown between the header and the rows. */
  readonly above?: ReactNode
  /** Groups the rows by day, latest first, or separates the folders from the files after them. */
  readonly grouped?: 'days' | 'kinds'
  /** The sort order and its setter, where the order can be chosen. */
  readonly sorting?: Sorting
  readonly onSort?: (sort: SortKey) => void
  readonly nothing: string
  readonly hint: string
}

const byTime = { sort: 'time', order: 'desc' } as const

export function FlatList(props: FlatListProps): ReactNode {
  const { list, module, label, columns, head, above, tools, grouped, nothing, hint, keyword, onKeyword } = props
  const { sorting = byTime, onSort } = props
  const t = useT()
  const navigate = useNavigate()
  const context = useActionContext()
  const root = useRef<HTMLElement>(null)
  const page = useFlatListPage(context, root)
  const rows = useListRows({ rows: list })
  const { state, count, chosen, now } = rows
  const day = new Date(now).toDateString()
  const groups = useMemo(() => {
    if (grouped === 'kinds') return groupByKind(state)
    if (grouped === undefined || !state.complete) return undefined
    return groupByTime(state.items as readonly ItemRecord[], Date.parse(day))
  }, [grouped, state, day])
  const source: ListSource = {
    ...{ rows: list, module, label, columns, sorting, groups, onOpen: page.open },
    ...(onSort && { onSort }),
  }
  useListStatus(state.status === 'ready' ? { total: state.total, of: undefined, count, chosen } : undefined)
  const actions = useListActions<FlatListPage>({ source, rows, root, context, page })
  const again = (): void => void list.refresh()
  return (
    <section className="dr-files dr-recycle" ref={root} aria-label={label} onKeyDown={actions.onKeyDown}>
      <div className="dr-path-bar">
        {head}
        <div className="dr-placed-tools">
          {(keyword !== '' || state.total > 0 || state.status !== 'ready') && (
            <FilterField
              label={t('drive.filterList')}
              keyword={keyword}
              onKeyword={onKeyword}
              onLeave={() => rows.grid.current?.focus()}
            />
          )}
          {tools}
        </div>
      </div>
      {above}
      <ItemList
        source={source}
        rows={rows}
        actions={actions}
        context={context}
        onRetry={again}
        onLeave={again}
        failedTitle={t('drive.state.listFailed')}
        bareWhenEmpty
        empty={
          keyword === '' ? (
            <StatePage picture={<SheetPicture sign="search" />} title={nothing} text={hint}>
              <Button onClick={() => void navigate('/doc/folder/files')}>{t('drive.state.toMyFiles')}</Button>
            </StatePage>
          ) : (
            <NoMatch keyword={keyword} onKeyword={onKeyword} />
          )
        }
      />
    </section>
  )
}
