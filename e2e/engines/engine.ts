// A browser engine beside Chromium.
import type { Driver } from './screen.ts'

export interface Engine {
  /** Opens a page, signed in as nobody. */
  open(url: string): Promise<Driver<unknown>>
  /** What pages have logged as errors. */
  readonly problems: string[]
  close(): Promise<void>
}
