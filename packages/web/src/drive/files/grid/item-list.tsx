// A list of items on a page: its rows, or a placeholder while they load, on failure, and when there are none. The page
// around it adds the path, tools and panels.
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useT } from '../../../core/i18n/i18n.ts'
import type { ActionContext } from '../../../items/actions/actions.ts'
import type { ItemKey } from '../../../items/item/item.ts'
import type { FolderInfo } from '../../../items/lists/folder-queries.ts'
import { FolderFailure, SkeletonRows } from '../../../items/lists/list-states.tsx'
import { Button } from '../../../kit/button.tsx'
import { useDelayed } from '../../../kit/use-delayed.ts'
import type { DropPlan } from '../../drag/drag.ts'
import { DropOverlay } from '../../drag/drop-overlay.tsx'
import { ItemGrid } from './item-grid.tsx'
import type { ListSource } from './list-source.ts'
import type { ListActions } from './use-list-actions.ts'
import type { ListRows } from './use-list-rows.ts'
import '../../../items/lists/list-page.css'

const ServerNotes = lazy(() =>
  import('../../../items/lists/server-notes.tsx').then((module) => ({ default: module.ServerNotes })),
)

interface ItemListProps {
  readonly source: ListSource
  readonly rows: ListRows
  readonly actions: Pick<ListActions<never>, 'attempt' | 'openMenu'>
  readonly context: ActionContext
  /** The known data of the current folder, for the text of the drop overlay. */
  readonly path?: FolderInfo | undefined
  /** An error of the page, in addition to load errors of the rows. */
  readonly failed?: unknown
  /** The title of the error for a list that is not a folder. */
  readonly failedTitle?: string
  /** Rows wait for other data. */
  readonly waits?: boolean
  readonly onRetry: () => void
  /** Leaves a list that cannot be shown. */
  readonly onLeave: () => void
  readonly cut?: ReadonlySet<ItemKey>
  /** A rename has ended. `isConfirmed` is true if the user pressed Enter. */
  readonly onNamed?: (isConfirmed: boolean) => void
  /** Shown over the list when it has no rows. The area below stays, for its menu and drops. */
  readonly empty: ReactNode
  /** An empty list hides its column headers. */
  readonly bareWhenEmpty?: true
}

const nothingCut: ReadonlySet<ItemKey> = new Set()

export function ItemList(props: ItemListProps): ReactNode {
  const { source, rows, actions, path, failed, waits = false, onRetry, onLeave, cut = nothingCut, empty } = props
  const { state, grid, setEditing } = rows
  const t = useT()
  const [dropPlan, setDropPlan] = useState<DropPlan>()
  const error = failed ?? (state.status === 'error' ? state.error : undefined) ?? undefined
  const ready = error === undefined && state.status === 'ready' && !waits
  const slow = useDelayed(error === undefined && !ready)
  const isEmpty = ready && state.total === 0
  const bare = isEmpty && props.bareWhenEmpty

  // A stable callback for all rows. Otherwise every change of the selection would render each row again.
  const { onNamed } = props
  const named = useRef(onNamed)
  useEffect(() => {
    named.current = onNamed
  }, [onNamed])
  const onEditEnd = useCallback(
    (isConfirmed: boolean): void => {
      setEditing(undefined)
      grid.current?.focus()
      named.current?.(isConfirmed)
    },
    [setEditing, grid],
  )

  const [missing, linked] = [source.rows.missing(), source.rows.linked()]
  return (
    <div className="dr-list">
      {error !== undefined ? (
        <FolderFailure error={error} onRetry={onRetry} onUp={onLeave} title={props.failedTitle} />
      ) : !ready ? (
        slow && <SkeletonRows count={8} />
      ) : (
        <>
          {(missing.length > 0 || (linked !== undefined && linked.waiting.length + linked.late.length > 0)) && (
            <Suspense>
              <ServerNotes missing={missing} linked={linked} onRetry={() => void source.rows.refresh()} />
            </Suspense>
          )}
          {state.error !== undefined && (
            <p className="dr-stale">
              {t('drive.state.stale')}
              <Button kind="link" size="small" onClick={() => void source.rows.refresh()}>
                {t('drive.retry')}
              </Button>
            </p>
          )}
          {!bare && (
            <ItemGrid
              ref={grid}
              source={source}
              rows={rows}
              cut={cut}
              context={props.context}
              onEditEnd={onEditEnd}
              onRenameKey={() => actions.attempt('rename')}
              onMenu={actions.openMenu}
              onDropPlan={setDropPlan}
            />
          )}
          {isEmpty && empty}
        </>
      )}
      <DropOverlay plan={dropPlan} here={source.folder} path={path} />
    </div>
  )
}
