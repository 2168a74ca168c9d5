// The lines of a grid that are drawn: heads of groups, rows or tiles, and grey bars where a row is not loaded.
import type { ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { useLocale } from '../../../core/i18n/i18n.ts'
import { type ActionContext, evaluate, rules } from '../../actions/actions.ts'
import { type ItemKey, keyOf } from '../../item/item.ts'
import type { SortKey } from '../../lists/folder-list.ts'
import type { Line } from '../../lists/list-layout.ts'
import { isSelected, type Selection } from '../../lists/selection.ts'
import type { ItemColumn } from './columns.ts'
import { GroupHead, groupLabel } from './groups.tsx'
import { Row } from './row.tsx'
import { Tile } from './tile.tsx'
import type { GridLayout } from './use-grid-layout.ts'

interface GridLinesProps {
  readonly lines: readonly Line[]
  readonly items: readonly (ItemRecord | undefined)[]
  readonly place: Pick<GridLayout, 'tile' | 'leftOf'>
  readonly columns: readonly ItemColumn[]
  readonly canDrag: boolean
  /** What the groups are by. */
  readonly sort: SortKey
  readonly selection: Selection
  readonly focusIndex: number
  readonly cut: ReadonlySet<ItemKey>
  readonly editing: ItemKey | undefined
  readonly dropTarget: ItemKey | undefined
  readonly now: number
  readonly context: ActionContext
  readonly isTaken: (name: string) => boolean
  readonly onRename: (item: ItemRecord, name: string) => Promise<void>
  readonly onEditEnd: () => void
}

/** The lines. */
export function GridLines(props: GridLinesProps): ReactNode {
  const { lines, items, place, columns, canDrag, sort, selection, focusIndex, cut, editing, dropTarget, context } =
    props
  const { now, isTaken, onRename, onEditEnd } = props
  const { tile, leftOf } = place
  const locale = useLocale()
  return lines.flatMap((line) => {
    if (line.isHead && line.group !== undefined) {
      const { group, top } = line
      return [
        <GroupHead key={`head-${group.fType}-${group.key}`} group={group} label={groupLabel(sort, group)} top={top} />,
      ]
    }
    return Array.from({ length: line.to - line.from }, (_, across) => {
      const index = line.from + across
      const item = items[index]
      if (item === undefined) {
        return (
          <div
            key={`waiting-${index}`}
            className={`dr-row is-waiting${isSelected(selection, undefined, index) ? ' is-selected' : ''}`}
            style={{
              transform: `translate(${leftOf(across)}px, ${line.top}px)`,
              ...(tile && { width: tile.width, height: tile.height }),
            }}
            data-index={index}
            aria-hidden="true"
          >
            <i />
            <i />
          </div>
        )
      }
      const key = keyOf(item)
      const shared = {
        item,
        index,
        top: line.top,
        selected: selection.keys.has(key),
        focused: index === focusIndex,
        cut: cut.has(key),
        editing: editing === key,
        dropTarget: dropTarget === key,
        locale,
        now,
        isTaken,
        onRename,
        onEditEnd,
      }
      return tile === undefined ? (
        <Row key={key} {...shared} columns={columns} canDrag={canDrag} />
      ) : (
        <Tile
          key={key}
          {...shared}
          left={leftOf(across)}
          width={tile.width}
          height={tile.height}
          sign={tile.sign}
          canPreview={evaluate(rules.preview, [item], context).enabled}
        />
      )
    })
  })
}
