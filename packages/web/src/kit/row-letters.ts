/*
 * Single letters on the rows of a table: J and K move, others act on the focused row. They are inert in fields, because
 * only rows hear them. Tables also search by letters; a letter that acts is not passed on.
 */
import type { KeyboardEvent } from 'react'

type Acts = Readonly<Record<string, (() => unknown) | undefined>>

/** Handles a key of a row; `acts` are the acts by lower-case letter, or by name for keys such as Delete. */
export function onRowLetter(event: KeyboardEvent, acts: Acts): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const target = event.currentTarget
  const move = (name: string) => () =>
    target.dispatchEvent(new globalThis.KeyboardEvent('keydown', { key: name, bubbles: true }))
  const all: Acts = { j: move('ArrowDown'), k: move('ArrowUp'), ...acts }
  const act = all[key]
  if (act === undefined) return false
  act()
  event.preventDefault()
  event.stopPropagation()
  return true
}
