// The editor of a comment: its text, its stars and its mentions. Typing @ searches for people.

import type { Answer, calls } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useRef, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { keyOf } from '../../items/item/item.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Mention16Regular } from '../../kit/icons.ts'
import { isComposing } from '../../kit/keys.ts'
import { usePendingEnter } from '../../kit/use-pending-enter.ts'
import { InitialsAvatar } from '../../people/index.ts'
import { type CommentTarget, targetInput } from './comment-target.ts'
import { StarField } from './stars.tsx'

export interface Person {
  readonly userId: number
  readonly accountName: string
}

export interface CommentDraft {
  readonly comment: string
  readonly grade: number
  readonly userIdArray: number[]
}

interface ComposerProps {
  readonly item: CommentTarget
  readonly label: string
  readonly first?: { readonly comment: string; readonly grade: number; readonly mentioned: readonly Person[] }
  readonly withStars: boolean
  readonly verb: string
  readonly autoFocus?: boolean
  readonly onSend: (draft: CommentDraft) => Promise<boolean>
  readonly onCancel?: () => void
  readonly onDirty?: (dirty: boolean) => void
}

/** Returns the text between the last @ and the cursor, or undefined if no mention is being typed. */
const behindAt = (before: string): string | undefined => /(?:^|\s|[^\w@])@([^\s@]{0,20})$/u.exec(before)?.[1]

export function Composer(props: ComposerProps): ReactNode {
  const { item, label, first, withStars, verb, autoFocus = false, onSend, onCancel, onDirty } = props
  const t = useT()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(first?.comment ?? '')
  const [grade, setGrade] = useState(first?.grade ?? 0)
  const [people, setPeople] = useState<readonly Person[]>(first?.mentioned ?? [])
  const [naming, setNaming] = useState<string>()
  const [at, setAt] = useState(0)
  const [busy, setBusy] = useState(false)
  const keyword = useDeferredValue(naming)
  const found = useQuery({
    queryKey: ['drive', 'comments', 'people', keyOf(item), keyword],
    queryFn: () => api.of(item).getCommentPeople({ ...targetInput(item), keyword: keyword ?? '' }, { quiet: true }),
    enabled: keyword !== undefined,
    placeholderData: (before) => before,
  })
  const offered = naming === undefined ? [] : (found.data?.list ?? [])
  const current = Math.min(at, offered.length - 1)

  const change = (next: string): void => {
    setText(next)
    onDirty?.(next.trim() !== '')
  }
  /** Starts the search for people if a mention is being typed before the cursor. */
  const look = (): void => {
    const { value = '', selectionEnd = 0 } = field.current ?? {}
    const named = behindAt(value.slice(0, selectionEnd))
    if (named !== naming) {
      setAt(0)
      enter.forget()
    }
    setNaming(named)
  }
  const take = (person: Person | undefined): void => {
    const input = field.current
    if (person === undefined || input === null) return
    const before = input.value.slice(0, input.selectionEnd)
    const start = before.length - (naming ?? '').length
    const written = `${input.value.slice(0, start)}${person.accountName} `
    change(written + input.value.slice(input.selectionEnd))
    setPeople([...people.filter(({ userId }) => userId !== person.userId), person])
    setNaming(undefined)
    requestAnimationFrame(() => {
      input.focus()
      input.setSelectionRange(written.length, written.length)
    })
  }
  const send = async (): Promise<void> => {
    const comment = text.trim()
    if (busy || (comment === '' && grade === 0)) return
    setBusy(true)
    const userIdArray = people
      .filter(({ accountName }) => comment.includes(`@${accountName}`))
      .map(({ userId }) => userId)
    const done = await onSend({ comment, grade, userIdArray })
    setBusy(false)
    if (!done) return
    setText('')
    setGrade(0)
    setPeople([])
    onDirty?.(false)
  }
  const isWaiting = naming !== undefined && (keyword !== naming || found.isPlaceholderData || found.isLoading)
  const enter = usePendingEnter(isWaiting, () => take(offered[current]))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    const { key } = event
    const isPicking = offered.length > 0 || isWaiting
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
    else if (key === 'Escape' && naming !== undefined) setNaming(undefined)
    else if (key === 'Escape' && onCancel !== undefined) onCancel()
    else if (!isPicking) return
    else if (key === 'ArrowDown') setAt((current + 1) % Math.max(offered.length, 1))
    else if (key === 'ArrowUp') setAt((current - 1 + offered.length) % Math.max(offered.length, 1))
    else if (key === 'Enter' || key === 'Tab') enter.take()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="dr-composer">
      {naming !== undefined && found.data !== undefined && (
        <People id={id} offered={offered} current={current} onTake={take} />
      )}
      <div className="dr-composer-box">
        <textarea
          ref={field}
          value={text}
          rows={2}
          maxLength={limits.longestComment}
          placeholder={t('comments.placeholder')}
          aria-label={label}
          aria-autocomplete="list"
          aria-controls={naming === undefined ? undefined : `${id}-people`}
          aria-activedescendant={offered[current] && `${id}-${offered[current].userId}`}
          // The user has just opened the field, to reply or to edit a comment.
          autoFocus={autoFocus}
          onChange={(event) => {
            change(event.target.value)
            look()
          }}
          onKeyUp={(event) => {
            if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') look()
          }}
          onClick={look}
          onBlur={() => setNaming(undefined)}
          onKeyDown={onKeyDown}
        />
        <div className="dr-composer-tools">
          <IconButton
            size="small"
            label={t('comments.mention')}
            icon={<Mention16Regular />}
            onClick={() => {
              const gap = text === '' || /\s$/.test(text) ? '' : ' '
              change(`${text}${gap}@`)
              setAt(0)
              setNaming('')
              field.current?.focus()
            }}
          />
          {withStars && <StarField value={grade} onChange={setGrade} />}
          <span className="dr-composer-send">
            {onCancel !== undefined && (
              <Button size="small" onClick={onCancel}>
                {t('drive.cancel')}
              </Button>
            )}
            <Button
              kind="primary"
              size="small"
              title="Ctrl+Enter"
              disabled={busy || (text.trim() === '' && grade === 0)}
              onClick={() => void send()}
            >
              {verb}
            </Button>
          </span>
        </div>
      </div>
    </div>
  )
}

interface PeopleProps {
  readonly id: string
  readonly offered: Answer<typeof calls.getCommentPeople>['list']
  readonly current: number
  readonly onTake: (person: Person) => void
}

/** The people who can be mentioned. */
function People({ id, offered, current, onTake }: PeopleProps): ReactNode {
  const t = useT()
  return (
    <div className="dr-composer-people" role="listbox" id={`${id}-people`} aria-label={t('comments.people')}>
      {offered.map((person, n) => (
        <div
          key={person.userId}
          id={`${id}-${person.userId}`}
          role="option"
          aria-selected={n === current}
          onMouseDown={(event) => {
            event.preventDefault()
            onTake(person)
          }}
        >
          <InitialsAvatar id={person.userId} name={person.accountName} />
          <span>{person.accountName}</span>
          <small>{[person.groupName, person.title].filter(Boolean).join(' · ')}</small>
        </div>
      ))}
      <div role="presentation" className="dr-composer-note">
        {t(offered.length === 0 ? 'comments.nobody' : 'comments.onlyThose')}
      </div>
    </div>
  )
}
