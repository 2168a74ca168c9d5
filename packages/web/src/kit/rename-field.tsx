// An inline rename field in the position of the name. Enter and blur save the name, Escape discards it.
import { type ReactNode, useRef, useState } from 'react'
import { isComposing } from './keys.ts'

interface RenameFieldProps {
  readonly name: string
  readonly longest: number
  readonly label: string
  readonly className?: string
  readonly onChange: (name: string) => void
  /** Editing has ended, saved or not. After a key, the caller must set the focus. */
  readonly onEnd: (by: 'key' | 'leaving') => void
}

export function RenameField({ name: first, longest, label, className, onChange, onEnd }: RenameFieldProps): ReactNode {
  const [name, setName] = useState(first)
  const ended = useRef(false)
  const end = (keep: boolean, by: 'key' | 'leaving'): void => {
    if (ended.current) return
    ended.current = true
    const wanted = name.trim()
    if (keep && wanted !== '' && wanted !== first) onChange(wanted)
    onEnd(by)
  }
  return (
    <input
      className={className}
      value={name}
      maxLength={longest}
      aria-label={label}
      // The field replaces the clicked name.
      autoFocus
      onFocus={({ target }) => target.select()}
      onChange={(event) => setName(event.target.value)}
      onBlur={() => end(true, 'leaving')}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (isComposing(event)) return
        if (event.key === 'Enter') end(true, 'key')
        else if (event.key === 'Escape') end(false, 'key')
        else return
        event.preventDefault()
      }}
    />
  )
}
