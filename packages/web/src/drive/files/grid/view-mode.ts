// The view settings of folders: list, tiles or gallery. Each folder opens as it was left, and other folders use the
// last choice. Also stores whether the side panel is open, and the column widths.
import { useState, useSyncExternalStore } from 'react'
import { store, stored } from '../../../core/storage/storage.ts'

export const viewModes = ['list', 'grid', 'gallery'] as const
export type ViewMode = (typeof viewModes)[number]

const viewsKey = 'drive.views'
const panelKey = 'drive.panel'
const columnsKey = 'drive.columns'
/** The maximum number of folders whose view is remembered. */
const most = 200

const isMode = (value: unknown): value is ViewMode => viewModes.some((mode) => mode === value)

function storedViews(): Map<number, ViewMode> {
  try {
    const entries: unknown = JSON.parse(stored(viewsKey) ?? '[]')
    if (!Array.isArray(entries)) return new Map()
    return new Map(
      entries.filter(
        (one): one is [number, ViewMode] => Array.isArray(one) && Number.isInteger(one[0]) && isMode(one[1]),
      ),
    )
  } catch {
    return new Map()
  }
}

/** Returns the view of a folder and its setter. 0 is the last choice of any folder. */
export function useViewMode(folderId: number): [ViewMode, (mode: ViewMode) => void] {
  const [views, setViews] = useState(storedViews)
  return [
    views.get(folderId) ?? views.get(0) ?? 'list',
    (mode) => {
      const next = new Map(views)
      next.delete(folderId)
      next.set(folderId, mode).set(0, mode)
      const kept = new Map([...next].slice(-most))
      store(viewsKey, JSON.stringify([...kept]))
      setViews(kept)
    },
  ]
}

/** The window is wide enough for the panel without narrowing the list. */
const roomy = window.matchMedia('(min-width: 1440px)')
const onRoomy = (changed: () => void): (() => void) => {
  roomy.addEventListener('change', changed)
  return () => roomy.removeEventListener('change', changed)
}

/** Whether the panel is open: the user's choice, otherwise open if the window is wide enough. */
export function usePanel(): [boolean, (open: boolean) => void] {
  const isRoomy = useSyncExternalStore(onRoomy, () => roomy.matches)
  const [chosen, setChosen] = useState(() => stored(panelKey))
  return [
    chosen === undefined ? isRoomy : chosen === 'open',
    (open) => {
      store(panelKey, open ? 'open' : 'closed')
      setChosen(open ? 'open' : 'closed')
    },
  ]
}

export const columns = ['time', 'disk', 'by', 'size', 'type'] as const
export type Column = (typeof columns)[number]

/** A visible column and its width. */
export interface VisibleColumn {
  readonly column: Column
  readonly width: number
}

export const columnWidth = { least: 64, most: 400 } as const
const usual: readonly VisibleColumn[] = [
  { column: 'time', width: 120 },
  { column: 'by', width: 108 },
  { column: 'size', width: 92 },
]

/** Returns the default width of a column. */
export function usualWidth(column: Column): number {
  if (column === 'disk') return 120
  return usual.find((one) => one.column === column)?.width ?? 92
}

function storedColumns(): readonly VisibleColumn[] {
  const written = stored(columnsKey)
  if (written === undefined) return usual
  return written.split(' ').flatMap((text) => {
    const [name, width] = text.split(':')
    const column = columns.find((one) => one === name)
    return column === undefined ? [] : [{ column, width: Number(width) || usualWidth(column) }]
  })
}

/** Returns the columns after the name in their order, and their setter. */
export function useColumns(): [readonly VisibleColumn[], (next: readonly VisibleColumn[]) => void] {
  const [shown, setShown] = useState(storedColumns)
  return [
    shown,
    (next) => {
      store(columnsKey, next.map(({ column, width }) => `${column}:${width}`).join(' '))
      setShown(next)
    },
  ]
}
