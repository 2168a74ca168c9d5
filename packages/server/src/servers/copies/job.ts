// The job of a copy between servers: signs the person in on both sides, and decides what follows a failure.
import type { CodeName } from '@cloudoc/domain'
import { refusalOf } from '../../core/call/dispatcher.ts'
import type { Db } from '../../core/db/database.ts'
import { type Job, job } from '../../core/queue/job.ts'
import type { Services } from '../../core/services.ts'
import { nameOfServer, type Remote } from '../links/index.ts'
import { type Copy, copyKind } from './rows.ts'
import { carryOut, ServerAway } from './run.ts'
import { openSide, type SideParts } from './sides.ts'

/** With the longest pause between two, a server may be away for two days. */
const attempts = 3000
const longestPauseMs = 60_000

interface JobParts extends SideParts, Pick<Services, 'pause'> {}

/** Failures in which a server may be well again a moment later. */
const passing: ReadonlySet<CodeName> = new Set(['interconnectedServerNotResponding', 'interconnectedServerFaulty'])

async function end(db: Db, copy: Copy, now: number, code?: CodeName): Promise<void> {
  await db
    .updateTable('server_copy')
    .set({
      ...{ state: code === undefined ? 'done' : 'failed', code: code ?? '', ended_at: now },
      ...{ waiting_for: null, waiting_code: '' },
    })
    .where('id', '=', copy.id)
    .where('state', '=', 'running')
    .execute()
}

/** Carries out copies. One that was interrupted goes on where it stopped. */
export function copyJob(parts: JobParts): Job<{ copyId: number }, void> {
  const { db, now, times, pause } = parts

  return job({
    ...copyKind,
    attempts,
    concurrency: 2,
    timeoutMs: times.visitMs,
    backoffMs: (attempt) => Math.min((times.retryMs / 5) * attempt, longestPauseMs),
    async run(context, { copyId }) {
      const { signal, attempt } = context
      const copy = await db.selectFrom('server_copy').selectAll().where('id', '=', copyId).executeTakeFirst()
      if (copy?.state !== 'running') return
      const opened: Remote[] = []
      const side = async (serverId: number): Promise<Remote> => {
        const one = await openSide(parts, copy, serverId, signal)
        opened.push(one)
        return one
      }
      let isOpen = false
      try {
        const [source, target] = [await side(copy.source_server), await side(copy.target_server)]
        isOpen = true
        if (copy.waiting_for !== null)
          await db
            .updateTable('server_copy')
            .set({ waiting_for: null, waiting_code: '' })
            .where('id', '=', copyId)
            .execute()
        const sourceName = await nameOfServer(db, copy.source_server)
        await carryOut({
          db,
          copy,
          source,
          target,
          sourceName,
          signal,
          now,
          pause,
          progress: (done) => context.progress(done),
        })
        await end(db, copy, now())
      } catch (error) {
        signal.throwIfAborted()
        const code = refusalOf(error)?.code
        const isFinal = code !== undefined && !isOpen && !passing.has(code)
        // The target folder itself is refused, or can no longer be seen.
        const isRefused = code !== undefined && isOpen && !(error instanceof ServerAway)
        if (isFinal || isRefused || attempt >= attempts) return await end(db, copy, now(), code ?? 'serverException')
        if (error instanceof ServerAway)
          await db
            .updateTable('server_copy')
            .set({ waiting_for: error.serverId, waiting_code: error.code })
            .where('id', '=', copyId)
            .where('state', '=', 'running')
            .execute()
        throw error
      } finally {
        await Promise.all(opened.map((one) => one.close()))
      }
    },
  })
}
