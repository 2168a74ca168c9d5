// What belongs to a job that an administrator cancels: a row of a feature that says that the job is under way.
import { extensionPoint } from '../extension-points.ts'
import type { Write } from './job.ts'

/** Ends what a job of this kind would have carried out, in the transaction that cancels the job. */
export interface JobEnding<I = unknown> {
  readonly kind: { readonly name: string }
  readonly cancelled: (write: Write, input: I) => Promise<void>
}

export const jobEndings = extensionPoint<JobEnding<never>>('cancelled jobs')
