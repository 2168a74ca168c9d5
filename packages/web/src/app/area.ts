// The frame around the areas: its windows and texts, and the pushes that end a session remotely.
import type { AreaSession } from '../core/area/area.ts'
import { windowBridge } from '../core/bridge/window-bridge.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { pushes } from './pushes.ts'
export { appWindows as windows } from './windows.ts'

/** Answers the desktop client, where the page runs in it. In a browser nothing of that is loaded. */
export function start({ navigate }: AreaSession): () => void {
  if (!windowBridge().ownsWindow) return () => undefined
  const connected = import('./desktop.ts').then(({ connectDesktop }) => connectDesktop(navigate))
  return () => void connected.then((stop) => stop())
}
