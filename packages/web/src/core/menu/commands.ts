// Commands that can be run by name (Ctrl+K). Pages offer their commands while they are shown.
import { useEffect, useRef } from 'react'
import { createStore } from 'zustand/vanilla'

export interface Command {
  readonly id: string
  readonly label: string
  /** Its shortcut. */
  readonly hint?: string
  readonly run: () => void
}

const offers = createStore<{ readonly lists: readonly (() => readonly Command[])[] }>(() => ({ lists: [] }))

/** All commands offered now. */
export function commands(): readonly Command[] {
  return offers.getState().lists.flatMap((list) => list())
}

/** Offers commands while the component is shown. The list is evaluated when the user opens the search. */
export function useCommands(list: () => readonly Command[]): void {
  const latest = useRef(list)
  useEffect(() => {
    latest.current = list
  })
  useEffect(() => {
    const offer = (): readonly Command[] => latest.current()
    offers.setState(({ lists }) => ({ lists: [...lists, offer] }))
    return () => offers.setState(({ lists }) => ({ lists: lists.filter((one) => one !== offer) }))
  }, [])
}
