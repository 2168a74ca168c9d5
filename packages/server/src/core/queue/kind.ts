// What whoever asks for work that waits has to know of it; job.ts says how it is done.
import type { z } from 'zod'
import type { Db } from '../db/database.ts'

/** What has become of a job. */
export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

export interface JobKind<I = unknown, R = unknown> {
  readonly name: string
  /** What it is asked with; JSON, kept in the row of the job. */
  readonly input: z.ZodType<I>
  /**
   * Names everything that the outcome depends on, such as the hash of a content, what is to be made of it and the version of who makes it. However many
   * ask for one key there is one job; whoever has changed something asks with another key. Made of ids and hashes, as it
   * stands in the log.
   */
  key(input: I): string
  /**
   * The outcome, where it is kept: whoever asks again meanwhile is given it, and the work is not done again. Small and
   * JSON; contents are rows and objects of the feature's own.
   */
  readonly result?: z.ZodType<R>
  /** How long an outcome is kept; an hour, or with a result a week. */
  readonly retentionMs?: number
}

/** A job as it stands. */
export interface JobStatus<R = unknown> {
  readonly state: JobState
  /** From 0 to 1000. */
  readonly progress: number
  readonly attempts: number
  /** Where it is done and its kind keeps results. */
  readonly result: R | undefined
  /** The last failure, also of one that will be tried again. */
  readonly error: { readonly code: string; readonly message: string } | undefined
}

/** Where those who have asked for a job find what became of it. */
export interface Queue {
  /** The job of a key; undefined where nobody has asked for it, or not lately. Whoever holds a connection reads by it. */
  find<I, R>(kind: JobKind<I, R>, key: string, by?: Db): Promise<JobStatus<R> | undefined>
  /** The same once it has ended, on whichever process. Rejects with the reason of the signal. */
  waitFor<I, R>(kind: JobKind<I, R>, key: string, signal?: AbortSignal): Promise<JobStatus<R> | undefined>
}
