// Copy, cut, paste and clear in a grid, by keys and by its context menu.
import type { Area, Entry } from '@cloudoc/office/workbook'
import { type ClipboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { MenuEntry } from '../../core/menu/menu.ts'
import { type Copied, cleared, copiedFrom, pasted, toHtml } from './clipboard.ts'
import { cellEntries } from './grid-menu.ts'
import type { GridModel } from './grid-model.ts'
import type { CellEdit } from './use-cell-edit.ts'
import type { GridCursor } from './use-grid-cursor.ts'

/** The copied cells. The area is marked until the next change. */
export interface Copies {
  readonly cells: RefObject<Copied | undefined>
  readonly keep: (cells: Copied) => void
  readonly area: Area | undefined
  readonly mark: (area: Area | undefined) => void
  readonly forget: () => void
}

export function useCopies(): Copies {
  const cells = useRef<Copied>(undefined)
  const [area, mark] = useState<Area>()
  const forget = (): void => {
    mark(undefined)
    cells.current = undefined
  }
  const keep = (copied: Copied): void => {
    cells.current = copied
  }
  return { cells, keep, area, mark, forget }
}

export interface GridClipboard {
  readonly copies: Copies
  /** Whether the next paste inserts values only. */
  readonly pasteNext: (how: 'whole' | 'values') => void
  readonly clear: () => void
  readonly onCopy: (event: ClipboardEvent) => void
  readonly onCut: (event: ClipboardEvent) => void
  readonly onPaste: (event: ClipboardEvent) => void
  /** The context menu, on the selection at the time it opens. */
  readonly menuEntries: () => readonly MenuEntry[]
}

interface GridClipboardOptions {
  readonly model: GridModel
  readonly extent: { readonly rows: number; readonly columns: number }
  readonly isEditable: boolean
  readonly copies: Copies
  readonly cursor: GridCursor
  readonly cellEdit: CellEdit
  readonly put: (entries: readonly Entry[]) => void
  /** Additional context menu entries. */
  readonly menu: (() => readonly MenuEntry[]) | undefined
}

export function useGridClipboard({
  model,
  extent,
  isEditable,
  copies,
  cursor,
  cellEdit: { edit, field },
  put,
  menu,
}: GridClipboardOptions): GridClipboard {
  const { area } = cursor
  const latest = useRef<{ readonly menu: typeof menu; readonly own: () => MenuEntry[] }>(undefined)
  const isPlainPaste = useRef(false)

  const clear = (): void => put(cleared(model, area))
  const copy = (event: ClipboardEvent, isCut: boolean): void => {
    if (edit !== undefined) return
    event.preventDefault()
    const within = { ...area, bottom: Math.min(area.bottom, Math.max(area.top, extent.rows)) }
    const cells = copiedFrom(model, area, isCut)
    copies.keep(cells)
    event.clipboardData.setData('text/plain', cells.text)
    event.clipboardData.setData('text/html', toHtml(model, within))
    if (isCut) clear()
    else copies.mark(area)
  }
  const paste = (clip: Parameters<typeof pasted>[2]): void => {
    if (clip.text === '') return
    const made = pasted(model, area, clip, copies.cells.current)
    put(made.entries)
    copies.mark(copies.area)
    cursor.select(made.selection, false)
  }
  useLayoutEffect(() => {
    const own = (): MenuEntry[] =>
      field.current === null ? [] : cellEntries({ field: field.current, isEditable, paste, clear })
    latest.current = { menu, own }
  })
  return {
    copies,
    pasteNext(how) {
      isPlainPaste.current = how === 'values'
    },
    clear,
    onCopy: (event) => copy(event, false),
    onCut: (event) => copy(event, true),
    onPaste(event) {
      if (edit !== undefined) return
      event.preventDefault()
      const { clipboardData } = event
      const text = clipboardData.getData('text/plain').replaceAll('\r\n', '\n')
      paste({ text, html: clipboardData.getData('text/html'), isPlain: isPlainPaste.current })
    },
    menuEntries: () => [...(latest.current?.own() ?? []), ...(latest.current?.menu?.() ?? [])],
  }
}
