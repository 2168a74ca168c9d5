// Selects the store of the contents.
import type { Config } from '../../config.ts'
import type { Log } from '../log.ts'
import type { Packing } from './local-packs.ts'
import { openLocalStore } from './local-store.ts'
import { openS3Store } from './s3-store.ts'
import type { BlobStore } from './store.ts'

/** Opens the store that the operator chose. */
export function openStore(
  { blobDir, s3 }: Pick<Config, 'blobDir' | 's3'>,
  log: Log,
  pausePoint?: (point: string) => Promise<void>,
  packing?: Packing,
): Promise<BlobStore> {
  return s3 === undefined
    ? openLocalStore(blobDir, pausePoint, undefined, packing && { packing })
    : openS3Store(s3, { log, ...(pausePoint === undefined ? {} : { pausePoint }) })
}
