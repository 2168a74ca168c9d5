// What can be done by typing its name (Ctrl+K): pages offer their commands while they are shown.
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

/** Every command on offer now. */
export function commands(): readonly Command[] {
  return offers.getState().lists.flatMap((list) => list())
}

/** Offers commands as long as the component is shown; they are asked for when somebody looks for one. */
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
