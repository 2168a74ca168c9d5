// Inline edit field for the description or the name of a version.
import { type ReactNode, useRef, useState } from 'react'
import { isComposing } from '../../kit/keys.ts'

interface InlineTextFieldProps {
  readonly label: string
  readonly value: string
  readonly most: number
  /** Undefined if the value is unchanged. */
  readonly onEnd: (value: string | undefined) => void
}

/** Enter saves the value, Esc restores it. */
export function InlineTextField({ label, value, most, onEnd }: InlineTextFieldProps): ReactNode {
  const [typed, setTyped] = useState(value)
  const ended = useRef(false)
  const end = (to: string | undefined): void => {
    if (ended.current) return
    ended.current = true
    onEnd(to === undefined || to.trim() === value ? undefined : to.trim())
  }
  return (
    <input
      className="dr-property-field"
      aria-label={label}
      placeholder={label}
      // The button that opened the field is gone.
      autoFocus
      maxLength={most}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => end(typed)}
      onKeyDown={(event) => {
        if (isComposing(event)) return
        if (event.key === 'Enter') end(typed)
        else if (event.key === 'Escape') end(undefined)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
