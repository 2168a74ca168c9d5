// A content between its object and the row that names it.
import { limits } from '@cloudoc/domain'

/** A content that is durable and may be referenced. */
export interface PendingContent {
  readonly sha256: Buffer
  readonly size: number
  /** The sums of its blocks; none where they are known. */
  readonly sums: Buffer
  /** The key of the object kept for it. */
  readonly key: string
  /** When it was kept, on the clock of `performance.now()`. */
  readonly keptAt: number
}

/** Whether an object may still be named; later the collector may take it for left behind. */
export function isNamedInTime({ keptAt }: PendingContent): boolean {
  return performance.now() - keptAt <= limits.nameObjectWithinMs
}
