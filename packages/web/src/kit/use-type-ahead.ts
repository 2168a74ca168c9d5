// Letters that are typed where nothing is written go to what begins with them.
import { type KeyboardEvent, useRef } from 'react'
import { isComposing } from './keys.ts'

/** Milliseconds after which the next letter begins a new word. */
const typeAheadMs = 700

/** What has been typed, and whether to look from the focused row on (a longer word) or behind it. */
export interface Typed {
  readonly text: string
  readonly fromFocus: boolean
}

/**
 * Letters go to the next name that begins with them; the same one again, to the one after. Answers what to look for, or
 * undefined where a key types nothing.
 */
export function useTypeAhead(): (event: KeyboardEvent) => Typed | undefined {
  const typed = useRef({ text: '', at: 0 })
  return (event) => {
    // Whatever is no letter ends a word.
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
