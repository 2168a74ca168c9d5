// The job queue as a feature: its table, its figures, and the removal of expired jobs.
import { sql } from 'kysely'
import { feature } from '../feature.ts'
import { countJobs, removeEndedJobs } from './rows.ts'
import { queueTables } from './tables.ts'

const expiryEveryMs = 60_000

export const queue = feature({
  tables: queueTables,
  checks: [
    {
      says: 'no work is asked for twice',
      broken: sql`
        select 'jobs ' || string_agg(id::text, ' ' order by id) as what from job group by kind, key having count(*) > 1`,
    },
  ],
  open: ({ db, now }) => ({
    chores: [
      {
        name: 'outcomes of jobs',
        everyMs: expiryEveryMs,
        run: async () => (await removeEndedJobs(db, now())) > 0,
      },
    ],
    gauges: [
      {
        name: 'cloudoc_jobs',
        help: 'Jobs of the installation that wait, run or have failed.',
        labels: ['kind', 'state'],
        read: async () =>
          (await countJobs(db, now())).flatMap(({ kind, waiting, running, failed }) =>
            Object.entries({ waiting, running, failed }).map(([state, value]) => ({ labels: { kind, state }, value })),
          ),
      },
      {
        name: 'cloudoc_job_oldest_wait_seconds',
        help: 'How long the job has waited, of each kind, that could have been taken first.',
        labels: ['kind'],
        read: async () =>
          (await countJobs(db, now())).map(({ kind, oldest }) => ({ labels: { kind }, value: oldest / 1000 })),
      },
    ],
  }),
})
