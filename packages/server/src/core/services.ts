// What the process has one of; made in app.ts, handed to features whose handlers need it.
import type { BlobStore } from './blobs/store.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

export interface Services {
  readonly blobs: BlobStore
  readonly secrets: Secrets
  readonly settings: Settings
}
