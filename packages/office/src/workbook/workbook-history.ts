/*
 * A workbook in the editor, with structure operations in its undo history. Each operation produces a new workbook; undo
 * returns to the previous one (docs/adr/0158).
 */

import { openPackage } from '../package/index.ts'
import type { CoeditCell } from './coedit-cells.ts'
import { inverseOperation } from './inverse-structure.ts'
import { rebasedCell, type SheetRebase, workbookAfter } from './sheet-rebase.ts'
import { type StructureOperation, type StructureRefusal, StructureRefused } from './sheet-structure.ts'
import { countReferences } from './sheets.ts'
import { openWorkbook, type Workbook } from './workbook.ts'

/** A structure operation in the history: the draft before it, and the workbooks before and after it. */
interface StructureStep {
  readonly before: Workbook
  readonly draft: string
  readonly change: StructureOperation
  readonly after: Workbook
}

/** The draft format if there were structure operations. */
interface HistoryDraft {
  readonly turns: readonly (readonly [draft: string, change: StructureOperation])[]
  readonly draft: string
}

type Where = ReturnType<Workbook['undo']>

export type History = ReturnType<typeof openHistory>

/** The co-editing ports of a workbook. */
export interface CoeditPorts {
  readonly publish: (cells: readonly CoeditCell[]) => void
  /** Requests a structure operation; the result arrives through `turn`. */
  readonly requestStructure: (change: StructureOperation) => void
  /** The last operation was the user's own, and cannot be undone. */
  readonly onCannotUndo: () => void
}

/** Opens a workbook; throws `NotEditable`. */
export function openHistory(bytes: Uint8Array, together?: CoeditPorts) {
  let book = openWorkbook(bytes, together?.publish)
  /**
   * The user's own structure operations since the last one of another user: the number of undo steps at that time, and
   * the inverse operation.
   */
  const own: { readonly depth: number; readonly back: StructureOperation | undefined }[] = []
  let takesBack = false
  const [past, future]: [StructureStep[], StructureStep[]] = [[], []]
  const listeners = new Set<() => void>()
  let unsubscribe = (): void => undefined
  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  const turnTo = (next: Workbook): void => {
    unsubscribe()
    book = next
    unsubscribe = book.subscribe(changed)
  }
  turnTo(book)
  const placeOf = ({ change }: StructureStep): Where => ({
    part: change.part,
    row: change.kind === 'move' && change.move.axis === 'rows' ? change.move.at : 0,
    column: change.kind === 'move' && change.move.axis === 'columns' ? change.move.at : 0,
  })
  return {
    /** The current workbook. */
    now: (): Workbook => book,
    /** Whether the workbook is not co-edited. */
    isAlone: together === undefined,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /**
     * Applies a structure operation; returns the reason if it is refused. In co-editing the operation is requested, and
     * its result arrives through `turn`.
     */
    change(change: StructureOperation): StructureRefusal | undefined {
      if (together !== undefined) {
        takesBack = false
        together.requestStructure(change)
        return undefined
      }
      try {
        const after = workbookAfter(book.bytes(), change)
        past.push({ before: book, draft: book.draft(), change, after })
        future.length = 0
        turnTo(after)
      } catch (error) {
        if (error instanceof StructureRefused) return error.why
        throw error
      }
      changed()
      return undefined
    },
    /** Switches to the file that resulted from structure operations; `isOwn`: the last one is the user's own. */
    turn(file: Uint8Array, turns: readonly SheetRebase[], isOwn: boolean): void {
      const after = openWorkbook(file, together?.publish)
      after.takeSteps(book.steps(), (cell) =>
        turns.reduce<CoeditCell | undefined>((now, turn) => now && rebasedCell(turn, now), cell),
      )
      const [turn, more] = turns
      if (!isOwn || turn === undefined || more !== undefined) own.length = 0
      else if (!takesBack) own.push({ depth: after.steps().done.length, back: inverseOperation(book, turn.change) })
      takesBack = false
      turnTo(after)
    },
    undo(): Where {
      const last = own.at(-1)
      if (last !== undefined && together !== undefined && last.depth >= book.steps().done.length) {
        own.pop()
        if (last.back === undefined) together.onCannotUndo()
        else {
          takesBack = true
          together.requestStructure(last.back)
        }
        return undefined
      }
      const where = book.undo()
      const turn = where === undefined ? past.pop() : undefined
      if (turn === undefined) return where
      future.push(turn)
      turnTo(turn.before)
      changed()
      return placeOf(turn)
    },
    redo(): Where {
      const where = book.redo()
      const turn = where === undefined ? future.at(-1) : undefined
      // Edits since the undo invalidate the redo.
      if (turn === undefined || turn.before !== book || turn.draft !== book.draft()) return where
      future.pop()
      past.push(turn)
      turnTo(turn.after)
      changed()
      return placeOf(turn)
    },
    draft(): string {
      if (past.length === 0) return book.draft()
      const kept: HistoryDraft = { turns: past.map(({ draft, change }) => [draft, change]), draft: book.draft() }
      return JSON.stringify(kept)
    },
    restore(draft: string): void {
      if (!draft.startsWith('{')) return book.restore(draft)
      const kept = JSON.parse(draft) as HistoryDraft
      for (const [written, change] of kept.turns) {
        if (written !== '') book.restore(written)
        this.change(change)
      }
      if (kept.draft !== '') book.restore(kept.draft)
    },
    /** The number of formulas elsewhere that reference a sheet. */
    saying: (part: string): number => countReferences(openPackage(book.bytes()), part),
    bytes: (): Uint8Array => book.bytes(),
  }
}

/** Applies a draft to the version that it is based on. */
export function withSheetDraft(bytes: Uint8Array, draft: string): Uint8Array {
  const history = openHistory(bytes)
  if (draft !== '') history.restore(draft)
  return history.bytes()
}
