// A name while it is written anew, where it stood: Enter and leaving keep it, Escape does not.
import { type ReactNode, useRef, useState } from 'react'
import { isComposing } from './keys.ts'

interface RenameFieldProps {
  readonly name: string
  readonly longest: number
  readonly label: string
  readonly className?: string
  readonly onChange: (name: string) => void
  /** It is over, kept or not; by a key, the focus wants a place. */
  readonly onEnd: (by: 'key' | 'leaving') => void
}

/** The field. */
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
      // It stands where the name was clicked.
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
