// Feature: sensitive content.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { type ItemEvent, writeEvents } from '../../core/events.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import type { StoredEvent } from '../../core/push/index.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { textListeners } from '../../search/items/index.ts'
import { approverSources, reviewKinds, waitingFor } from '../review/index.ts'
import { sensitiveApprovers } from './approvers.ts'
import { addChecks, addChecksBelow, advance, askUnasked, changedFiles, heardFiles, reopen, sweep } from './check.ts'
import { createCurrentRules, detectJobs } from './detect.ts'
import { createDetector, hashKey } from './detector.ts'
import { sensitiveHandlers } from './index.ts'
import { sensitiveReview, sensitiveReviewName } from './kind.ts'
import { sensitiveObjects } from './list.ts'
import { stepRun } from './run.ts'
import { sensitiveTables } from './tables.ts'

const sweepEveryMs = 30_000
const stepEveryMs = 1000

export const sensitiveFiles = feature({
  wire: features.sensitiveFiles,
  tables: sensitiveTables,
  checks: [
    {
      says: 'a file whose content is held back waits for a reviewer, or was not released',
      broken: sql`
        select 'item ' || i.id as what from item i where i.held_for is not null and not exists (
          select 1 from sensitive_file f where f.item_id = i.id and f.state in ('waiting', 'disapproved', 'deleted', 'detecting'))`,
    },
    {
      says: 'a sensitive file has an open review exactly as long as it waits',
      broken: sql`
        select 'check ' || f.id as what from sensitive_file f join review r on r.id = f.review_id
        where (f.state = 'waiting') <> (r.state = 'pending')`,
    },
  ],
  open(services) {
    const { db, now, secrets } = services
    const key = hashKey(secrets)
    const detecting = { db, key, contents: createCheckedContents(services), detector: createDetector(secrets, now) }
    const current = createCurrentRules()
    return {
      handlers: sensitiveHandlers(services, detecting),
      objects: [sensitiveObjects(now)],
      contributions: [
        contribute(reviewKinds, sensitiveReview),
        contribute(approverSources, sensitiveApprovers),
        contribute(textListeners, {
          async textStored(write, blobId, kind) {
            const active = await current(write.tx)
            if (active.rules.length > 0) await reopen(write, blobId, kind)
            const events = await advance(write, { blobIds: [blobId] }, active, key)
            await writeEvents(write.tx, events, write.now)
          },
        }),
      ],
      counters: { sensitiveReview: waitingFor(sensitiveReviewName) },
      jobs: detectJobs(detecting, current),
      reactions: [
        {
          to: 'item',
          async react(tx, heard) {
            const files = changedFiles(heard.map(({ change }) => change))
            await addChecks(tx, files, heard[0]?.now ?? now())
          },
        },
      ],
      readers: [
        {
          name: 'sensitive content',
          kinds: ['item'],
          async read(tx, events: readonly StoredEvent<ItemEvent>[], at) {
            const { files, copiedFolders } = heardFiles(events)
            if (files.length === 0 && copiedFolders.length === 0) return []
            const active = await current(tx)
            if (active.rules.length > 0) files.push(...(await addChecksBelow(tx, copiedFolders, at)))
            return advance({ tx, now: at }, { itemIds: files }, active, key)
          },
        },
      ],
      chores: [
        {
          name: 'checks of sensitive content that do not end',
          everyMs: sweepEveryMs,
          run: () =>
            db.transaction().execute(async (tx) => {
              const write = { tx, now: now() }
              const events = [...(await sweep(write, await current(tx), key)), ...(await askUnasked(write))]
              await writeEvents(tx, events, write.now)
            }),
        },
        {
          name: 'check of the files that are there',
          everyMs: stepEveryMs,
          run: () => stepRun(db, now(), current, key),
        },
      ],
    }
  },
})
