// Background jobs for administrators: what waits, runs and has failed; retrying, cancelling, and a new search index.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Nothing, pageOf, Time, text } from '../fields.ts'
import { maintenanceSettings } from './maintenance.ts'

const jobStates = ['waiting', 'running', 'failed', 'done', 'cancelled'] as const

const Words = z.strictObject({ zh: z.string(), en: z.string() })

/** What the acts of an administrator on one job have in common. */
const ofJob = {
  kind: 'write',
  method: 'POST',
  auth: 'required',
  payload: 'json',
  origin: 'ours',
  guard: systemAdministrator,
  audits: ['jobId'],
  input: z.strictObject({ jobId: Count.describe('The job, as listed.') }),
  sample: () => ({ jobId: 1 }),
  data: Nothing,
  codes: ['notFound', 'duplicateOperation'],
} as const

const jobCalls = {
  getJobs: call({
    summary: 'Lists background jobs, newest first, with counts by kind',
    kind: 'read',
    method: 'GET',
    path: '/services2/system/jobs',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({
      state: z.enum(['all', ...jobStates]).default('all'),
      /** The kind of job; empty for all. */
      kind: text(100).default(''),
      ...pageOf(50, 200),
    }),
    data: z.strictObject({
      /** All kinds of which jobs are known. `oldest`: how long the longest-waiting due job has waited, in ms. */
      kinds: z.array(
        z.strictObject({
          kind: z.string(),
          title: Words,
          waiting: z.int(),
          running: z.int(),
          failed: z.int(),
          oldest: z.int(),
        }),
      ),
      list: z.array(
        z.strictObject({
          jobId: z.int(),
          kind: z.string(),
          title: Words,
          /** Ids and hashes of what it is about. */
          key: z.string(),
          state: z.enum(jobStates),
          /** Progress from 0 to 1000. */
          progress: z.int(),
          attempts: z.int(),
          createTime: Time,
          /** When it is taken next; 0 if it has ended. */
          dueTime: Time,
          /** When it ended; 0 if it has not. */
          endTime: Time,
          /** The last failure. */
          errorCode: z.string(),
          errorMessage: z.string(),
        }),
      ),
      total: z.int(),
      /** Items whose search index is not up to date yet, also while it is rebuilt. */
      notIndexed: z.int(),
    }),
  }),
  retryJob: call({
    summary: 'Runs a failed or cancelled job again, or a waiting one at once',
    title: { zh: '重试后台任务', en: 'Retry a background job' },
    path: '/services2/system/jobs/retry',
    ...ofJob,
  }),
  retryFailedJobs: call({
    summary: 'Runs all failed jobs of a kind again',
    title: { zh: '重试全部失败任务', en: 'Retry all failed jobs' },
    kind: 'write',
    method: 'POST',
    path: '/services2/system/jobs/retryFailed',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    audits: ['kind'],
    input: z.strictObject({ kind: text(100).default('') }),
    data: z.strictObject({ count: z.int() }),
  }),
  cancelJob: call({
    summary: 'Cancels a job that waits or runs',
    title: { zh: '取消后台任务', en: 'Cancel a background job' },
    path: '/services2/system/jobs/cancel',
    ...ofJob,
  }),
  rebuildSearch: call({
    summary: 'Indexes the names of all items again',
    title: { zh: '重建搜索索引', en: 'Rebuild the search index' },
    notes: 'Searches go on with the rows that exist; each is replaced in turn. Answers how many items are queued.',
    kind: 'write',
    method: 'POST',
    path: '/services2/system/search/rebuild',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    timeoutMs: 300_000,
    guard: systemAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({ count: z.int() }),
    codes: ['duplicateOperation'],
  }),
}
export type Job = z.output<typeof jobCalls.getJobs.data>['list'][number]

export const jobs = feature({
  about: { name: 'background jobs', text: 'Jobs that wait, run or have failed' },
  calls: jobCalls,
  settings: maintenanceSettings,
})
