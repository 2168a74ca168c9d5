// The file of an edited workbook: only changed parts are rewritten.
import { dropPart, spliced } from '../package/index.ts'
import { isEqualContent, isSame } from './cell-comparison.ts'
import type { CellStore } from './cell-store.ts'
import type { StoredWorkbook } from './read-workbook.ts'
import { type CellWrite, changesFormatting } from './sheet-part.ts'
import { forceRecalculation } from './workbook-parts.ts'

/** Returns the file with all changes; undefined if there are none. */
export function writtenWorkbook(stored: StoredWorkbook, store: CellStore, isAnew: boolean): Uint8Array | undefined {
  const { office, book, styles, stylesPart, beside, sheet } = stored
  const changes = new Map<string, string | undefined>()
  let formulasMoved = false
  // Without changes the results in the file are valid.
  if (!isAnew && !isWritten(store)) return undefined
  for (const path of store.touchedParts()) {
    const { differing, isMoved } = differingCells(store, path)
    formulasMoved ||= isMoved
    if (differing.size === 0) continue
    // A shared formula is expanded if the cell that defines it gets another one.
    for (const [key, one] of differing) {
      if (one.keeps !== true || !sheet(path).losesShared(key, differing)) continue
      const { keeps: _, stays: __, ...whole } = one
      differing.set(key, whole)
    }
    changes.set(
      path,
      sheet(path).written(differing, (style, takes) => styles?.with(style, takes) ?? style),
    )
  }
  if (changes.size === 0) return undefined
  if (stylesPart !== undefined && styles !== undefined) {
    const made = styles.made()
    if (made !== undefined) changes.set(stylesPart, made)
  }
  const chain = beside('calcChain')
  if (formulasMoved && chain !== undefined) dropPart(office, book.main, chain, changes)
  // Programs recalculate the file when they open it.
  changes.set(book.main, spliced(book.xml, [forceRecalculation(book)]))
  return office.patched(changes)
}

/** Whether a change to a cell is not yet in the file. */
const isWritten = ({ over, storedAt }: CellStore): boolean =>
  [...over].some(([path, cells]) =>
    [...cells].some(([key, one]) => {
      const stored = storedAt(path, key)
      return one.formula === undefined || changesFormatting(one) ? !isSame(one, stored) : one.formula !== stored.formula
    }),
  )

/** The cells of a part that differ from the file, and whether a formula is among what differs. */
function differingCells(
  { at, storedAt, touchedKeys }: CellStore,
  path: string,
): { readonly differing: Map<number, CellWrite>; readonly isMoved: boolean } {
  const differing = new Map<number, CellWrite>()
  let isMoved = false
  for (const key of touchedKeys(path)) {
    const [one, stored] = [at(path, key), storedAt(path, key)]
    if (isSame(one, stored)) continue
    const keeps = one.formula !== undefined && one.formula === stored.formula
    const stays = one.formula === stored.formula && isEqualContent(one, stored)
    differing.set(key, { ...one, ...(keeps && { keeps }), ...(stays && { stays }) })
    isMoved ||= !keeps && (one.formula !== undefined || stored.formula !== undefined)
  }
  return { differing, isMoved }
}
