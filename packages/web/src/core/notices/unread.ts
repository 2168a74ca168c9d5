// The unread count in the title of the page and on the bell.
import { useStore } from 'zustand'
import { centreStore } from './notice-centre.ts'
import { badgeOf } from './notice-groups.ts'

/** The unread count as badge text; empty if there are none. */
export function useUnread(): string {
  const total = useStore(centreStore, (state) => state.total)
  return total === 0 ? '' : badgeOf(total)
}
