/*
 * Which rows are selected. Rows that are loaded are remembered by key, so that one that moves under a live change stays
 * selected; rows that are not loaded yet by position, so that all of 100,000 are selected at once. Positions follow the
 * edits of the list; where an edit leaves it open which rows they mean now, they are let go: nothing is ever done to a
 * row that nobody chose.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { type ItemKey, keyOf } from '../item/item.ts'
import { type Edit, type FolderList, holesIn, type Span } from './folder-list.ts'

/** The selection of one list: what is chosen, where a range starts, and which row has the keyboard. */
export interface Selection {
  readonly keys: ReadonlySet<ItemKey>
  /** Selected positions whose rows are not loaded, in order. */
  readonly spans: readonly Span[]
  /** What came into those since, and so is not selected. */
  readonly except: ReadonlySet<ItemKey>
  readonly anchor: ItemKey | undefined
  readonly focus: ItemKey | undefined
}

/** What a list tells the selection of its order. */
export interface Order {
  readonly length: number
  keyAt(index: number): ItemKey | undefined
  indexOf(key: ItemKey): number
  /** Whether the item is in the list, loaded or not. */
  has(key: ItemKey): boolean
}

const none: Pick<Selection, 'spans' | 'except'> = { spans: [], except: new Set() }
export const nothingSelected: Selection = { keys: new Set(), ...none, anchor: undefined, focus: undefined }

/** The order of a list's rows. */
export function orderOf(list: FolderList): Order {
  const { keyAt, indexOf } = list
  return { length: list.length, keyAt, indexOf, has: (key) => list.get(key) !== undefined }
}

const sizeOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0)

/** How many rows are selected. */
export function countOf({ keys, spans, except }: Selection): number {
  return keys.size + sizeOf(spans) - except.size
}

/** Whether the row at a position is selected. */
export function isSelected({ keys, spans }: Selection, key: ItemKey | undefined, index: number): boolean {
  return key === undefined ? spans.some(({ from, to }) => from <= index && index < to) : keys.has(key)
}

/** How a click or an arrow key was meant. */
export interface Modifiers {
  /** Ctrl or ⌘. */
  readonly toggle?: boolean
  /** Shift. */
  readonly extend?: boolean
}

/** A click on a row: alone it selects the row, with Ctrl it toggles, with Shift it selects up to here. */
export function clickRow(selection: Selection, order: Order, index: number, modifiers: Modifiers = {}): Selection {
  const key = order.keyAt(index)
  if (key === undefined) return selection
  if (modifiers.extend) return extendTo(selection, order, index, modifiers.toggle ?? false)
  if (modifiers.toggle) return toggleRow(selection, key)
  return selectOnly([key])
}

/** The row's own checkbox or Ctrl+Space: in or out, the others stay. */
export function toggleRow(selection: Selection, key: ItemKey): Selection {
  const keys = new Set(selection.keys)
  if (!keys.delete(key)) keys.add(key)
  return { ...selection, keys, anchor: key, focus: key }
}

/** The rows at these positions, added to what is selected or instead of it. */
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

/** What a rubber band covers: instead of what was selected, with Shift added to it, with Ctrl turned over in it. */
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

/** Selects from the anchor to the row; the anchor stays for the next time. */
function extendTo(selection: Selection, order: Order, index: number, keep: boolean): Selection {
  const key = order.keyAt(index)
  if (key === undefined) return selection
  const from = selection.anchor === undefined ? -1 : order.indexOf(selection.anchor)
  const start = from < 0 ? index : from
  const span = { from: Math.min(start, index), to: Math.max(start, index) + 1 }
  return { ...selectSpan(selection, order, span, keep), anchor: order.keyAt(start), focus: key }
}

/** An arrow key: moves the focus, and the selection with it unless Ctrl is held. */
export function moveFocus(selection: Selection, order: Order, index: number, modifiers: Modifiers = {}): Selection {
  if (order.length === 0) return selection
  const target = Math.max(0, Math.min(order.length - 1, index))
  const key = order.keyAt(target)
  if (key === undefined) return selection
  if (modifiers.extend) return extendTo(selection, order, target, false)
  if (modifiers.toggle) return { ...selection, focus: key }
  return selectOnly([key])
}

/** Every row, loaded or not. */
export function selectAll(selection: Selection, order: Order): Selection {
  const all = selectSpan(selection, order, { from: 0, to: order.length }, false)
  return { ...all, anchor: selection.anchor ?? order.keyAt(0), focus: selection.focus ?? order.keyAt(0) }
}

/** No row; the keyboard stays where it is. */
export function clearSelection(selection: Selection): Selection {
  return countOf(selection) === 0 ? selection : { ...selection, keys: new Set(), ...none }
}

/** The selected rows out, the others in. */
export function invertSelection(selection: Selection, order: Order): Selection {
  const all = selectAll(selection, order)
  const keys = new Set([...all.keys].filter((key) => !selection.keys.has(key)))
  for (const key of selection.except) keys.add(key)
  const spans = selection.spans.reduce((rest, span) => without(rest, span), all.spans)
  return { ...selection, keys, spans, except: new Set() }
}

/** Selects exactly these, with the keyboard on the first. */
export function selectOnly(keys: readonly ItemKey[]): Selection {
  return { keys: new Set(keys), ...none, anchor: keys[0], focus: keys[0] }
}

/**
 * After items left the list: what is gone is no longer selected, and a lost focus goes to the row that took its place.
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

/** The selection after the list has changed: positions become keys as rows are loaded, and move with what moves them. */
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
  // A hole is between loaded rows, so what is selected of it is a span or several inside it.
  const whole = sizeOf(inside) === hole.to - hole.from
  if (!whole) return { ...selection, spans: outside, except: outside.length > 0 ? selection.except : new Set() }
  const except = new Set([...selection.except, ...came])
  const spans = [...outside, { from: hole.from, to: hole.to + by }].sort((a, b) => a.from - b.from)
  return { ...selection, spans, except }
}

const moved = ({ from, to }: Span, by: number): Span => ({ from: from + by, to: to + by })

/** What is left of spans when one is taken out. */
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

/** The selected items that are loaded, in the order of their rows. */
export function knownItems({ keys }: Selection, list: FolderList): ItemRecord[] {
  const items = [...keys].flatMap((key) => list.get(key) ?? [])
  const at = new Map(items.map((item) => [item, list.indexOf(keyOf(item))]))
  return items.sort((a, b) => (at.get(a) ?? 0) - (at.get(b) ?? 0))
}

/** The selected items, every one of them: what is not loaded yet is fetched; undefined when that fails. */
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
