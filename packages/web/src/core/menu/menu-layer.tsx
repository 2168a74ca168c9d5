// Draws the open menu: roving focus, type-ahead, arrow keys, submenus, always inside the viewport.

import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Checkmark16Regular, ChevronRight12Regular, QuestionCircle16Regular } from '../../kit/icons.ts'
import { useT } from '../i18n/i18n.ts'
import { closeMenu, type MenuAt, type MenuEntry, type MenuItem, menuStore } from './menu.ts'
import './menu.css'

/** Milliseconds over an entry before its submenu opens. */
const submenuDelayMs = 120
/** Minimum distance to the edge of the viewport, in pixels. */
const margin = 8

/** The open menu above all other content. */
export function MenuLayer(): ReactNode {
  const t = useT()
  const menu = useStore(menuStore, (state) => state.menu)
  useEffect(() => {
    if (menu === undefined) return
    const onPointerDown = (event: globalThis.PointerEvent): void => {
      if (!(event.target instanceof Element && event.target.closest('.menu') !== null)) closeMenu()
    }
    const close = (): void => closeMenu()
    document.addEventListener('pointerdown', onPointerDown, true)
    window.addEventListener('blur', close)
    window.addEventListener('resize', close)
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, true)
      window.removeEventListener('blur', close)
      window.removeEventListener('resize', close)
    }
  }, [menu])
  if (menu === undefined) return null
  // A separate landmark: the menu is outside the other landmarks of the page.
  return (
    <section aria-label={t('menu.region')}>
      <Menu key={`${menu.at.x},${menu.at.y}`} entries={menu.entries} at={menu.at} onBack={() => closeMenu()} />
    </section>
  )
}

interface MenuProps {
  readonly entries: readonly MenuEntry[]
  /** Its corner. A submenu is placed next to the box of its entry. */
  readonly at: MenuAt & { readonly beside?: DOMRect }
  /** Opened by keyboard: the first entry gets the focus. Opened by pointer, a submenu does not change the focus. */
  readonly byKey?: boolean
  readonly onBack: () => void
}

const isItem = (entry: MenuEntry): entry is MenuItem => !('separator' in entry)

function Menu({ entries, at, byKey, onBack }: MenuProps): ReactNode {
  const root = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<MenuAt>()
  const [open, setOpen] = useState<{ item: MenuItem; box: DOMRect; byKey: boolean }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useLayoutEffect(() => {
    const element = root.current
    if (element === null) return
    const { offsetWidth: width, offsetHeight: height } = element
    const right = window.innerWidth - margin
    const bottom = window.innerHeight - margin
    let { x, y } = at
    if (at.beside !== undefined && x + width > right) x = at.beside.left - width
    // Above the point if there is not enough room below and more above.
    if (at.beside === undefined && y + height > bottom && y > bottom / 2) y -= height
    setPlace({ x: clampTo(x, right - width), y: clampTo(y, bottom - height) })
    if (byKey) element.querySelector<HTMLElement>('[role^=menuitem]')?.focus({ preventScroll: true })
    else if (at.beside === undefined) element.focus({ preventScroll: true })
  }, [at, byKey])
  useEffect(() => () => clearTimeout(timer.current), [])

  const items = (): HTMLElement[] => [
    ...(root.current?.querySelectorAll<HTMLElement>(':scope > [role^=menuitem]') ?? []),
  ]
  const step = (by: number): void => {
    const all = items()
    const now = all.findIndex((one) => one === document.activeElement)
    const next = now < 0 ? (by > 0 ? 0 : all.length - 1) : (now + by + all.length) % all.length
    all[next]?.focus()
  }
  const enter = (item: MenuItem, element: HTMLElement, withKey: boolean): void => {
    if (item.children !== undefined) setOpen({ item, box: element.getBoundingClientRect(), byKey: withKey })
    else if (!item.disabled || item.why !== undefined) closeMenu(item)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    event.stopPropagation()
    const focused = document.activeElement
    const item = entries.filter(isItem).find((one) => focused instanceof HTMLElement && focused.dataset.id === one.id)
    const { key } = event
    if (key === 'ArrowDown') step(1)
    else if (key === 'ArrowUp') step(-1)
    else if (key === 'Home') items()[0]?.focus()
    else if (key === 'End') items().at(-1)?.focus()
    else if (key === 'Escape' || (key === 'ArrowLeft' && at.beside !== undefined)) onBack()
    else if (key === 'Tab') closeMenu()
    else if (key === 'Enter' || key === ' ' || (key === 'ArrowRight' && item?.children !== undefined)) {
      if (item !== undefined && focused instanceof HTMLElement) enter(item, focused, true)
    } else if (key.length === 1 && !event.ctrlKey && !event.metaKey) toLetter(key)
    else return
    event.preventDefault()
  }
  const toLetter = (letter: string): void => {
    const all = items()
    const from = all.findIndex((one) => one === document.activeElement) + 1
    const hit = [...all.slice(from), ...all.slice(0, from)].find((one) =>
      (one.dataset.label ?? '').toLowerCase().startsWith(letter.toLowerCase()),
    )
    hit?.focus()
  }

  return (
    <>
      <div
        ref={root}
        className="menu"
        role="menu"
        tabIndex={-1}
        style={place === undefined ? { opacity: 0 } : { left: place.x, top: place.y }}
        onKeyDown={onKeyDown}
        onContextMenu={(event) => event.preventDefault()}
      >
        {entries.map((entry, i) =>
          isItem(entry) ? (
            <Row
              key={entry.id}
              item={entry}
              isOpen={open?.item.id === entry.id}
              onEnter={(item, element) => enter(item, element, false)}
              onOver={(element) => {
                element.focus({ preventScroll: true })
                clearTimeout(timer.current)
                timer.current = setTimeout(
                  () =>
                    setOpen(
                      entry.children === undefined
                        ? undefined
                        : { item: entry, box: element.getBoundingClientRect(), byKey: false },
                    ),
                  submenuDelayMs,
                )
              }}
            />
          ) : (
            <hr key={`separator-${i}`} />
          ),
        )}
      </div>
      {open?.item.children !== undefined && (
        <Menu
          key={open.item.id}
          entries={open.item.children}
          byKey={open.byKey}
          at={{ x: open.box.right, y: open.box.top - 4, beside: open.box }}
          onBack={() => {
            setOpen(undefined)
            items()
              .find((one) => one.dataset.id === open.item.id)
              ?.focus()
          }}
        />
      )}
    </>
  )
}

const clampTo = (value: number, high: number): number => Math.max(margin, Math.min(value, high))

interface RowProps {
  readonly item: MenuItem
  readonly isOpen: boolean
  readonly onEnter: (item: MenuItem, element: HTMLElement) => void
  readonly onOver: (element: HTMLElement) => void
}

function Row({ item, isOpen, onEnter, onOver }: RowProps): ReactNode {
  const t = useT()
  const { id, label, icon, hint, disabled, reason, why, danger, checked, children } = item
  const looks = ['menu-item', disabled && 'is-off', danger && 'is-danger', isOpen && 'is-open']
  return (
    <div
      className={looks.filter(Boolean).join(' ')}
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      aria-disabled={disabled}
      aria-haspopup={children === undefined ? undefined : 'menu'}
      aria-expanded={children === undefined ? undefined : isOpen}
      aria-keyshortcuts={hint?.replace('Ctrl', 'Control').replace('Del', 'Delete') || undefined}
      tabIndex={-1}
      data-id={id}
      data-label={label}
      onPointerMove={(event) => {
        if (document.activeElement !== event.currentTarget) onOver(event.currentTarget)
      }}
      onClick={(event) => onEnter(item, event.currentTarget)}
    >
      <span className="menu-icon">{checked ? <Checkmark16Regular /> : icon}</span>
      <span className="menu-label">{label}</span>
      {disabled && reason !== undefined && <span className="sr-only">, </span>}
      <span className="menu-hint" aria-hidden={!(disabled && reason !== undefined)}>
        {disabled && reason !== undefined ? reason : hint}
      </span>
      {disabled && why !== undefined && (
        <span className="menu-why">
          <QuestionCircle16Regular />
          <span className="sr-only">{t('menu.why')}</span>
        </span>
      )}
      {children !== undefined && <ChevronRight12Regular className="menu-more" />}
    </div>
  )
}
