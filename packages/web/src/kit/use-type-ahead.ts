// Type-ahead: letters typed outside text fields select the item that starts with them.
import { type KeyboardEvent, useRef } from 'react'
import { isComposing } from './keys.ts'

/** Milliseconds after which the next letter starts a new prefix. */
const typeAheadMs = 700

/** The typed prefix, and whether to search from the focused row (a longer prefix) or after it. */
export interface Typed {
  readonly text: string
  readonly fromFocus: boolean
}

/**
 * Letters select the next name that starts with them; the same letter again selects the following one. Returns the
 * search, or undefined if the key is not a letter.
 */
export function useTypeAhead(): (event: KeyboardEvent) => Typed | undefined {
  const typed = useRef({ text: '', at: 0 })
  return (event) => {
    // A key that is not a letter ends the prefix.
    if (event.key.length > 1) typed.current = { text: '', at: 0 }
    const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    const going = event.timeStamp - typed.current.at < typeAheadMs && typed.current.text !== ''
    if (!letter || (event.key === ' ' && !going) || isComposing(event)) return undefined
    const text = going ? typed.current.text + event.key : event.key
    typed.current = { text, at: event.timeStamp }
    const again = [...text].every((one) => one === text[0])
    return { text: again ? event.key : text, fromFocus: going && !again }
  }
}
