// Inverts structure operations, as far as possible. Deleted rows and columns are only in an earlier version.
import type { StructureOperation } from './sheet-structure.ts'
import type { Workbook } from './workbook.ts'

/** Returns the operation that reverts `change`, from the workbook before it; undefined if there is none. */
export function inverseOperation(before: Workbook, change: StructureOperation): StructureOperation | undefined {
  const { part } = change
  const places = before.sheets.map((one) => one.part)
  switch (change.kind) {
    case 'move': {
      const { move } = change
      return move.by > 0 ? { ...change, move: { ...move, by: -move.by } } : undefined
    }
    case 'size': {
      const { heights, widths } = before.sheet(part)
      const sizes = change.axis === 'rows' ? heights : widths
      const size = sizes.get(change.from)
      for (let n = change.from; n <= change.to; n++) if (sizes.get(n) !== size) return undefined
      const { axis, from, to } = change
      return { part, kind: 'size', axis, from, to, ...(size !== undefined && { size }) }
    }
    case 'merge':
      return { part, kind: 'split', area: change.area }
    case 'split': {
      const [only, more] = before
        .sheet(part)
        .merges.filter(({ top, left }) => top >= change.area.top && left >= change.area.left)
        .filter(({ top, left }) => top <= change.area.bottom && left <= change.area.right)
      return only === undefined || more !== undefined ? undefined : { part, kind: 'merge', area: only }
    }
    case 'freeze':
      return { part, kind: 'freeze', ...before.sheet(part).frozen }
    case 'sort':
      return { ...change, rows: change.rows.map(([to, from]) => [from, to] as const) }
    case 'filter': {
      const { filter, heights } = before.sheet(part)
      const { top, bottom } = (filter ?? change.filter)?.area ?? { top: 0, bottom: 0 }
      const out = Array.from({ length: bottom - top }, (_, n) => top + 1 + n).filter((row) => heights.get(row) === 0)
      return { part, kind: 'filter', filter, out: filter === undefined ? [] : out }
    }
    case 'title': {
      const chart = before.drawings(part).find(({ shows }) => shows.kind === 'chart' && shows.part === change.chart)
      return chart?.shows.kind === 'chart' ? { ...change, title: chart.shows.title } : undefined
    }
    case 'rename': {
      const name = [...before.sheets, ...before.hidden].find((one) => one.part === part)?.name
      return name === undefined ? undefined : { part, kind: 'rename', name }
    }
    case 'order':
      return { part, kind: 'order', before: places[places.indexOf(part) + 1] }
    case 'show':
      return { part, kind: 'show', is: !change.is }
    case 'add':
    case 'remove':
    case 'tint':
      return undefined
  }
}
