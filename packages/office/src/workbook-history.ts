/*
 * A workbook that is edited, with changes of its build among what is written into its cells: each makes another workbook of
 * it, and going back over it has the one from before again (docs/adr/0158).
 */

import type { CoeditCell } from './coedit-cells.ts'
import { inverseOperation } from './inverse-structure.ts'
import { openPackage } from './package.ts'
import { rebasedCell, type SheetRebase, workbookAfter } from './sheet-rebase.ts'
import { type StructureOperation, type StructureRefusal, StructureRefused } from './sheet-structure.ts'
import { countReferences } from './sheets.ts'
import { openWorkbook, type Workbook } from './workbook.ts'

/** A change of the build: what was written when it was made, and what it is since. */
interface StructureStep {
  readonly before: Workbook
  readonly draft: string
  readonly change: StructureOperation
  readonly after: Workbook
}

/** What a draft keeps where the build was changed. */
interface HistoryDraft {
  readonly turns: readonly (readonly [draft: string, change: StructureOperation])[]
  readonly draft: string
}

type Where = ReturnType<Workbook['undo']>

export type History = ReturnType<typeof openHistory>

/** What is done here to a workbook that others write in as well. */
export interface CoeditPorts {
  readonly publish: (cells: readonly CoeditCell[]) => void
  /** Asks for a change of its build, which comes by `turn`. */
  readonly requestStructure: (change: StructureOperation) => void
  /** The last change of the build was somebody's own, and cannot be taken back. */
  readonly onCannotUndo: () => void
}

/** Opens a workbook; throws `NotEditable`. */
export function openHistory(bytes: Uint8Array, together?: CoeditPorts) {
  let book = openWorkbook(bytes, together?.publish)
  /** One's own changes of the build since others made one: how many steps there were, and what takes it back. */
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
    /** The workbook as it is. */
    now: (): Workbook => book,
    /** Whether nobody else writes in it. */
    isAlone: together === undefined,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Changes the build; answers why it stays, if so. Where others write as well it is asked for, and comes by `turn`. */
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
    /** It is the workbook of a file that came of it by changes of its build; whether the last one is one's own. */
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
      // What was written since takes the place of what was undone.
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
    /** How many formulas elsewhere say a sheet. */
    saying: (part: string): number => countReferences(openPackage(book.bytes()), part),
    bytes: (): Uint8Array => book.bytes(),
  }
}

/** Writes what a draft has kept over the version that it was made of. */
export function withSheetDraft(bytes: Uint8Array, draft: string): Uint8Array {
  const history = openHistory(bytes)
  if (draft !== '') history.restore(draft)
  return history.bytes()
}
