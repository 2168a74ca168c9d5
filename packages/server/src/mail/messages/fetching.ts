// The kind of job that fetches one mailbox.
import { z } from 'zod'
import type { JobKind } from '../../core/queue/kind.ts'

const Asked = z.object({ boxId: z.int() })
export type FetchAsked = z.output<typeof Asked>

/** Fetches one mailbox. */
export const fetching: JobKind<FetchAsked, void> = {
  name: 'mail.fetch',
  input: Asked,
  key: ({ boxId }) => String(boxId),
  retentionMs: 1000,
}
