/*
 * Looks up which object holds a version of a file. The result is cached until PostgreSQL notifies that the file has
 * changed. Each lookup first catches up with those notifications (core/db/invalidations.ts).
 */
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { batched, type Outcome } from '../../core/batcher.ts'
import type { Db } from '../../core/db/database.ts'
import type { Invalidations } from '../../core/db/invalidations.ts'

/** Content of a version, from its object and version rows. */
export interface StoredVersion {
  readonly blobId: number
  readonly key: string
  readonly size: number
  readonly sha256: Buffer
  readonly modifiedAt: number
  /** Malware was found in it: nobody may read it (-98). */
  readonly isHarmful: boolean
  /** An earlier version that was not inspected for viruses: nobody may read it (-530). */
  readonly isUninspected: boolean
  /** An earlier version that no reviewer has released: nobody may read it (-68). */
  readonly isHeld: boolean
}

/** Returns the content of a version; undefined if there is none. Refuses content in which malware was found or that is held back. */
export type StoredVersions = (fileId: number, version: number) => Promise<StoredVersion | undefined>

interface Asked {
  readonly fileId: number
  readonly version: number
}

/** Maximum number of files in the cache. */
const maxCached = 10_000

/** Reads contents for all concurrent callers in one statement. */
export function createStoredVersions(db: Db, invalidations: Invalidations): StoredVersions {
  const kept = new Map<number, Map<number, StoredVersion>>()
  invalidations.follow({
    forget: (kind, id) => void (kind === 'item' && kept.delete(id)),
    forgetAll: () => kept.clear(),
  })
  const read = batched({ most: 64, atOnce: 2 }, async (asked: readonly Asked[]) => {
    const mark = invalidations.mark()
    const stored = await storedVersions(db, asked)
    return stored.map((value, n): Outcome<StoredVersion | undefined> => {
      const { fileId = 0, version = 0 } = asked[n] ?? {}
      if (value !== undefined && invalidations.isCurrentSince(mark, 'item', fileId)) {
        if (kept.size > maxCached) kept.clear()
        kept.set(fileId, (kept.get(fileId) ?? new Map<number, StoredVersion>()).set(version, value))
      }
      return { value }
    })
  })
  return async (fileId, version) => {
    const found = kept.get(fileId)?.get(version) ?? (await read({ fileId, version }))
    return found && servable(found)
  }
}

/** The content, unless nobody may read it. */
export function servable(found: StoredVersion): StoredVersion {
  if (found.isHarmful) return fail('virusFile')
  if (found.isUninspected) return fail('notInspected')
  return found.isHeld ? fail('sensitiveFile') : found
}

/** The same lookup inside a transaction, without the cache. */
export async function storedVersions(db: Db, asked: readonly Asked[]): Promise<(StoredVersion | undefined)[]> {
  const { rows } = await sql<StoredVersion & Asked>`
    select v.item_id as "fileId", v.number as version, b.id as "blobId", b.key, b.size, b.sha256, v.created_at as "modifiedAt",
      exists (select 1 from scan s where s.blob_id = b.id and s.virus is not null) as "isHarmful",
      v.uninspected and exists (select 1 from item i where i.id = v.item_id and i.version <> v.number) as "isUninspected",
      v.held and exists (select 1 from item i where i.id = v.item_id and i.version <> v.number) as "isHeld"
    from jsonb_to_recordset(${JSON.stringify(asked)}) as a("fileId" bigint, version int)
      cross join lateral (select * from version where item_id = a."fileId" and number = a.version offset 0) v
      join blob b on b.id = v.blob_id`.execute(db)
  const byVersion = new Map(rows.map(({ fileId, version, ...stored }) => [`${fileId} ${version}`, stored]))
  return asked.map(({ fileId, version }) => byVersion.get(`${fileId} ${version}`))
}
