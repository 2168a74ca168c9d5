// The feature of contents and versions: collects unreferenced content and ends expired secret levels.
import { limits } from '@cloudoc/domain'
import { feature } from '../../core/feature.ts'
import { resumableScan } from '../../core/resumable-scan.ts'
import type { Services } from '../../core/services.ts'
import { contentChecks } from './checks.ts'
import { collectRows, endSecrets, removeDropped, sweepObjects } from './index.ts'
import { contentTables } from './tables.ts'

const droppedEveryMs = 1000
const sweepEveryMs = 1000
/** Unreferenced content accumulates slowly, so a more frequent scan of all rows is not worthwhile. */
const rowsEveryMs = 10 * 60_000
const endsEveryMs = 60_000

/** When the store was last scanned for unreferenced objects. */
export const sweeping = resumableScan('sweep', { at: 0 })

/** Scans the store when the interval has passed, and reclaims the space of removed objects. */
async function sweep(services: Services, signal: AbortSignal): Promise<void> {
  const { db, blobs, now, log } = services
  if (now() < (await sweeping.read(db)).at + limits.unnamedObjectMs) return
  const found = await sweepObjects(services, signal)
  if (found > 0) log.info({ found }, 'objects that nothing names will be removed')
  if (!signal.aborted) await sweeping.write(db, { at: now() })
  if (!signal.aborted) await blobs.giveBack?.()
}

export const content = feature({
  tables: contentTables,
  checks: contentChecks,
  open(services) {
    let after = 0
    return {
      chores: [
        {
          name: 'contents that nothing refers to',
          everyMs: rowsEveryMs,
          async run() {
            const step = await collectRows(services, after)
            after = step.after ?? 0
            return step.after !== undefined
          },
        },
        {
          name: 'objects that were dropped',
          everyMs: droppedEveryMs,
          run: async () => (await removeDropped(services)) > 0,
        },
        { name: 'objects that nothing names', everyMs: sweepEveryMs, run: (signal) => sweep(services, signal) },
        {
          name: 'secret levels that have ended',
          everyMs: endsEveryMs,
          run: async () => (await endSecrets(services, services.now())) > 0,
        },
      ],
    }
  },
})
