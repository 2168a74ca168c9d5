/*
 * A workbook in the editor: the cells in the file, the changes to them, and the file with only these changes
 * (docs/adr/0129).
 */

import { isSigned } from '../package/index.ts'
import { isEqual, isEqualInput } from './cell-comparison.ts'
import { openCellStore } from './cell-store.ts'
import { type Area, type Content, type Entry, parseRef, refOf } from './cells.ts'
import type { CoeditCell } from './coedit-cells.ts'
import { displayedCells } from './displayed-cells.ts'
import { type Drawing, drawingsOf } from './drawings.ts'
import { type CellRefusal, readWorkbook, type SheetInfo } from './read-workbook.ts'
import { type CellWrite, columnOf, keyOf, rowOf } from './sheet-part.ts'
import { type FormattingChange, type FormattingRefusal, formattingStep, typedStep } from './typed-cells.ts'
import { placeIn, type RebasedStepCell, rebasedSteps, type Step, type StepPlace, type Steps } from './undo-steps.ts'
import { writtenWorkbook } from './written-workbook.ts'

export type { CellFormatting } from './cell-formatting.ts'
export type { FormattingChange } from './typed-cells.ts'
export type Workbook = ReturnType<typeof openWorkbook>

/** Opens a workbook; throws `NotEditable`. In co-editing, `tell` receives the cells that the user writes. */
export function openWorkbook(bytes: Uint8Array, tell?: (cells: readonly CoeditCell[]) => void) {
  const stored = readWorkbook(bytes)
  const { office, whyFixed } = stored
  const store = openCellStore(stored)
  const { at, put } = store
  const displayed = displayedCells(stored, store)
  const edited = { stored, store, displayed, isShared: tell !== undefined }
  const sheets: readonly SheetInfo[] = stored.sheets.filter(({ isHidden }) => !isHidden)
  const hidden: readonly SheetInfo[] = stored.sheets.filter(({ isHidden }) => isHidden)
  const lying = new Map<string, readonly Drawing[]>()
  const [undone, done]: [Step[], Step[]] = [[], []]
  const listeners = new Set<() => void>()
  let revision = 0
  let isAnew = false

  const changed = (): void => {
    revision++
    for (const listener of listeners) listener()
  }
  const take = (step: Step, to: 'before' | 'after', isNew = false): void => {
    const from = to === 'after' ? 'before' : 'after'
    // Cells that other users have changed in the meantime are not undone.
    const own = tell === undefined || isNew ? step : step.filter((one) => isEqual(at(one.part, one.key), one[from]))
    for (const one of own) put(one.part, one.key, one[to])
    store.computeAfter(own.filter(({ before, after }) => !isEqualInput(before, after)))
    changed()
    if (own.length > 0) tell?.(own.map((one) => [one.part, refOf(rowOf(one.key), columnOf(one.key)), one[to]]))
  }
  const perform = (step: Step, isNew = false): void => {
    done.push(step)
    undone.length = 0
    take(step, 'after', isNew)
  }

  return {
    sheets,
    hidden,
    isSigned: isSigned(office),
    hasMacros: office.names.some((name) => name.endsWith('vbaProject.bin')),
    sheet: stored.sheet,
    /** Increases with each change, for views. */
    revision: (): number => revision,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    whyFixed,
    ...displayed,
    /** The pictures and charts of a sheet. */
    drawings(path: string): readonly Drawing[] {
      const found = lying.get(path) ?? drawingsOf(office, path)
      lying.set(path, found)
      return found
    },
    /** The bytes of a part. */
    bytesOf: (path: string): Uint8Array => office.bytes(path),
    content: (path: string, row: number, column: number): Content => at(path, keyOf(row, column)).content,
    /** The used extent of a sheet, including changes. */
    extent: store.extentOf,
    /** Writes cells as one undo step. Returns the reason if cells were skipped. */
    type(path: string, entries: readonly Entry[]): CellRefusal | undefined {
      const { step, fixed } = typedStep(edited, path, entries)
      if (step.length > 0) perform(step)
      return fixed
    },
    /**
     * Changes the formatting of cells as one undo step; contents do not change. Returns the reason if it is refused.
     */
    look(path: string, area: Area, change: FormattingChange): FormattingRefusal | undefined {
      const step = formattingStep(edited, path, area, change)
      if (typeof step === 'string') return step
      perform(step, true)
      return undefined
    },
    /** The number format code of a cell. */
    format: (path: string, row: number, column: number): string => store.codeAt(path, keyOf(row, column)),
    /** Reverts the last step; returns its position. */
    undo(): StepPlace | undefined {
      const step = done.pop()
      if (step === undefined) return undefined
      undone.push(step)
      take(step, 'before')
      return placeIn(step)
    },
    redo(): StepPlace | undefined {
      const step = undone.pop()
      if (step === undefined) return undefined
      done.push(step)
      take(step, 'after')
      return placeIn(step)
    },
    /** The undo and redo steps. */
    steps: (): Steps => ({ done, undone }),
    /** Imports the undo and redo steps of the workbook that this one was made from; `turn` rebases their cells. */
    takeSteps(of: Steps, turn: RebasedStepCell): void {
      done.push(...rebasedSteps(of.done, turn))
      undone.push(...rebasedSteps(of.undone, turn))
    },
    /**
     * The changes as a draft; empty if there are none. It can be applied to any version, also to one that contains the
     * changes already.
     */
    draft(): string {
      const cells = [...store.over].flatMap(([path, all]) =>
        [...all].map(([key, one]) => [path, refOf(rowOf(key), columnOf(key)), one]),
      )
      return cells.length === 0 ? '' : JSON.stringify(cells)
    },
    /** Applies a draft as one undo step. */
    restore(draft: string): void {
      const step = readDraft(draft).flatMap(([path, ref, after]) => {
        const place = parseRef(ref)
        if (place === undefined || !office.has(path)) return []
        const key = keyOf(place.row, place.column)
        return [{ part: path, key, before: at(path, key), after }]
      })
      done.push(step)
      take(step, 'after')
    },
    /** Applies the changes of other users. Changes to missing or read-only cells are ignored. */
    takeIn(cells: readonly CoeditCell[]): void {
      const step = cells.flatMap(([path, ref, written]) => {
        const place = parseRef(ref)
        if (place === undefined || !stored.sheets.some((one) => one.part === path && one.hasCells)) return []
        if (whyFixed(path, place.row, place.column) !== undefined) return []
        return [{ part: path, key: keyOf(place.row, place.column), written }]
      })
      const differing = step.filter((one) => !isEqualInput(at(one.part, one.key), one.written))
      for (const one of step) put(one.part, one.key, one.written)
      store.computeAfter(differing)
      changed()
    },
    /** Recomputes all formulas, for a file whose cells have changed since its results were computed. */
    computeAnew(): void {
      isAnew = true
      store.computeAll()
      changed()
    },
    /** Returns the file with all changes. */
    bytes: (): Uint8Array => writtenWorkbook(stored, store, isAnew) ?? bytes,
  }
}

function readDraft(draft: string): [part: string, ref: string, written: CellWrite][] {
  return draft === '' ? [] : (JSON.parse(draft) as [string, string, CellWrite][])
}
