// Whether the panel stands there: opened by hand, or because something came; it goes when nothing is left ([R096]).
import { createStore } from 'zustand/vanilla'
import { centreStore, onArrival, type StoredNotice } from '../core/notices/notice-centre.ts'
import { isQuietTime, noticePreferencesStore } from '../core/notices/notice-preferences.ts'
import { store, stored } from '../core/storage/storage.ts'

interface PanelState {
  readonly open: boolean
  /** Opened by hand it may be empty. */
  readonly byHand: boolean
  /** The newest that there was when the panel was closed: what is newer is marked. */
  readonly seenUpTo: number
}

const key = (accountId: number): string => `noticesSeen-${accountId}`
let accountOf = 0

export const panelStore = createStore<PanelState>(() => ({ open: false, byHand: false, seenUpTo: 0 }))

/** When the panel last came by itself. */
let cameAt = 0
/** Whoever clicks the bell at the moment at which the panel comes wants to see it. */
const meantMs = 1000

/** What a click on the bell does: opens the panel, or closes it. */
export function togglePanel(): void {
  const { open, byHand } = panelStore.getState()
  if (open && (byHand || Date.now() - cameAt > meantMs)) closePanel()
  else panelStore.setState({ open: true, byHand: true })
}

/** Whether a panel would cover what somebody is in the middle of, a window or a menu, or the list of all notices. */
const isBusy = (): boolean =>
  location.pathname === '/notify/list' || document.querySelector('[role=dialog], [role=menu]') !== null

export function closePanel(): void {
  const newest = newestOf(centreStore.getState().groups.flatMap(({ list }) => list))
  const { seenUpTo } = panelStore.getState()
  const seen = Math.max(seenUpTo, newest)
  panelStore.setState({ open: false, byHand: false, seenUpTo: seen })
  store(key(accountOf), String(seen))
}

const newestOf = (list: readonly StoredNotice[]): number =>
  list.reduce((most, { remindId }) => Math.max(most, remindId), 0)

/** Milliseconds that a panel stays which came by itself: it lies over what somebody works on. */
const foldMs = 6000
let folding: ReturnType<typeof setTimeout> | undefined

/** Folds what came by itself and nobody has turned to; what is in it stays new. */
function fold(): void {
  const { open, byHand } = panelStore.getState()
  if (!open || byHand) return
  if (document.querySelector('.nt-panel:hover, .nt-panel:focus-within') !== null) folding = setTimeout(fold, foldMs)
  else panelStore.setState({ open: false })
}

/** Shows the panel when the count grows, and hides it at zero. */
export function followCentre(accountId: number): () => void {
  accountOf = accountId
  panelStore.setState({ open: false, byHand: false, seenUpTo: Number(stored(key(accountId)) ?? 0) || 0 })
  const stops = [
    onArrival(() => {
      if (isQuietTime(noticePreferencesStore.getState(), new Date()) || isBusy()) return
      if (!panelStore.getState().open) cameAt = Date.now()
      panelStore.setState({ open: true })
      clearTimeout(folding)
      folding = setTimeout(fold, foldMs)
    }),
    centreStore.subscribe(({ total }, before) => {
      if (total === 0 && before.total > 0 && panelStore.getState().open) closePanel()
    }),
  ]
  return () => {
    clearTimeout(folding)
    for (const stop of stops) stop()
    panelStore.setState({ open: false, byHand: false })
  }
}
