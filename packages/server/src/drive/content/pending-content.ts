// Content whose object is stored but not yet referenced by a row.
import { limits } from '@cloudoc/domain'

/** Content that is durable and may be referenced. */
export interface PendingContent {
  readonly sha256: Buffer
  readonly size: number
  /** The checksums of its blocks; empty if they are already known. */
  readonly sums: Buffer
  /** The key of its object. */
  readonly key: string
  /** When it was stored, by the clock of `performance.now()`. */
  readonly keptAt: number
}

/** Whether the object may still be referenced. Later the collector may treat it as abandoned. */
export function isNamedInTime({ keptAt }: PendingContent): boolean {
  return performance.now() - keptAt <= limits.nameObjectWithinMs
}
