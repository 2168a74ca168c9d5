/*
 * The selection of rows. Loaded rows are stored by key, so that a row that moves by a live change stays selected. Rows
 * that are not loaded are stored by position, so that all of 100,000 rows can be selected at once. Positions follow the
 * edits of the list. If an edit makes it ambiguous which rows the positions mean, they are deselected: no operation
 * ever applies to a row that the user did not select.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { type ItemKey, keyOf } from '../item/item.ts'
import { type Edit, type FolderList, holesIn, type Span } from './folder-list.ts'

/** The selection of one list: the selected rows, the anchor of a range, and the focused row. */
export interface Selection {
  readonly keys: ReadonlySet<ItemKey>
  /** The selected positions whose rows are not loaded, in order. */
  readonly spans: readonly Span[]
  /** Items that were added inside these spans later and are therefore not selected. */
  readonly except: ReadonlySet<ItemKey>
  readonly anchor: ItemKey | undefined
  readonly focus: ItemKey | undefined
}

/** The order of a list, as the selection needs it. */
export interface Order {
  readonly length: number
  keyAt(index: number): ItemKey | undefined
  indexOf(key: ItemKey): number
  /** Whether the item is in the list, loaded or not. */
  has(key: ItemKey): boolean
}

const none: Pick<Selection, 'spans' | 'except'> = { spans: [], except: new Set() }
export const nothingSelected: Selection = { keys: new Set(), ...none, anchor: undefined, focus: undefined }

/** Returns the order of the rows of a list. */
export function orderOf(list: FolderList): Order {
  const { keyAt, indexOf } = list
  return { length: list.length, keyAt, indexOf, has: (key) => list.get(key) !== undefined }
}

const sizeOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0)

/** Returns the number of selected rows. */
export function countOf({ keys, spans, except }: Selection): number {
  return keys.size + sizeOf(spans) - except.size
}

/** Whether the row at a position is selected. */
export function isSelected({ keys, spans }: Selection, key: ItemKey | undefined, index: number): boolean {
  return key === undefined ? spans.some(({ from, to }) => from <= index && index < to) : keys.has(key)
}

/** The modifier keys of a click or an arrow key. */
export interface Modifiers {
  /** Ctrl or ⌘. */
  readonly toggle?: boolean
  /** Shift. */
  readonly extend?: boolean
}

/**
 * Handles a click on a row. Without a modifier, selects only the row. Ctrl toggles it. Shift selects the range up to
 * the row.
 */
export function clickRow(selection: Selection, order: Order, index: number, modifiers: Modifiers = {}): Selection {
  const key = order.keyAt(index)
  if (key === undefined) return selection
  if (modifiers.extend) return extendTo(selection, order, index, modifiers.toggle ?? false)
  if (modifiers.toggle) return toggleRow(selection, key)
  return selectOnly([key])
}

/** Toggles a row by its checkbox or Ctrl+Space. The others stay. */
export function toggleRow(selection: Selection, key: ItemKey): Selection {
  const keys = new Set(selection.keys)
  if (!keys.delete(key)) keys.add(key)
  return { ...selection, keys, anchor: key, focus: key }
}

/** Selects the rows at these positions, in addition to the selection or instead of it. */
export function selectSpan(selection: Selection, order: Order, { from, to }: Span, keep: boolean): Selection {
  const keys = new Set(keep ? selection.keys : [])
  const waiting: Span[] = []
  for (let i = Math.max(0, from); i < Math.min(order.length, to); i++) {
    const key = order.keyAt(i)
    const last = waiting.at(-1)
    if (key !== undefined) keys.add(key)
    else if (last?.to === i) waiting[waiting.length - 1] = { from: last.from, to: i + 1 }
    else waiting.push({ from: i, to: i + 1 })
  }
  const before = keep ? waiting.reduce((spans, span) => without(spans, span), selection.spans) : []
  const spans = [...before, ...waiting].sort((a, b) => a.from - b.from)
  return { ...selection, keys, spans, except: keep ? selection.except : none.except }
}

/**
 * Selects the rows that a rubber band covers. Without a modifier they replace the selection, with Shift they are added,
 * with Ctrl they are toggled.
 */
export function selectBand(before: Selection, order: Order, spans: readonly Span[], modifiers: Modifiers): Selection {
  if (modifiers.toggle !== true) {
    const base = modifiers.extend ? before : { ...before, keys: new Set<ItemKey>(), ...none }
    return spans.reduce((selection, span) => selectSpan(selection, order, span, true), base)
  }
  const covered = spans.reduce((selection, span) => selectSpan(selection, order, span, true), {
    ...before,
    keys: new Set<ItemKey>(),
    ...none,
  } as Selection)
  const keys = new Set(before.keys)
  for (const key of covered.keys) if (!keys.delete(key)) keys.add(key)
  const fresh = before.spans.reduce((rest, span) => without(rest, span), [...covered.spans])
  const kept = covered.spans.reduce((rest, span) => without(rest, span), [...before.spans])
  return { ...before, keys, spans: [...kept, ...fresh].sort((a, b) => a.from - b.from) }
}

/** Selects the range from the anchor to the row. The anchor does not change. */
function extendTo(selection: Selection, order: Order, index: number, keep: boolean): Selection {
  const key = order.keyAt(index)
  if (key === undefined) return selection
  const from = selection.anchor === undefined ? -1 : order.indexOf(selection.anchor)
  const start = from < 0 ? index : from
  const span = { from: Math.min(start, index), to: Math.max(start, index) + 1 }
  return { ...selectSpan(selection, order, span, keep), anchor: order.keyAt(start), focus: key }
}

/** Handles an arrow key: moves the focus, and the selection too unless Ctrl is pressed. */
export function moveFocus(selection: Selection, order: Order, index: number, modifiers: Modifiers = {}): Selection {
  if (order.length === 0) return selection
  const target = Math.max(0, Math.min(order.length - 1, index))
  const key = order.keyAt(target)
  if (key === undefined) return selection
  if (modifiers.extend) return extendTo(selection, order, target, false)
  if (modifiers.toggle) return { ...selection, focus: key }
  return selectOnly([key])
}

/** Selects all rows, loaded or not. */
export function selectAll(selection: Selection, order: Order): Selection {
  const all = selectSpan(selection, order, { from: 0, to: order.length }, false)
  return { ...all, anchor: selection.anchor ?? order.keyAt(0), focus: selection.focus ?? order.keyAt(0) }
}

/** Selects nothing. The focus does not move. */
export function clearSelection(selection: Selection): Selection {
  return countOf(selection) === 0 ? selection : { ...selection, keys: new Set(), ...none }
}

/** Inverts the selection. */
export function invertSelection(selection: Selection, order: Order): Selection {
  const all = selectAll(selection, order)
  const keys = new Set([...all.keys].filter((key) => !selection.keys.has(key)))
  for (const key of selection.except) keys.add(key)
  const spans = selection.spans.reduce((rest, span) => without(rest, span), all.spans)
  return { ...selection, keys, spans, except: new Set() }
}

/** Selects exactly these items and focuses the first. */
export function selectOnly(keys: readonly ItemKey[]): Selection {
  return { keys: new Set(keys), ...none, anchor: keys[0], focus: keys[0] }
}

/**
 * Updates the selection after items left the list: removed items are deselected, and a lost focus moves to the row at
 * the same position.
 */
export function afterRemoval(selection: Selection, order: Order, focusIndexBefore: number): Selection {
  const present = (key: ItemKey | undefined): key is ItemKey => key !== undefined && order.has(key)
  const keys = [...selection.keys].filter(present)
  const focus = present(selection.focus)
    ? selection.focus
    : order.keyAt(Math.max(0, Math.min(order.length - 1, focusIndexBefore)))
  const unchanged = keys.length === selection.keys.size && focus === selection.focus
  if (unchanged && (selection.anchor === undefined || present(selection.anchor))) return selection
  return {
    ...selection,
    keys: keys.length === selection.keys.size ? selection.keys : new Set(keys),
    anchor: present(selection.anchor) ? selection.anchor : focus,
    focus,
  }
}

/**
 * Updates the selection after an edit of the list. Positions become keys when their rows are loaded, and shift with
 * insertions and removals.
 */
export function afterEdit(selection: Selection, edit: Edit, list: FolderList): Selection {
  const { spans } = selection
  if (spans.length === 0) return selection
  switch (edit.kind) {
    case 'fill':
      return filled(selection, edit)
    case 'splice':
      return {
        ...selection,
        spans: spans.map((span) => (span.from >= edit.at ? moved(span, edit.added - edit.removed) : span)),
      }
    case 'hole':
      return holeChanged(selection, edit)
    case 'reset': {
      const whole = countOf(selection) === edit.before && list.length <= edit.before
      return whole
        ? { ...selectAll(selection, orderOf(list)), ...none, spans: holesIn(list.snapshot().items) }
        : { ...selection, ...none }
    }
  }
}

function filled(selection: Selection, { from, keys: came }: Extract<Edit, { kind: 'fill' }>): Selection {
  const keys = new Set(selection.keys)
  const except = new Set(selection.except)
  for (const [i, key] of came.entries()) {
    if (isSelected(selection, undefined, from + i) && !except.delete(key)) keys.add(key)
  }
  return { ...selection, keys, except, spans: without(selection.spans, { from, to: from + came.length }) }
}

function holeChanged(selection: Selection, { hole, by, came }: Extract<Edit, { kind: 'hole' }>): Selection {
  const inside = selection.spans.filter((span) => span.from < hole.to && span.to > hole.from)
  const outside = selection.spans
    .filter((span) => !inside.includes(span))
    .map((span) => (span.from >= hole.to ? moved(span, by) : span))
  // A hole lies between loaded rows, so its selected part is one or more spans inside it.
  const whole = sizeOf(inside) === hole.to - hole.from
  if (!whole) return { ...selection, spans: outside, except: outside.length > 0 ? selection.except : new Set() }
  const except = new Set([...selection.except, ...came])
  const spans = [...outside, { from: hole.from, to: hole.to + by }].sort((a, b) => a.from - b.from)
  return { ...selection, spans, except }
}

const moved = ({ from, to }: Span, by: number): Span => ({ from: from + by, to: to + by })

/** Returns the spans without one span. */
function without(spans: readonly Span[], out: Span): Span[] {
  return spans.flatMap((span) => {
    if (span.to <= out.from || span.from >= out.to) return [span]
    const parts = [
      { from: span.from, to: out.from },
      { from: out.to, to: span.to },
    ]
    return parts.filter(({ from, to }) => from < to)
  })
}

/** Returns the loaded selected items, in row order. */
export function knownItems({ keys }: Selection, list: FolderList): ItemRecord[] {
  const items = [...keys].flatMap((key) => list.get(key) ?? [])
  const at = new Map(items.map((item) => [item, list.indexOf(keyOf(item))]))
  return items.sort((a, b) => (at.get(a) ?? 0) - (at.get(b) ?? 0))
}

/** Returns all selected items and fetches those that are not loaded. Undefined if that fails. */
export async function selectedItems(selection: Selection, list: FolderList): Promise<ItemRecord[] | undefined> {
  let now = selection
  const leave = list.follow((edit) => {
    now = afterEdit(now, edit, list)
  })
  try {
    while (now.spans.length > 0) if (!(await list.loadAll(now.spans))) return undefined
  } finally {
    leave()
  }
  return [...now.keys].flatMap((key) => list.get(key) ?? [])
}
