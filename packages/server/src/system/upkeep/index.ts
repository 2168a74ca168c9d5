// The upkeep of contents, done by the elected process beside the sequencer: what nothing refers to is collected, and what
// is kept is read again now and then.
import { limits } from '@cloudoc/domain'
import { pause } from '../../core/elected.ts'
import type { Log } from '../../core/log.ts'
import { type CollectorParts, collectRows, removeDropped, sweepObjects } from '../../drive/content/index.ts'
import { removeOldUploads } from '../../drive/transfer/index.ts'
import { type ScrubParts, scrub } from './scrub.ts'
import { readWalk, writeWalk } from './walk.ts'

export { damagedContents, type ScrubParts, scrub, scrubSome } from './scrub.ts'

export interface UpkeepParts extends CollectorParts, ScrubParts {
  readonly log: Log
}

const stepEveryMs = 1000
/** Rows without a version come about slowly; a walk over all of them is not worth more. */
const rowsEveryMs = 10 * 60_000

/** Collects and reads again until the signal. */
export async function keepUp(parts: UpkeepParts, signal: AbortSignal): Promise<void> {
  await Promise.all([collect(parts, signal), scrub(parts, signal)])
}

async function collect(parts: UpkeepParts, signal: AbortSignal): Promise<void> {
  const { db, now, log } = parts
  let nextRows = 0
  let after = 0
  while (!signal.aborted) {
    try {
      if (performance.now() >= nextRows) {
        const step = await collectRows(parts, after)
        after = step.after ?? 0
        if (step.after === undefined) nextRows = performance.now() + rowsEveryMs
      }
      while (!signal.aborted && (await removeDropped(parts)) > 0);
      while (!signal.aborted && (await removeOldUploads(db, parts.blobs, now())) > 0);
      const swept = await readWalk(db, 'sweep')
      if (now() >= swept.at + limits.unnamedObjectMs) {
        const found = await sweepObjects(parts, signal)
        if (found > 0) log.info({ found }, 'objects that nothing names will be removed')
        if (!signal.aborted) await writeWalk(db, 'sweep', { at: now() })
        if (!signal.aborted) await parts.blobs.giveBack?.()
      }
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'the collector failed and is tried again')
    }
    await pause(stepEveryMs, signal)
  }
}
