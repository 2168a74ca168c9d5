// The browser that the browser tests run in: the system's own Chromium.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// First the one without a window's machinery: the same engine, and the journeys take a seventh less time.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge',
]
const MAC_APPS = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)

/** Path of the browser's program, if there is one; CHROMIUM names another. */
export function findChromium() {
  const inPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [process.env.CHROMIUM, ...inPath, ...MAC_APPS].find((path) => path && existsSync(path))
}
