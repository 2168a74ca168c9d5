// What the pages below /m do beside showing themselves: the shell for starts without a network, and the marked copies.
import { followMarked } from './marked-copies.ts'
import { startShell } from './shell.ts'

/** Starts both. Returns the function that stops them. */
export function startOffline(): () => void {
  const stops = [startShell(), followMarked()]
  return () => {
    for (const stop of stops) stop()
  }
}
