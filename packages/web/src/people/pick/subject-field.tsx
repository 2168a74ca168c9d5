/*
 * One field for users, departments and roles: chips for the selected ones, and a list of search results by name,
 * account, pinyin, initials or department. Without a search term it offers recent contacts and the company to browse by
 * department. The focus stays in the field, as WAI-ARIA describes a combobox.
 */

import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../../core/i18n/i18n.ts'
import { IconButton } from '../../kit/button.tsx'
import {
  Building16Regular,
  ChevronLeft16Regular,
  ChevronRight16Regular,
  Dismiss12Regular,
  Search16Regular,
  Tag16Regular,
} from '../../kit/icons.ts'
import { isComposing } from '../../kit/keys.ts'
import { useAnchoredPosition } from '../../kit/use-anchored-position.ts'
import { usePendingEnter } from '../../kit/use-pending-enter.ts'
import { InitialsAvatar } from './initials-avatar.tsx'
import {
  type ParentDepartment,
  type SelectableTypes,
  type Subject,
  subjectKey,
  useSubjectSuggestions,
} from './subject.ts'
import './subject-field.css'

export interface SubjectFieldProps {
  readonly label: string
  readonly chosen: readonly Subject[]
  readonly onChange: (chosen: readonly Subject[]) => void
  /** The selectable types. Default: all. */
  readonly types?: SelectableTypes
  /** Suggested before anything is typed. */
  readonly suggested?: readonly Subject[]
  readonly autoFocus?: boolean
  /** Users below this secret level are excluded ([R233]). */
  readonly secretLevel?: number
}

type Row = { readonly back: ParentDepartment } | { readonly subject: Subject; readonly recent: boolean }

/** The picture of a user, department or role. */
export function SubjectAvatar({ type, id, name }: Pick<Subject, 'type' | 'id' | 'name'>): ReactNode {
  if (type === 'user') return <InitialsAvatar id={id} name={name} />
  return <span className="pe-face">{type === 'group' ? <Building16Regular /> : <Tag16Regular />}</span>
}

export function SubjectField(props: SubjectFieldProps): ReactNode {
  const { label, chosen, onChange, types = 'all', suggested = [], autoFocus = false, secretLevel = 0 } = props
  const t = useT()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [field, setField] = useState<HTMLDivElement | null>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const [way, setWay] = useState<readonly ParentDepartment[]>([])
  const keyword = useDeferredValue(text.trim())
  const within = way.at(-1)
  const found = useSubjectSuggestions(types, keyword, within, isOpen, secretLevel)

  const taken = new Set(chosen.map(subjectKey))
  const isFree = (subject: Subject): boolean => !taken.has(subjectKey(subject))
  const recent = keyword === '' && within === undefined ? suggested.filter(isFree) : []
  const rows: readonly Row[] = [
    ...(within !== undefined && keyword === '' ? [{ back: within }] : []),
    ...recent.map((subject) => ({ subject, recent: true })),
    ...(found.data ?? []).filter(isFree).map((subject) => ({ subject, recent: false })),
  ]
  const current = Math.min(at, rows.length - 1)

  const close = (): void => {
    setOpen(false)
    setWay([])
  }
  const look = (next: readonly ParentDepartment[]): void => {
    setWay(next)
    setText('')
    setAt(0)
  }
  const take = (row: Row | undefined): void => {
    if (row === undefined) return
    if ('back' in row) return look(way.slice(0, -1))
    const { subject } = row
    // If departments are not selectable, they are opened to find users.
    if (types === 'user' && subject.type === 'group') return look([...way, subject])
    onChange([...chosen, subject])
    setText('')
    setAt(0)
    // After a search result is chosen the list closes, because it would cover the following content.
    if (keyword !== '') close()
  }
  const into = (row: Row | undefined): boolean => {
    if (row === undefined || 'back' in row || row.subject.type !== 'group') return false
    look([...way, row.subject])
    return true
  }
  const isWaiting =
    isOpen && text.trim() !== '' && (keyword !== text.trim() || found.isPlaceholderData || found.isPending)
  const enter = usePendingEnter(isWaiting, () => take(rows[current]))
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event
    if (event.ctrlKey || event.metaKey || isComposing(event)) return
    if (key === 'ArrowDown' && !isOpen) setOpen(true)
    else if (key === 'ArrowDown') setAt(Math.min(rows.length - 1, current + 1))
    else if (key === 'ArrowUp' && isOpen) setAt(Math.max(0, current - 1))
    else if (key === 'Enter' && isOpen && (rows.length > 0 || isWaiting)) enter.take()
    else if (key === 'Escape' && isOpen) close()
    else if (key === 'ArrowRight' && isOpen && text === '') {
      if (!into(rows[current])) return
    } else if (key === 'ArrowLeft' && way.length > 0 && text === '') look(way.slice(0, -1))
    else if (key === 'Backspace' && text === '' && way.length > 0) look(way.slice(0, -1))
    else if (key === 'Backspace' && text === '' && chosen.length > 0) onChange(chosen.slice(0, -1))
    else return
    // A handled key must not reach the dialog or the page.
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="pe-subjects">
      {/* A click next to the chips focuses the input. */}
      <div
        ref={setField}
        className="k-input pe-subjects-field"
        onMouseDown={(event) => {
          if (event.target !== event.currentTarget) return
          event.preventDefault()
          input.current?.focus()
        }}
      >
        {chosen.length === 0 && <Search16Regular />}
        {chosen.map((subject) => (
          <span key={subjectKey(subject)} className="pe-chip">
            <SubjectAvatar {...subject} />
            <span>{subject.name}</span>
            <IconButton
              size="small"
              label={t('pick.drop', { name: subject.name })}
              icon={<Dismiss12Regular />}
              onClick={() => onChange(chosen.filter((one) => subjectKey(one) !== subjectKey(subject)))}
            />
          </span>
        ))}
        <input
          ref={input}
          role="combobox"
          aria-label={label}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={isOpen && current >= 0 ? `${id}-${current}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          autoFocus={autoFocus}
          placeholder={chosen.length === 0 ? t(`pick.hint.${types}`) : ''}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            enter.forget()
            setAt(0)
            setOpen(true)
          }}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
      </div>
      {isOpen && (
        <Offers
          id={id}
          label={label}
          field={field}
          rows={rows}
          at={current}
          isWaiting={found.isPending}
          hasWords={keyword !== ''}
          onAt={setAt}
          onTake={take}
          onInto={into}
          onLeave={close}
          showsInto={types !== 'role'}
        />
      )}
    </div>
  )
}

interface OffersProps {
  readonly id: string
  readonly label: string
  readonly field: HTMLElement | null
  readonly rows: readonly Row[]
  readonly at: number
  readonly isWaiting: boolean
  readonly hasWords: boolean
  readonly showsInto: boolean
  readonly onAt: (index: number) => void
  readonly onTake: (row: Row) => void
  readonly onInto: (row: Row) => void
  readonly onLeave: () => void
}

function Offers(props: OffersProps): ReactNode {
  const { id, label, field, rows, at, isWaiting, hasWords, showsInto, onAt, onTake, onInto, onLeave } = props
  const t = useT()
  const list = useRef<HTMLDivElement>(null)
  const place = useAnchoredPosition(field, list, onLeave, rows.length)
  useEffect(() => {
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const firstOther = rows.findIndex((row) => 'subject' in row && !row.recent)
  return createPortal(
    <div
      ref={list}
      id={`${id}-list`}
      className="k-select-list pe-offers"
      role="listbox"
      aria-label={label}
      style={place}
      onMouseDown={(event) => event.preventDefault()}
    >
      {rows.length === 0 && <p>{t(isWaiting ? 'pick.waiting' : hasWords ? 'pick.none' : 'pick.empty')}</p>}
      {rows.map((row, i) => (
        // The field handles the keyboard.
        <div
          key={'back' in row ? 'back' : `${row.recent ? 'recent ' : ''}${subjectKey(row.subject)}`}
          id={`${id}-${i}`}
          data-at={i}
          role="option"
          tabIndex={-1}
          aria-selected={i === at}
          className={[i === at && 'is-current', i === firstOther && i > 0 && rows[0] !== row && 'is-apart']
            .filter(Boolean)
            .join(' ')}
          onPointerMove={() => onAt(i)}
          onClick={() => onTake(row)}
        >
          {'back' in row ? (
            <>
              <ChevronLeft16Regular />
              <span>{row.back.name}</span>
            </>
          ) : (
            <>
              <SubjectAvatar {...row.subject} />
              <span>{row.subject.name}</span>
              <small>{subjectLocation(row.subject)}</small>
              {showsInto && row.subject.type === 'group' && (
                // The keyboard equivalent is the right arrow key.
                <span
                  className="pe-into"
                  title={t('pick.into', { name: row.subject.name })}
                  onClick={(event) => {
                    event.stopPropagation()
                    onInto(row)
                  }}
                >
                  <ChevronRight16Regular />
                </span>
              )}
            </>
          )}
        </div>
      ))}
    </div>,
    field?.closest('[role=dialog]') ?? document.body,
  )
}

/** The department and title, to distinguish users with the same name. */
function subjectLocation({ groupName, title, path }: Subject): string {
  return [groupName, title, path].filter(Boolean).join(' · ')
}
