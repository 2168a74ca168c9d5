// A page of a list whose items lie in different places: its head, its rows, and what stands where there are none.
import type { ItemRecord } from '@cloudoc/contract'
import { type ReactNode, useMemo, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../../../core/i18n/i18n.ts'
import { Button } from '../../../kit/button.tsx'
import { useActionContext } from '../../actions/use-action-context.ts'
import type { FolderList } from '../../lists/folder-list.ts'
import { SheetPicture, StatePage } from '../../lists/states.tsx'
import type { FixedColumns } from './columns.ts'
import { groupByTime } from './groups.tsx'
import { ItemList } from './item-list.tsx'
import type { ListSource } from './list-source.ts'
import { useListActions } from './use-list-actions.ts'
import { useListRows } from './use-list-rows.ts'
import { type PlacedPage, usePlacedPage } from './use-placed-page.ts'
import { useStatus } from './use-status.ts'

interface PlacedListProps {
  readonly list: FolderList
  readonly module: string
  readonly label: string
  readonly columns: FixedColumns
  readonly head: ReactNode
  /** Between the head and the rows. */
  readonly above?: ReactNode
  /** The rows stand under the days of their times, the latest first. */
  readonly byDay?: boolean
  readonly nothing: string
  readonly hint: string
}

const byTime = { sort: 'time', order: 'desc' } as const

/** The page. */
export function PlacedList(props: PlacedListProps): ReactNode {
  const { list, module, label, columns, head, above, byDay = false, nothing, hint } = props
  const t = useT()
  const navigate = useNavigate()
  const context = useActionContext()
  const root = useRef<HTMLElement>(null)
  const page = usePlacedPage(context)
  const rows = useListRows({ rows: list })
  const { state, count, chosen, now } = rows
  const day = new Date(now).toDateString()
  const whole = byDay && state.complete ? state.items : undefined
  const groups = useMemo(() => whole && groupByTime(whole as readonly ItemRecord[], Date.parse(day)), [whole, day])
  const source: ListSource = { rows: list, module, label, columns, sorting: byTime, groups, onOpen: page.open }
  useStatus(state.status === 'ready' ? { total: state.total, of: undefined, count, chosen } : undefined)
  const actions = useListActions<PlacedPage>({ source, rows, root, context, page })
  const again = (): void => void list.refresh()
  return (
    <section className="dr-files dr-recycle" ref={root} aria-label={label} onKeyDown={actions.onKeyDown}>
      <div className="dr-path-bar">{head}</div>
      {above}
      <ItemList
        source={source}
        rows={rows}
        actions={actions}
        context={context}
        onRetry={again}
        onLeave={again}
        bareWhenEmpty
        empty={
          <StatePage picture={<SheetPicture sign="search" />} title={nothing} text={hint}>
            <Button onClick={() => void navigate('/doc/folder/files')}>{t('drive.state.toMyFiles')}</Button>
          </StatePage>
        }
      />
    </section>
  )
}
