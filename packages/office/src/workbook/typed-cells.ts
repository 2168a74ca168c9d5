// The steps that typing and formatting make of cells.
import { isEqualWorn } from './cell-comparison.ts'
import { type CellFormatting, inverseFormatting } from './cell-formatting.ts'
import type { CellStore } from './cell-store.ts'
import { type Area, type Entry, readTyped } from './cells.ts'
import type { DisplayedCells } from './displayed-cells.ts'
import { fullNames } from './function-names.ts'
import type { CellRefusal, StoredWorkbook } from './read-workbook.ts'
import { type CellWrite, keyOf } from './sheet-part.ts'
import type { Step } from './undo-steps.ts'

/** Why a formatting change is refused. */
export type FormattingRefusal = 'noStyles' | 'protected' | 'tooMany'

/**
 * A formatting change of cells; properties that are not named do not change. `format` is the number of a built-in
 * number format.
 */
export interface FormattingChange {
  readonly look?: CellFormatting
  readonly format?: number
  /** Border lines around the area, or along one edge; existing lines are preserved. */
  readonly edges?: 'tblr' | 't' | 'b' | 'l' | 'r'
}

/** The maximum number of cells per formatting change. */
const maxFormattings = 20_000

interface EditedWorkbook {
  readonly stored: StoredWorkbook
  readonly store: CellStore
  readonly displayed: DisplayedCells
  /**
   * Other users may have this change in a version by the time that it is undone, so the undo contains the full
   * formatting.
   */
  readonly isShared: boolean
}

/** The step of written cells, and the reason if cells were skipped. */
export function typedStep(
  { stored, store, displayed, isShared }: EditedWorkbook,
  path: string,
  entries: readonly Entry[],
): { readonly step: Step; readonly fixed: CellRefusal | undefined } {
  let fixed: CellRefusal | undefined
  const mayLook = stored.styles !== undefined && !stored.sheet(path).isProtected
  const step = entries.flatMap(({ row, column, text, like }) => {
    const key = keyOf(row, column)
    const why = stored.whyFixed(path, row, column)
    fixed ??= why
    if (why !== undefined) return []
    const before = store.at(path, key)
    const own = store.wornAt(path, key)
    const from = like === undefined || !mayLook ? undefined : keyOf(like.row, like.column)
    const worn = from === undefined ? store.overAt(path, key) : store.wornAt(path, from)
    const isDressed = from !== undefined && !isEqualWorn(store.wornAt(path, from), own)
    if (text === displayed.typed(path, row, column) && !isDressed) return []
    const { content, formula, format: code } = readTyped(text, store.codeAt(path, from ?? key), stored.since1904)
    const format = code ?? worn?.format
    const after: CellWrite = {
      content,
      ...(formula === undefined ? {} : { formula: fullNames(formula) }),
      ...(worn?.base !== undefined && { base: worn.base }),
      ...(format !== undefined && { format }),
      ...(worn?.look !== undefined && { look: worn.look }),
    }
    return [{ part: path, key, before: isDressed && isShared ? { ...before, ...own } : before, after }]
  })
  return { step, fixed }
}

/** The step of a formatting change, or the reason if it is refused. */
export function formattingStep(
  { stored, store, displayed, isShared }: EditedWorkbook,
  path: string,
  area: Area,
  change: FormattingChange,
): Step | FormattingRefusal {
  const { top, left, bottom, right } = area
  if (stored.styles === undefined) return 'noStyles'
  if (stored.sheet(path).isProtected) return 'protected'
  if ((bottom - top + 1) * (right - left + 1) > maxFormattings) return 'tooMany'
  const step: Step[number][] = []
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const key = keyOf(row, column)
      const before = store.at(path, key)
      const { format: code, edges } = change
      const along = edges && edgesOf(area, row, column, edges)
      if (along === '') continue
      const { style } = displayed.shown(path, row, column)
      const look = along === undefined ? (change.look ?? {}) : { borders: withSides(style.borders, along) }
      const isLook = change.look !== undefined || along !== undefined
      const after = {
        ...before,
        ...(isLook ? { look: { ...before.look, ...look } } : {}),
        ...(code === undefined ? {} : { format: code }),
      }
      const back =
        isShared && isLook ? { ...before, look: { ...before.look, ...inverseFormatting(style, look) } } : before
      step.push({ part: path, key, before: back, after })
    }
  }
  return step
}

/** The edges of an area that a cell touches. */
function edgesOf({ top, left, bottom, right }: Area, row: number, column: number, edges: string): string {
  const along = { t: row === top, b: row === bottom, l: column === left, r: column === right }
  return (['t', 'b', 'l', 'r'] as const).filter((side) => along[side] && edges.includes(side)).join('')
}

const withSides = (before: string | undefined, more: string): string =>
  [...'tblr'].filter((side) => more.includes(side) || before?.includes(side) === true).join('')
