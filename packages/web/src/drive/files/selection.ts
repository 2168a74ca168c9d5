// Which rows are selected. Items are remembered by key, so that a row that moves under a live change stays selected;
// ranges are taken by position in the sorted list, never from what happens to be rendered.
import type { ItemKey } from '../item.ts'

/** The selection of one list: what is chosen, where a range starts, and which row has the keyboard. */
export interface Selection {
  readonly keys: ReadonlySet<ItemKey>
  readonly anchor: ItemKey | undefined
  readonly focus: ItemKey | undefined
}

/** What a list tells the selection of its order. */
export interface Order {
  readonly length: number
  keyAt(index: number): ItemKey | undefined
  indexOf(key: ItemKey): number
}

export const nothingSelected: Selection = { keys: new Set(), anchor: undefined, focus: undefined }

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
  return { keys: new Set([key]), anchor: key, focus: key }
}

/** The row's own checkbox or Ctrl+Space: in or out, the others stay. */
export function toggleRow(selection: Selection, key: ItemKey): Selection {
  const keys = new Set(selection.keys)
  if (!keys.delete(key)) keys.add(key)
  return { keys, anchor: key, focus: key }
}

/** Selects from the anchor to the row; the anchor stays for the next time. */
function extendTo(selection: Selection, order: Order, index: number, keep: boolean): Selection {
  const key = order.keyAt(index)
  if (key === undefined) return selection
  const from = selection.anchor === undefined ? -1 : order.indexOf(selection.anchor)
  const start = from < 0 ? index : from
  const keys = new Set(keep ? selection.keys : [])
  for (let i = Math.min(start, index); i <= Math.max(start, index); i++) {
    const between = order.keyAt(i)
    if (between !== undefined) keys.add(between)
  }
  return { keys, anchor: order.keyAt(start), focus: key }
}

/** An arrow key: moves the focus, and the selection with it unless Ctrl is held. */
export function moveFocus(selection: Selection, order: Order, index: number, modifiers: Modifiers = {}): Selection {
  if (order.length === 0) return selection
  const target = Math.max(0, Math.min(order.length - 1, index))
  const key = order.keyAt(target)
  if (key === undefined) return selection
  if (modifiers.extend) return extendTo(selection, order, target, false)
  if (modifiers.toggle) return { ...selection, focus: key }
  return { keys: new Set([key]), anchor: key, focus: key }
}

/** Every row that the order knows. */
export function selectAll(selection: Selection, order: Order): Selection {
  const keys = new Set<ItemKey>()
  for (let i = 0; i < order.length; i++) {
    const key = order.keyAt(i)
    if (key !== undefined) keys.add(key)
  }
  return { keys, anchor: selection.anchor ?? order.keyAt(0), focus: selection.focus ?? order.keyAt(0) }
}

/** No row; the keyboard stays where it is. */
export function clearSelection(selection: Selection): Selection {
  return selection.keys.size === 0 ? selection : { ...selection, keys: new Set() }
}

/** The selected keys out, the others in. */
export function invertSelection(selection: Selection, order: Order): Selection {
  const keys = new Set<ItemKey>()
  for (let i = 0; i < order.length; i++) {
    const key = order.keyAt(i)
    if (key !== undefined && !selection.keys.has(key)) keys.add(key)
  }
  return { ...selection, keys }
}

/** Selects exactly these, with the keyboard on the first. */
export function selectOnly(keys: readonly ItemKey[]): Selection {
  return { keys: new Set(keys), anchor: keys[0], focus: keys[0] }
}

/**
 * After items left the list: what is gone is no longer selected, and a lost focus goes to the row that took its place.
 */
export function afterRemoval(selection: Selection, order: Order, focusIndexBefore: number): Selection {
  const present = (key: ItemKey | undefined): key is ItemKey => key !== undefined && order.indexOf(key) >= 0
  const keys = [...selection.keys].filter(present)
  const focus = present(selection.focus)
    ? selection.focus
    : order.keyAt(Math.max(0, Math.min(order.length - 1, focusIndexBefore)))
  const unchanged = keys.length === selection.keys.size && focus === selection.focus
  if (unchanged && (selection.anchor === undefined || present(selection.anchor))) return selection
  return {
    keys: keys.length === selection.keys.size ? selection.keys : new Set(keys),
    anchor: present(selection.anchor) ? selection.anchor : focus,
    focus,
  }
}
