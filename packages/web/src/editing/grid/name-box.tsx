// The name box: shows the current cell, and jumps to a typed reference.
import { type ReactNode, useState } from 'react'

export function NameBox({
  name,
  label,
  go,
}: {
  readonly name: string
  readonly label: string
  readonly go: (ref: string) => void
}): ReactNode {
  const [text, setText] = useState(name)
  return (
    <input
      className="gr-name"
      aria-label={label}
      value={text}
      spellCheck={false}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => setText(name)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        // The cell then has the focus, and would handle the key.
        event.preventDefault()
        go(event.key === 'Enter' ? text : name)
      }}
    />
  )
}
