// The field that filters a folder or another list by name.

import { type ReactNode, useEffect, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { IconButton } from '../../kit/button.tsx'
import { Dismiss16Regular, Filter16Regular } from '../../kit/icons.ts'
import { isComposing } from '../../kit/keys.ts'
import './filter-field.css'

/** The filter of a list. */
export interface Filter {
  readonly keyword: string
  readonly onKeyword: (keyword: string) => void
}

interface FilterFieldProps extends Filter {
  readonly label: string
  /** Moves the focus back to the list. */
  readonly onLeave: () => void
}

/** Milliseconds after the last key before the filter is applied. */
const filterDelayMs = 200

export function FilterField({ label, keyword, onKeyword, onLeave }: FilterFieldProps): ReactNode {
  const t = useT()
  const [text, setText] = useState(keyword)
  useEffect(() => setText(keyword), [keyword])
  useEffect(() => {
    if (text.trim() === keyword) return
    const timer = setTimeout(() => onKeyword(text.trim()), filterDelayMs)
    return () => clearTimeout(timer)
  }, [text, keyword, onKeyword])
  return (
    <label className="dr-filter">
      <Filter16Regular />
      <input
        value={text}
        placeholder={label}
        aria-label={label}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (isComposing(event)) return
          if (event.key === 'Escape') {
            if (text === '') onLeave()
            setText('')
          } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
            event.preventDefault()
            onLeave()
          }
        }}
      />
      {text !== '' && (
        <IconButton
          size="small"
          label={t('drive.clearFilter')}
          hint="Esc"
          icon={<Dismiss16Regular />}
          onClick={() => {
            setText('')
            onLeave()
          }}
        />
      )}
    </label>
  )
}
