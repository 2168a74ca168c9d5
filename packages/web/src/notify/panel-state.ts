// Whether the panel is open: opened by the user, or automatically by a new notice. It closes when no notice is left, and
// becomes a line in the corner where the user does not use it ([R096]).
import { createStore } from 'zustand/vanilla'
import { centreStore, onArrival, type StoredNotice } from '../core/notices/notice-centre.ts'
import { isQuietTime, noticePreferencesStore } from '../core/notices/notice-preferences.ts'
import { store, stored } from '../core/storage/storage.ts'

interface PanelState {
  readonly open: boolean
  /** A panel opened by the user may be empty. */
  readonly byHand: boolean
  /** It shows the number of notices alone. */
  readonly small: boolean
  /** The newest notice when the panel was last closed. Newer ones are marked as new. */
  readonly seenUpTo: number
}

const key = (accountId: number): string => `noticesSeen-${accountId}`
let accountOf = 0

export const panelStore = createStore<PanelState>(() => ({ open: false, byHand: false, small: false, seenUpTo: 0 }))

/** When the panel last opened automatically. */
let cameAt = 0
/** A click on the bell within this time after the panel opened automatically does not close it. */
const meantMs = 1000

/** Handles a click on the bell: opens or closes the panel. */
export function togglePanel(): void {
  const { open, byHand, small } = panelStore.getState()
  if (open && !small && (byHand || Date.now() - cameAt > meantMs)) closePanel()
  else panelStore.setState({ open: true, byHand: true, small: false })
}

/**
 * Whether an automatic panel would disturb the user: a window, a menu or a list of choices is open, the page has filters
 * (the panel would cover them), the user is typing, or the list of all notices is shown.
 */
const isBusy = (): boolean =>
  location.pathname === '/notify/list' ||
  document.querySelector('[role=dialog], [role=menu], [role=listbox], .k-filters, .dr-chips') !== null ||
  document.activeElement?.matches('input, textarea, [contenteditable=true]') === true

export function closePanel(): void {
  const newest = newestOf(centreStore.getState().groups.flatMap(({ list }) => list))
  const { seenUpTo } = panelStore.getState()
  const seen = Math.max(seenUpTo, newest)
  panelStore.setState({ open: false, byHand: false, small: false, seenUpTo: seen })
  store(key(accountOf), String(seen))
}

const newestOf = (list: readonly StoredNotice[]): number =>
  list.reduce((most, { remindId }) => Math.max(most, remindId), 0)

/** How long an automatic panel keeps its full size, in milliseconds, because it covers the user's work. */
const foldMs = 6000
let folding: ReturnType<typeof setTimeout> | undefined

/** Makes an automatic panel small that the user has not used. Its notices stay new. */
function fold(): void {
  const { open, byHand } = panelStore.getState()
  if (!open || byHand) return
  if (document.querySelector('.nt-panel:hover, .nt-panel:focus-within') !== null) folding = setTimeout(fold, foldMs)
  else panelStore.setState({ small: true })
}

/** The panel follows the count once it has not changed for this many milliseconds ([R096]). */
const settleMs = 100

/** Opens the panel when the count grows, and closes it at zero. */
export function followCentre(accountId: number): () => void {
  accountOf = accountId
  panelStore.setState({ open: false, byHand: false, small: false, seenUpTo: Number(stored(key(accountId)) ?? 0) || 0 })
  let hasGrown = false
  let settling: ReturnType<typeof setTimeout> | undefined
  const follow = (): void => {
    const mayOpen = hasGrown && !isQuietTime(noticePreferencesStore.getState(), new Date()) && !isBusy()
    hasGrown = false
    const { open } = panelStore.getState()
    if (centreStore.getState().total === 0) {
      if (open) closePanel()
    } else if (mayOpen) {
      if (!open) cameAt = Date.now()
      panelStore.setState({ open: true, small: false })
      clearTimeout(folding)
      folding = setTimeout(fold, foldMs)
    }
  }
  const followSoon = (): void => {
    clearTimeout(settling)
    settling = setTimeout(follow, settleMs)
  }
  const stops = [
    onArrival(() => {
      hasGrown = true
      followSoon()
    }),
    centreStore.subscribe(({ total }, before) => {
      if (total !== before.total) followSoon()
    }),
  ]
  return () => {
    clearTimeout(settling)
    clearTimeout(folding)
    for (const stop of stops) stop()
    panelStore.setState({ open: false, byHand: false, small: false })
  }
}
