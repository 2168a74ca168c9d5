// What the process has one of; made in app.ts, handed to features whose handlers need it.
import type { BlobStore } from './blobs/store.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

export interface Services {
  readonly blobs: BlobStore
  /** Bytes of a part of an upload, by the size of the file. */
  readonly partBytes: (fileSize: number) => number
  /** A named point that tests can stop at. */
  readonly pause: (point: string) => Promise<void>
  readonly secrets: Secrets
  readonly settings: Settings
}
