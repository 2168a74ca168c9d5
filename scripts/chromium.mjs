// The browser for the browser tests: the system's Chromium.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// The headless shell comes first: it is the same engine without window support, and the journeys take a seventh less
// time.
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

/** Path of the browser, if there is one; CHROMIUM overrides it. */
export function findChromium() {
  const inPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [process.env.CHROMIUM, ...inPath, ...MAC_APPS].find((path) => path && existsSync(path))
}
