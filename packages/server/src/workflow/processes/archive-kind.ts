// The job that writes the archive of a process. Apart from its work, which imports what enqueues it.
import { z } from 'zod'
import type { JobKind } from '../../core/queue/kind.ts'

export interface ToArchive {
  readonly processId: number
  /** The open task of the engine that waits for the archive. */
  readonly taskId: number
}

export const archiving = {
  name: 'workflow.archive',
  input: z.strictObject({ processId: z.int(), taskId: z.int() }),
  key: ({ processId, taskId }: ToArchive) => `${processId}-${taskId}`,
} satisfies JobKind<ToArchive>
