// The tag field for items: chips of their tags, and a list of matches for the typed text. A new name becomes a tag of
// the user, with the chosen colour.

import type { Tag } from '@cloudoc/contract'
import { limits, type TagColour, tagColours } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { TagDot } from '../../items/labels/tag-chip.tsx'
import { Add12Regular, Add16Regular, Checkmark12Filled, Dismiss12Regular } from '../../kit/icons.ts'
import { isComposing } from '../../kit/keys.ts'
import { useAnchoredPosition } from '../../kit/use-anchored-position.ts'
import { usePendingEnter } from '../../kit/use-pending-enter.ts'

/** An existing tag, or one that is created on save. */
export type AppliedTag = Pick<Tag, 'tagName' | 'colour'> & { readonly tagId?: number; readonly on: number }

export const useTags = (keyword: string) =>
  useQuery({
    queryKey: ['drive', 'tags', 'list', keyword],
    queryFn: () => api.getTagList({ keyword }, { quiet: true }),
    placeholderData: (before) => before,
  })

interface TagFieldProps {
  readonly worn: readonly AppliedTag[]
  /** The number of items. */
  readonly count: number
  /** Adds the tag to all items. */
  readonly onAdd: (tag: Omit<AppliedTag, 'on'>) => void
  readonly onRemove: (tag: AppliedTag) => void
}

export function TagField({ worn, count, onAdd, onRemove }: TagFieldProps): ReactNode {
  const t = useT()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [field, setField] = useState<HTMLDivElement | null>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [colour, setColour] = useState<TagColour>('blue')
  const keyword = useDeferredValue(text.trim())
  const found = useTags(keyword)
  const isOpen = text.trim() !== ''
  const onAll = new Set(worn.filter(({ on }) => on === count).map(({ tagName }) => tagName.toLowerCase()))
  const offered = isOpen ? (found.data?.list ?? []).filter(({ tagName }) => !onAll.has(tagName.toLowerCase())) : []
  const isNew =
    isOpen &&
    !onAll.has(text.trim().toLowerCase()) &&
    !offered.some(({ tagName }) => tagName.toLowerCase() === text.trim().toLowerCase())
  const rows = offered.length + (isNew ? 1 : 0)
  const current = Math.min(at, rows - 1)

  const take = (n: number): void => {
    const tag = offered[n]
    if (tag !== undefined) onAdd(tag)
    else if (isNew) onAdd({ tagName: text.trim(), colour })
    else return
    setText('')
    setAt(0)
    input.current?.focus()
  }
  const isWaiting = isOpen && (keyword !== text.trim() || found.isPlaceholderData || found.isPending)
  const enter = usePendingEnter(isWaiting, () => take(current))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event) || event.ctrlKey || event.metaKey) return
    const { key } = event
    const last = worn.at(-1)
    if (key === 'Backspace' && text === '' && last !== undefined) onRemove(last)
    else if (!isOpen) return
    else if (key === 'ArrowDown') setAt(Math.min(rows - 1, current + 1))
    else if (key === 'ArrowUp') setAt(Math.max(0, current - 1))
    else if (key === 'Enter') enter.take()
    else if (key === 'Escape') setText('')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <div
        ref={setField}
        className="dr-tag-field"
        onMouseDown={(event) => {
          if (event.target !== event.currentTarget) return
          event.preventDefault()
          input.current?.focus()
        }}
      >
        {worn.map((tag) => {
          const isPart = tag.on < count
          return (
            <span key={tag.tagId ?? tag.tagName} className={`dr-label is-large${isPart ? ' is-part' : ''}`}>
              <TagDot colour={tag.colour} />
              <span className="dr-label-name">{tag.tagName}</span>
              {isPart && (
                <>
                  <small>{`${tag.on}/${count}`}</small>
                  <button
                    type="button"
                    aria-label={t('tags.addToAll', { name: tag.tagName })}
                    data-tip={t('tags.addToAll', { name: tag.tagName })}
                    onClick={() => onAdd(tag)}
                  >
                    <Add12Regular />
                  </button>
                </>
              )}
              <button
                type="button"
                aria-label={t('tags.takeOff', { name: tag.tagName })}
                data-tip={t('tags.takeOff', { name: tag.tagName })}
                onClick={() => onRemove(tag)}
              >
                <Dismiss12Regular />
              </button>
            </span>
          )
        })}
        <input
          ref={input}
          value={text}
          maxLength={limits.longestTag}
          role="combobox"
          aria-label={t('tags.field')}
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen && current >= 0 ? `${id}-${current}` : undefined}
          placeholder={t('tags.placeholder')}
          // The window is opened for typing.
          autoFocus
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
            enter.forget()
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {isOpen && rows > 0 && (
        <Offers
          id={id}
          field={field}
          content={rows}
          onLeave={() => setText('')}
          below={isNew && <ColourPalette value={colour} onChange={setColour} />}
        >
          {offered.map((tag, n) => (
            <div
              key={tag.tagId}
              id={`${id}-${n}`}
              role="option"
              aria-selected={n === current}
              onMouseDown={(event) => {
                event.preventDefault()
                take(n)
              }}
            >
              <TagDot colour={tag.colour} />
              <span className="dr-label-name">{tag.tagName}</span>
              {tag.company && <small>{t('tags.company')}</small>}
              <small className="dr-tag-count">{t('drive.items', { n: tag.count })}</small>
            </div>
          ))}
          {isNew && (
            <div
              id={`${id}-${offered.length}`}
              role="option"
              aria-selected={current === offered.length}
              onMouseDown={(event) => {
                event.preventDefault()
                take(offered.length)
              }}
            >
              <Add16Regular />
              {t('tags.make', { name: text.trim() })}
            </div>
          )}
        </Offers>
      )}
    </>
  )
}

interface OffersProps {
  readonly id: string
  readonly field: HTMLElement | null
  readonly content: unknown
  readonly onLeave: () => void
  readonly children: ReactNode
  /** The colour choice for a new tag. */
  readonly below: ReactNode
}

/** The list of matches, inside the dialog of the field. */
function Offers({ id, field, content, onLeave, children, below }: OffersProps): ReactNode {
  const t = useT()
  const list = useRef<HTMLDivElement>(null)
  const place = useAnchoredPosition(field, list, onLeave, content)
  return createPortal(
    // Keeps the focus in the field.
    <div ref={list} className="dr-tag-list" style={place} onMouseDown={(event) => event.preventDefault()}>
      <div id={`${id}-list`} role="listbox" aria-label={t('tags.title')}>
        {children}
      </div>
      {below}
    </div>,
    field?.closest('[role="dialog"]') ?? document.body,
  )
}

/** Chooses a colour. */
export function ColourPalette({
  value,
  onChange,
}: {
  readonly value: TagColour
  readonly onChange: (colour: TagColour) => void
}): ReactNode {
  const t = useT()
  return (
    <span className="dr-tag-palette" role="radiogroup" aria-label={t('tags.colour')}>
      {tagColours.map((colour) => (
        <button
          key={colour}
          type="button"
          role="radio"
          aria-checked={value === colour}
          aria-label={t(`tags.colour.${colour}`)}
          data-colour={colour}
          data-tip={t(`tags.colour.${colour}`)}
          className={`is-${colour}`}
          onClick={() => onChange(colour)}
        >
          {value === colour && <Checkmark12Filled />}
        </button>
      ))}
    </span>
  )
}
