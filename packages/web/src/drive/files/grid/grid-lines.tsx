// The rendered lines of a grid: group headers, rows or tiles, and grey placeholders for rows that are not loaded.
import type { ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { useLocale } from '../../../core/i18n/i18n.ts'
import { type ActionContext, evaluate, rules } from '../../../items/actions/actions.ts'
import { type ItemKey, keyOf } from '../../../items/item/item.ts'
import type { SortKey } from '../../../items/lists/folder-list.ts'
import type { Line } from '../../../items/lists/list-layout.ts'
import { isSelected, type Selection } from '../../../items/lists/selection.ts'
import type { ItemColumn } from './columns.ts'
import { GroupHead, groupLabel } from './groups.tsx'
import type { RowRenderer } from './list-source.ts'
import { Row } from './row.tsx'
import { Tile } from './tile.tsx'
import { type GridLayout, tileLeft } from './use-grid-layout.ts'

interface GridLinesProps {
  readonly lines: readonly Line[]
  readonly items: readonly (ItemRecord | undefined)[]
  readonly place: Pick<GridLayout, 'tilesOf'>
  readonly columns: readonly ItemColumn[]
  readonly look: RowRenderer | undefined
  readonly canDrag: boolean
  /** The sort key of the groups. */
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
  readonly onEditEnd: (isConfirmed: boolean) => void
}

export function GridLines(props: GridLinesProps): ReactNode {
  const {
    lines,
    items,
    place,
    columns,
    look,
    canDrag,
    sort,
    selection,
    focusIndex,
    cut,
    editing,
    dropTarget,
    context,
  } = props
  const { now, isTaken, onRename, onEditEnd } = props
  const locale = useLocale()
  return lines.flatMap((line) => {
    if (line.isHead && line.group !== undefined) {
      const { group, top } = line
      return [
        <GroupHead key={`head-${group.fType}-${group.key}`} group={group} label={groupLabel(sort, group)} top={top} />,
      ]
    }
    const tiles = place.tilesOf(line)
    return Array.from({ length: line.to - line.from }, (_, across) => {
      const left = tiles === undefined ? 0 : tileLeft(tiles, across)
      const index = line.from + across
      const item = items[index]
      if (item === undefined) {
        return (
          <div
            key={`waiting-${index}`}
            className={`dr-row is-waiting${isSelected(selection, undefined, index) ? ' is-selected' : ''}`}
            style={{
              transform: `translate(${left}px, ${line.top}px)`,
              ...(look && { height: line.height }),
              ...(tiles && { width: tiles.width, height: tiles.height }),
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
      return tiles === undefined ? (
        <Row key={key} {...shared} columns={columns} look={look} canDrag={canDrag} />
      ) : (
        <Tile
          key={key}
          {...shared}
          look={tiles.look}
          left={left}
          width={tiles.width}
          height={tiles.height}
          sign={tiles.sign}
          canPreview={evaluate(rules.preview, [item], context).enabled}
        />
      )
    })
  })
}
