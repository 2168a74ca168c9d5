// What callers need to know to enqueue a job. job.ts defines how it runs.
import type { z } from 'zod'
import type { Db } from '../db/database.ts'

/** The state of a job. */
export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

export interface JobKind<I = unknown, R = unknown> {
  readonly name: string
  /** The input: JSON, stored in the row of the job. */
  readonly input: z.ZodType<I>
  /**
   * Identifies everything the outcome depends on, such as the hash of a content, the wanted result and the version of
   * the code that makes it. However many callers use one key, there is one job. After a change the caller uses another
   * key. Made of ids and hashes, because it appears in the log.
   */
  key(input: I): string
  /**
   * The schema of the stored outcome, if any. Later callers get it without repeating the work. Small JSON only:
   * contents are stored as rows and objects of the feature.
   */
  readonly result?: z.ZodType<R>
  /** How long an outcome is retained. Default: an hour, or a week with a result. */
  readonly retentionMs?: number
}

/** The current status of a job. */
export interface JobStatus<R = unknown> {
  readonly state: JobState
  /** From 0 to 1000. */
  readonly progress: number
  readonly attempts: number
  /** Present if the job is done and its kind stores results. */
  readonly result: R | undefined
  /** The last failure, even if the job will be retried. */
  readonly error: { readonly code: string; readonly message: string } | undefined
}

/** Gives callers the outcome of their jobs. */
export interface Queue {
  /**
   * The job with a key. Undefined if it was not requested, or not recently. A caller that holds a connection passes it
   * as `by`.
   */
  find<I, R>(kind: JobKind<I, R>, key: string, by?: Db): Promise<JobStatus<R> | undefined>
  /** Returns the job once it has ended, in whichever process. Rejects with the reason of the signal. */
  waitFor<I, R>(kind: JobKind<I, R>, key: string, signal?: AbortSignal): Promise<JobStatus<R> | undefined>
}
