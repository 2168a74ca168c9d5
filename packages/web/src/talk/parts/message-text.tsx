// The text of a message: plain text, with addresses as links and mentions marked. Nothing in it is markup.
import { splitAddresses } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { isolated } from '../../core/i18n/isolate.ts'
import type { TalkPerson } from '../state/people.ts'

/** Splits a plain text at the names of mentioned people. */
function withMentions(text: string, mentions: readonly TalkPerson[], me: number): ReactNode[] {
  const names = mentions.map(({ name }) => `@${name}`)
  const parts: ReactNode[] = []
  let from = 0
  while (from < text.length) {
    let at = -1
    let found = 0
    for (const [n, name] of names.entries()) {
      const next = text.indexOf(name, from)
      if (next >= 0 && (at < 0 || next < at || (next === at && name.length > (names[found]?.length ?? 0))))
        [at, found] = [next, n]
    }
    if (at < 0) break
    const name = names[found] ?? ''
    if (at > from) parts.push(text.slice(from, at))
    const id = mentions[found]?.userId
    parts.push(
      <mark key={at} className={id === me || id === 0 ? 'im-mention is-me' : 'im-mention'}>
        {name}
      </mark>,
    )
    from = at + name.length
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

interface MessageTextProps {
  readonly text: string
  readonly mentions: readonly TalkPerson[]
  readonly me: number
}

/** Shows a text as it was written; marks that turn the direction of reading end with it. */
export function MessageText({ text, mentions, me }: MessageTextProps): ReactNode {
  return (
    <bdi className="im-text">
      {splitAddresses(isolated(text)).map((part, n) =>
        part.href === undefined ? (
          // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other name
          <span key={n}>{withMentions(part.text, mentions, me)}</span>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other name
          <a key={n} href={part.href} target="_blank" rel="noopener noreferrer">
            {part.text}
          </a>
        ),
      )}
    </bdi>
  )
}
