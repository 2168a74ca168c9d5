// Context menus and drop-down menus. The opener decides the entries. This module removes empty groups and duplicate
// separators, and shows nothing for an empty menu.
import type { ReactNode } from 'react'
import { createStore } from 'zustand/vanilla'

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: ReactNode
  /** Its shortcut. */
  readonly hint?: string
  /** Hidden when false. */
  readonly show?: boolean
  readonly disabled?: boolean
  /** Why it is disabled; shown instead of the shortcut. */
  readonly reason?: string
  /** Runs when a disabled entry is chosen: explains the reason and what the user can do. */
  readonly why?: () => void
  readonly danger?: boolean
  /** Drawn with a tick: the current choice. */
  readonly checked?: boolean
  readonly run?: () => void
  readonly children?: readonly MenuEntry[]
}

export type MenuEntry = MenuItem | { readonly separator: true }

export interface MenuAt {
  readonly x: number
  readonly y: number
}

interface OpenMenu {
  readonly entries: readonly MenuEntry[]
  readonly at: MenuAt
  readonly opener: Element | null
  readonly resolve: () => void
}

/** The open menu, for the layer that draws it. */
export const menuStore = createStore<{ readonly menu: OpenMenu | undefined }>(() => ({ menu: undefined }))

/** The visible entries: without hidden entries (also in submenus), with separators only between entries. */
export function tidy(entries: readonly MenuEntry[]): MenuEntry[] {
  const kept: MenuEntry[] = []
  for (const entry of entries) {
    if ('separator' in entry) {
      const last = kept.at(-1)
      if (last !== undefined && !('separator' in last)) kept.push(entry)
    } else if (entry.show !== false) {
      const children = entry.children && tidy(entry.children)
      if (children === undefined) kept.push(entry)
      else if (children.length > 0) kept.push({ ...entry, children })
    }
  }
  const last = kept.at(-1)
  if (last !== undefined && 'separator' in last) kept.pop()
  return kept
}

/** Shows a menu. Resolves when it has closed, after the chosen entry has run. */
export function showMenu(entries: readonly MenuEntry[], at: MenuAt): Promise<void> {
  closeMenu()
  const tidied = tidy(entries)
  if (tidied.length === 0) return Promise.resolve()
  return new Promise((resolve) => {
    menuStore.setState({ menu: { entries: tidied, at, opener: document.activeElement, resolve } })
  })
}

/** Closes the menu. If an entry was chosen, restores the focus and then runs the entry. */
export function closeMenu(chosen?: MenuItem): void {
  const { menu } = menuStore.getState()
  if (menu === undefined) return
  menuStore.setState({ menu: undefined })
  if (menu.opener instanceof HTMLElement) menu.opener.focus({ preventScroll: true })
  if (chosen?.disabled === true) chosen.why?.()
  else chosen?.run?.()
  menu.resolve()
}
