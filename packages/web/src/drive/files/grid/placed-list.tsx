// A page of a list whose items lie in different places: its head, its rows, and what stands where there are none.
import { type ReactNode, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../../../core/i18n/i18n.ts'
import { Button } from '../../../kit/button.tsx'
import { useActionContext } from '../../actions/use-action-context.ts'
import type { FolderList } from '../../lists/folder-list.ts'
import { SheetPicture, StatePage } from '../../lists/states.tsx'
import type { FixedColumns } from './columns.ts'
import { ItemList } from './item-list.tsx'
import type { ListSource } from './list-source.ts'
import { useListActions } from './use-list-actions.ts'
import { useListRows } from './use-list-rows.ts'
import { type PlacedPage, usePlacedPage } from './use-placed-page.ts'

interface PlacedListProps {
  readonly list: FolderList
  readonly module: string
  readonly label: string
  readonly columns: FixedColumns
  readonly head: ReactNode
  /** Between the head and the rows. */
  readonly above?: ReactNode
  readonly nothing: string
  readonly hint: string
}

/** The page. */
export function PlacedList(props: PlacedListProps): ReactNode {
  const { list, module, label, columns, head, above, nothing, hint } = props
  const t = useT()
  const navigate = useNavigate()
  const context = useActionContext()
  const root = useRef<HTMLElement>(null)
  const page = usePlacedPage(context)
  const source: ListSource = { rows: list, module, label, columns, onOpen: page.open }
  const rows = useListRows(source)
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
