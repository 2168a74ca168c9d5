// Where the page stands in the browser's history. The browser does not tell whether there is a way forward, so the farthest
// place that was reached is kept, over a reload too: going to a new place ends the way forward.
import { useEffect } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

const storageKey = 'drive.farthest'

/** What is kept for this tab alone; browsers may refuse it. */
function farthest(): number {
  try {
    return Number(sessionStorage.getItem(storageKey) ?? 0)
  } catch {
    return 0
  }
}

/** Whether there is a page before and one after this one. */
export function useHistoryPlace(): { readonly canGoBack: boolean; readonly canGoForward: boolean } {
  useLocation()
  const type = useNavigationType()
  const { idx = 0 } = (window.history.state as { idx?: number } | null) ?? {}
  const last = type === NavigationType.Push ? idx : Math.max(idx, farthest())
  useEffect(() => {
    try {
      sessionStorage.setItem(storageKey, String(last))
    } catch {
      // Then the way forward is not known after a reload.
    }
  }, [last])
  return { canGoBack: idx > 0, canGoForward: last > idx }
}
