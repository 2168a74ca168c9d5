// The job that writes the archive of a signing process. Apart from its work, which imports what enqueues it.
import { z } from 'zod'
import type { JobKind } from '../../core/queue/kind.ts'

export interface ToArchive {
  readonly activityId: number
  readonly folderId: number
}

export const archiving = {
  name: 'signing.archive',
  input: z.strictObject({ activityId: z.int(), folderId: z.int() }),
  key: ({ activityId, folderId }: ToArchive) => `${activityId}-${folderId}`,
} satisfies JobKind<ToArchive>
