// What typing letters in a list means: names that begin with them, by their letters, their pinyin or its initials.
import { type KeyboardEvent, useRef } from 'react'
import { isComposing } from '../../core/page/keys.ts'
import { readingsOf } from './readings.ts'

/** Milliseconds after which the next letter begins a new word. */
const typeAheadMs = 700

/** A name as it can be typed: itself, its pinyin, its initials. */
function spellings(name: string, nameSort: string): string[] {
  const readings = readingsOf(nameSort)
  return [
    name.toLowerCase(),
    readings.map(({ full }) => full).join(''),
    readings.map(({ initial }) => initial).join(''),
  ]
}

/** Whether the name begins with what was typed. */
export function beginsWith(item: { readonly fName: string; readonly nameSort: string }, typed: string): boolean {
  const wanted = typed.toLowerCase()
  return spellings(item.fName, item.nameSort).some((spelling) => spelling.startsWith(wanted))
}

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
