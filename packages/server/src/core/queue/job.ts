// What a feature declares about a kind of job, and what the job gets while it runs.
import type { z } from 'zod'
import type { Db, Tx } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { JobKind } from './kind.ts'

/** A transaction and its time, as in every {@link WriteContext}. */
export interface Write {
  readonly tx: Tx
  /** Milliseconds since 1970. */
  readonly now: number
}

/** One attempt at a job, as seen by the code that runs it. */
export interface JobContext {
  readonly db: Db
  /** The number of this attempt, from 1 on. */
  readonly attempt: number
  /**
   * Aborted when the job was cancelled, its time is over, another process has taken it, or this process stops. The job
   * must then end soon: until it does, it occupies one slot of its kind.
   */
  readonly signal: AbortSignal
  readonly log: Log
  /** Reports progress from 0 to 1000. Written about once a second. */
  progress(thousandths: number): void
}

/**
 * A kind of job. It is executed at least once: a process may die at any point, even when everything is done and nothing
 * is recorded, and another process starts from the beginning. Effects of `run` outside the database must therefore be
 * idempotent. What `commit` writes is written once, in the transaction that ends the job, and only by the current
 * holder.
 */
export interface Job<I = unknown, R = unknown> extends JobKind<I, R> {
  /** Maximum number of attempts. After that many failures or process deaths the job has failed. */
  readonly attempts: number
  /**
   * How many jobs of this kind a process runs concurrently. However many are waiting, they do not delay other kinds.
   */
  readonly concurrency: number
  /** The latest job is done first: a user who has just saved does not wait for thousands of imported items. */
  readonly newestFirst?: boolean
  /** Timeout of one attempt. */
  readonly timeoutMs: number
  /** Delay after a failed attempt, by its number. Default: {@link usualBackoff}. */
  backoffMs?(attempt: number): number
  run(context: JobContext, input: I): Promise<R>
  commit?(write: Write, input: I, result: R): Promise<void>
}

/** Declares a kind of job. */
export function job<I, R = void>(declaration: Job<I, R>): Job<I, R> {
  return declaration
}

/** One second, four, sixteen, and so on up to an hour. */
export function usualBackoff(attempt: number): number {
  return Math.min(1000 * 4 ** (attempt - 1), 60 * 60_000)
}

/** A permanent failure: further attempts would not help. */
export class HopelessJob extends Error {
  override name = 'HopelessJob'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The abort reason for a holder that has lost the job: it was cancelled, or another process has taken it. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** Parses stored JSON by a schema that may have changed since. */
export function readStored<T>(schema: z.ZodType<T>, stored: unknown): T {
  const read = schema.safeParse(stored)
  if (read.success) return read.data
  throw new HopelessJob('input', `what is stored is not what this build reads: ${read.error.issues[0]?.code}`)
}
