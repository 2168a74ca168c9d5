// A list of items on a page: its rows, or what stands in their place while they come, when they do not, and when there are
// none. The page beside it adds paths, tools and panels.
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
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

interface ItemListProps {
  readonly source: ListSource
  readonly rows: ListRows
  readonly actions: Pick<ListActions<never>, 'attempt' | 'openMenu'>
  readonly context: ActionContext
  /** What is known of the folder that is shown, for what a drop is told to do. */
  readonly path?: FolderInfo | undefined
  /** Why nothing can be shown, beside what the rows know. */
  readonly failed?: unknown
  /** How that is called where the list is of no folder. */
  readonly failedTitle?: string
  /** Rows wait for something else. */
  readonly waits?: boolean
  readonly onRetry: () => void
  /** Away from what cannot be shown. */
  readonly onLeave: () => void
  readonly cut?: ReadonlySet<ItemKey>
  /** A name was edited; `isConfirmed` where Enter ended that. */
  readonly onNamed?: (isConfirmed: boolean) => void
  /** Stands where there are no rows: over them, for the ground stays. */
  readonly empty: ReactNode
  /** What is empty needs no heads of columns. */
  readonly bareWhenEmpty?: true
}

const nothingCut: ReadonlySet<ItemKey> = new Set()

/** The list. */
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

  // The same for all rows, or each would be drawn again with every change of the selection.
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

  return (
    <div className="dr-list">
      {error !== undefined ? (
        <FolderFailure error={error} onRetry={onRetry} onUp={onLeave} title={props.failedTitle} />
      ) : !ready ? (
        slow && <SkeletonRows count={8} />
      ) : (
        <>
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
