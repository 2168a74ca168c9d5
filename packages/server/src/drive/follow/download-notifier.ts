// Records downloads of followed files. Downloads of other files write nothing.
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { authorOf, type Context } from '../../core/call/context.ts'
import { writeEvents } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import type { DownloadEvent } from './notify-followers.ts'

/** Notifies the followers of downloads that these files, or the contents of these folders, are being downloaded. */
export type NotifyDownloads = (context: Context, taken: readonly Access[]) => Promise<void>

/** The set of followed items is cached until PostgreSQL notifies that it has changed. */
export function createNotifyDownloads({ db, invalidations }: Pick<Services, 'db' | 'invalidations'>): NotifyDownloads {
  let kept: ReadonlySet<number> | undefined
  let version = 0
  const forget = (): void => {
    kept = undefined
    version += 1
  }
  invalidations.follow({
    forget(kind) {
      if (kind === 'account') forget()
    },
    forgetAll: forget,
  })
  const followed = async (): Promise<ReadonlySet<number>> => {
    if (kept !== undefined) return kept
    const asked = version
    const { rows } = await sql<{ item_id: number }>`select distinct item_id from follow where kind = 2`.execute(db)
    const ids = new Set(rows.map(({ item_id }) => item_id))
    if (asked === version) kept = ids
    return ids
  }
  return async (context, taken) => {
    // If a file is downloaded in ranges, only the first range counts.
    const { range } = context.request.headers
    if (range !== undefined && !range.startsWith('bytes=0-')) return
    const ids = await followed()
    if (ids.size === 0) return
    const { accountId, name } = authorOf(context)
    const events = taken
      .filter(({ row, path }) => ids.has(row.id) || path.some((link) => ids.has(link.id)))
      .map(
        ({ row, library }): DownloadEvent => ({
          kind: 'follow.download',
          itemId: row.id,
          libraryId: library.id,
          operatorId: accountId,
          operatorName: name,
        }),
      )
    if (events.length > 0) await db.transaction().execute((tx) => writeEvents(tx, events, context.now))
  }
}
