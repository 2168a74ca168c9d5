// The members whose names match what is typed after an @.
import type { TalkChat } from '@cloudoc/contract'
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isCommitEnter } from '../../kit/keys.ts'
import type { TalkPerson } from '../state/people.ts'

/** The word after an @, and where it starts. */
interface Asked {
  readonly from: number
  readonly word: string
}

/** The list of members for the word that is typed, and the keys that choose from it. */
export function useMentions(chat: TalkChat, conversationId: number) {
  const t = useT()
  const [people, setPeople] = useState<readonly TalkPerson[]>([])
  const [at, setAt] = useState(0)
  const [asked, ask] = useState<Asked>()
  const mayMentionAll = !chat.leadersMentionAll || chat.role !== 'member'
  useEffect(() => {
    if (asked === undefined || chat.push !== 'GROUP') return setPeople([])
    let isCurrent = true
    void api
      .imGroupMembers({ conversationId, keyword: asked.word, rows: 8 }, { quiet: true })
      .then(({ list }) => {
        if (!isCurrent) return
        const all = asked.word === '' && mayMentionAll ? [{ userId: 0, name: t('im.mentionAll') }] : []
        setPeople([...all, ...list.map(({ userId, name }) => ({ userId, name }))])
        setAt(0)
      })
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [asked, chat.push, conversationId, mayMentionAll, t])

  /** Whether a key was one of the list; Enter and Tab choose the person. */
  const onKey = (event: KeyboardEvent, choose: (person: TalkPerson, from: number) => void): boolean => {
    if (asked === undefined || people.length === 0) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const person = people[at]
    if (step !== undefined) setAt((at + step + people.length) % people.length)
    else if ((isCommitEnter(event) || event.key === 'Tab') && person !== undefined) choose(person, asked.from)
    else if (event.key === 'Escape') {
      event.stopPropagation()
      ask(undefined)
    } else return false
    event.preventDefault()
    return true
  }

  return { asked, ask, people, at, onKey }
}

interface MentionListProps {
  readonly mentions: ReturnType<typeof useMentions>
  readonly onChoose: (person: TalkPerson, from: number) => void
}

export function MentionList({ mentions: { asked, people, at }, onChoose }: MentionListProps): ReactNode {
  const t = useT()
  if (asked === undefined || people.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the list of a combobox
    <ul className="im-mentions" role="listbox" aria-label={t('im.mention')}>
      {people.map((person, n) => (
        <li key={person.userId}>
          <button
            type="button"
            role="option"
            aria-selected={n === at}
            onMouseDown={(event) => {
              event.preventDefault()
              onChoose(person, asked.from)
            }}
          >
            {person.name}
          </button>
        </li>
      ))}
    </ul>
  )
}
