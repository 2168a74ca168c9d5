/*
 * A select field: a select-only combobox as described by WAI-ARIA. The focus stays in the field. The list is drawn
 * above everything, but inside the dialog that contains the field, so that screen readers associate the two.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { isComposing } from './keys.ts'
import { useAnchoredPosition } from './use-anchored-position.ts'
import { type Typed, useTypeAhead } from './use-type-ahead.ts'
import './select.css'

export interface SelectOption<V> {
  readonly value: V
  readonly label: string
  /** A second, less prominent text. */
  readonly note?: string
  readonly disabled?: boolean
}

export interface SelectProps<V> {
  /** Its label, shown above the field if `shown` is set. */
  readonly label: string
  readonly showLabel?: boolean
  readonly value: V
  readonly options: readonly SelectOption<V>[]
  readonly onChange: (value: V) => void
  readonly disabled?: boolean
  readonly size?: 'small'
  readonly className?: string
}

const pageOf = 8

/** A field to choose one of several values. */
export function Select<V extends string | number>(props: SelectProps<V>): ReactNode {
  const { label, showLabel = false, value, options, onChange, disabled = false, size, className } = props
  const id = useId()
  const [field, setField] = useState<HTMLDivElement | null>(null)
  const typeAhead = useTypeAhead()
  const [at, setAt] = useState<number>()
  const chosen = options.findIndex((option) => option.value === value)
  const isOpen = at !== undefined

  /** The previously focused element, if a toolbar around the field keeps the focus there on click. */
  const before = useRef<HTMLElement>(undefined)
  const open = (): void => setAt(Math.max(0, chosen))
  const close = (): void => {
    setAt(undefined)
    before.current?.focus({ preventScroll: true })
    before.current = undefined
  }
  const choose = (index: number | undefined): void => {
    const option = index === undefined ? undefined : options[index]
    close()
    if (option !== undefined && option.disabled !== true && option.value !== value) onChange(option.value)
  }
  /** The next selectable option from this index in one direction; the current one if there is none. */
  const able = (from: number, by: 1 | -1): number => {
    for (let i = from; i >= 0 && i < options.length; i += by) if (options[i]?.disabled !== true) return i
    return at ?? Math.max(0, chosen)
  }
  const last = options.length - 1
  const step = (by: number): void => {
    const to = Math.max(0, Math.min(last, (at ?? chosen) + by))
    setAt(able(to, by < 0 ? -1 : 1))
  }
  const toLetters = ({ text, fromFocus }: Typed): void => {
    const from = Math.max(0, at ?? chosen) + (fromFocus ? 0 : 1)
    const order = [...options.keys()].map((i) => (from + i) % options.length)
    const wanted = text.toLowerCase()
    const hit = order.find((i) => options[i]?.disabled !== true && options[i]?.label.toLowerCase().startsWith(wanted))
    if (hit !== undefined) setAt(hit)
    else if (at === undefined) open()
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, altKey } = event
    if (disabled || event.ctrlKey || event.metaKey || isComposing(event)) return
    const typed = typeAhead(event)
    if (!isOpen) {
      if (typed !== undefined) toLetters(typed)
      else if (key === 'ArrowDown' || key === 'ArrowUp' || key === 'Enter' || key === ' ') open()
      else if (key === 'Home') setAt(able(0, 1))
      else if (key === 'End') setAt(able(last, -1))
      else return
    } else if (key === 'Tab') {
      // Tab moves the focus on, and chooses the highlighted option.
      choose(at)
      return
    } else if (typed !== undefined) toLetters(typed)
    else if (key === 'Escape') close()
    else if (key === 'Enter' || (key === 'ArrowUp' && altKey)) choose(at)
    else if (key === ' ') choose(at)
    else if (key === 'ArrowDown') step(1)
    else if (key === 'ArrowUp') step(-1)
    else if (key === 'PageDown') step(pageOf)
    else if (key === 'PageUp') step(-pageOf)
    else if (key === 'Home') setAt(able(0, 1))
    else if (key === 'End') setAt(able(last, -1))
    else return
    // A handled key must not reach the dialog or the page.
    event.preventDefault()
    event.stopPropagation()
  }

  const looks = ['k-select', size && `is-${size}`, isOpen && 'is-open', className]
  return (
    <div className={looks.filter(Boolean).join(' ')}>
      {showLabel && <span id={`${id}-label`}>{label}</span>}
      <div
        ref={setField}
        className="k-select-field"
        role="combobox"
        tabIndex={disabled ? -1 : 0}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        aria-disabled={disabled}
        {...(showLabel ? { 'aria-labelledby': `${id}-label` } : { 'aria-label': label })}
        onClick={() => {
          if (disabled) return
          if (isOpen) return close()
          const { activeElement } = document
          if (activeElement !== field && activeElement instanceof HTMLElement) before.current = activeElement
          field?.focus({ preventScroll: true })
          open()
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(undefined)}
      >
        <span className="k-select-value">{options[chosen]?.label}</span>
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
          <path
            d="m2.5 4.5 3.5 3.5 3.5-3.5"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.2"
            strokeLinecap="round"
          />
        </svg>
      </div>
      {isOpen && (
        <List
          id={id}
          label={label}
          options={options}
          chosen={chosen}
          at={at}
          field={field}
          onAt={setAt}
          onChoose={choose}
          onLeave={() => setAt(undefined)}
        />
      )}
    </div>
  )
}

interface ListProps<V> {
  readonly id: string
  readonly label: string
  readonly options: readonly SelectOption<V>[]
  readonly chosen: number
  readonly at: number
  readonly field: HTMLElement | null
  readonly onAt: (index: number) => void
  readonly onChoose: (index: number) => void
  readonly onLeave: () => void
}

/** The options, below the field or, if there is more room, above it. */
function List<V>({ id, label, options, chosen, at, field, onAt, onChoose, onLeave }: ListProps<V>): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const place = useAnchoredPosition(field, list, onLeave)
  useEffect(() => {
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [at])

  return createPortal(
    <div ref={list} id={`${id}-list`} className="k-select-list" role="listbox" aria-label={label} style={place}>
      {options.map((option, i) => (
        // The field handles the keyboard.
        <div
          key={String(option.value)}
          id={`${id}-${i}`}
          data-at={i}
          role="option"
          tabIndex={-1}
          aria-selected={i === chosen}
          aria-disabled={option.disabled}
          className={i === at ? 'is-current' : ''}
          onPointerMove={() => option.disabled !== true && onAt(i)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => option.disabled !== true && onChoose(i)}
        >
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            {i === chosen && <path d="m3.5 8.5 3 3 6-7" fill="none" stroke="currentColor" strokeWidth="1.4" />}
          </svg>
          <span>{option.label}</span>
          {option.note !== undefined && <small>{option.note}</small>}
        </div>
      ))}
    </div>,
    field?.closest('[role=dialog]') ?? document.body,
  )
}
