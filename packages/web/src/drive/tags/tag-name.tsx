// The name of a tag while it is written anew: Enter and leaving keep it, Escape does not.
import type { Tag } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { type ReactNode, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isComposing } from '../../kit/keys.ts'

interface TagNameProps {
  readonly tag: Tag
  readonly onChange: (name: string) => void
  readonly onEnd: () => void
}

/** The field, where the name stood. */
export function TagName({ tag, onChange, onEnd }: TagNameProps): ReactNode {
  const t = useT()
  const [name, setName] = useState(tag.tagName)
  const ended = useRef(false)
  const end = (keep: boolean): void => {
    if (ended.current) return
    ended.current = true
    const wanted = name.trim()
    if (keep && wanted !== '' && wanted !== tag.tagName) onChange(wanted)
    onEnd()
  }
  return (
    <input
      className="dr-tag-name-field"
      value={name}
      maxLength={limits.longestTag}
      aria-label={t('tags.name')}
      // It stands where the name was clicked.
      autoFocus
      onFocus={({ target }) => target.select()}
      onChange={(event) => setName(event.target.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (isComposing(event)) return
        if (event.key === 'Enter') end(true)
        else if (event.key === 'Escape') end(false)
        else return
        event.preventDefault()
      }}
    />
  )
}
