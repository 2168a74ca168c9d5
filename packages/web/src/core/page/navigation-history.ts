/*
 * The navigation history of the product: 100 entries, preserved over a reload ([R061]). Browsers keep fewer (Chromium
 * 50) and do not expose them, so the addresses are stored here. A step uses the browser's history while that has the
 * entry, so the browser's buttons stay consistent. For an entry the browser has dropped, its address replaces the
 * current browser entry.
 */
import { limits } from '@cloudoc/domain'
import { useEffect, useSyncExternalStore } from 'react'
import { type NavigateFunction, NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router'

interface Trail {
  /** The addresses of the history, oldest first. */
  readonly entries: readonly string[]
  /** The number of the oldest entry. Numbering continues when old entries are dropped. */
  readonly first: number
  /** Which history entry each entry of the browser's history shows, by the browser entry's number. */
  readonly shown: Readonly<Record<number, number>>
  /** The current entry. */
  readonly place: number
}

const storageKey = 'navigation'

let trail: Trail | undefined
let navigate: NavigateFunction | undefined
/** The target of a step that replaces the current browser entry. */
let steered: number | undefined
const listeners = new Set<() => void>()

function readTrail(): Trail | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') ?? undefined) as Trail | undefined
  } catch {
    return undefined
  }
}

function saveTrail(next: Trail): void {
  trail = next
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(next))
  } catch {
    // The history is lost after a reload.
  }
  for (const listener of listeners) listener()
}

/** The number of the browser's current history entry. */
function entryNow(): number {
  return (window.history.state as { idx?: number } | null)?.idx ?? 0
}

/** Records a navigation: the new address and its type. */
function arrive(address: string, type: NavigationType): void {
  const idx = entryNow()
  const before = trail ?? readTrail()
  const returned = before?.shown[idx]
  const isKnown = before !== undefined && (trail !== undefined || addressAt(before, returned) === address)
  if (!isKnown || (type === NavigationType.Pop && returned === undefined)) {
    steered = undefined
    saveTrail({ entries: [address], first: idx, shown: { [idx]: idx }, place: idx })
    return
  }
  const { first, shown } = before
  // No navigation has happened in this page yet: it was reloaded.
  const loaded = trail === undefined
  const place = loaded ? (returned ?? idx) : placeAfter(before, type, returned)
  steered = undefined
  if (type === NavigationType.Push && !loaded) {
    const entries = [...before.entries.slice(0, place - first), address]
    const gone = Math.max(0, entries.length - limits.navigationHistory)
    const left = Object.fromEntries(Object.entries(shown).filter(([at]) => Number(at) < idx))
    saveTrail({ entries: entries.slice(gone), first: first + gone, shown: { ...left, [idx]: place }, place })
    return
  }
  const entries = before.entries.map((entry, i) => (i === place - first ? address : entry))
  saveTrail({ entries, first, shown: { ...shown, [idx]: place }, place })
}

function placeAfter({ place }: Trail, type: NavigationType, returned: number | undefined): number {
  if (steered !== undefined) return steered
  if (type === NavigationType.Push) return place + 1
  return type === NavigationType.Pop ? (returned ?? place) : place
}

function addressAt({ entries, first }: Trail, place: number | undefined): string | undefined {
  return place === undefined ? undefined : entries[place - first]
}

/** Moves this many steps in the history. */
function step(by: 1 | -1): void {
  if (trail === undefined || navigate === undefined) return
  const to = trail.place + by
  const address = addressAt(trail, to)
  if (address === undefined) return
  const idxs = Object.keys(trail.shown).map(Number)
  const oldest = Math.max(...idxs) + 1 - window.history.length
  const { shown } = trail
  const there = idxs.find((idx) => shown[idx] === to && idx >= oldest)
  if (there !== undefined) return void navigate(there - entryNow())
  steered = to
  void navigate(address, { replace: true })
}

/** Goes back inside the product. */
export function goBack(): void {
  step(-1)
}

/** Goes forward inside the product. */
export function goForward(): void {
  step(1)
}

/** Records navigation. Used once, around all pages. */
export function useNavigationHistory(): void {
  const { pathname, search, hash, key } = useLocation()
  const type = useNavigationType()
  const go = useNavigate()
  useEffect(() => {
    navigate = go
  }, [go])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same address may be arrived at again.
  useEffect(() => arrive(pathname + search + hash, type), [pathname, search, hash, type, key])
  useEffect(
    () => () => {
      trail = undefined
      navigate = undefined
    },
    [],
  )
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether there are entries before and after the current one. */
export function useHistoryPlace(): { readonly canGoBack: boolean; readonly canGoForward: boolean } {
  const canGoBack = useSyncExternalStore(subscribe, () => trail !== undefined && trail.place > trail.first)
  const canGoForward = useSyncExternalStore(
    subscribe,
    () => trail !== undefined && trail.place < trail.first + trail.entries.length - 1,
  )
  return { canGoBack, canGoForward }
}
