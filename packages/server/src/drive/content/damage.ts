/*
 * Damaged content. A reader that finds damage records it. The next complete upload of equal content replaces the
 * damaged one: the row then references the new object, and the damaged object is collected like any unreferenced
 * object.
 */
import { sql } from 'kysely'
import { NotAsStored } from '../../core/blobs/store.ts'
import type { Db } from '../../core/db/database.ts'
import type { Damage } from '../../core/db/schema.ts'
import { isNamedInTime, type PendingContent } from './pending-content.ts'

/**
 * Error codes that mean that one file cannot be read. Other errors may concern the whole store and are no evidence
 * against the content.
 */
const unreadable = new Set(['EIO', 'EISDIR', 'ELOOP', 'EACCES', 'EPERM'])

/** The damage that a read error indicates; undefined if it indicates none. */
export function damageIn(error: unknown): Damage | undefined {
  if (error instanceof NotAsStored) return error.damage
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown }
  // A missing file, or an object that an external store does not have.
  if (code === 'ENOENT' || status === 404) return 'missing'
  return typeof code === 'string' && unreadable.has(code) ? 'unreadable' : undefined
}

/** Records damage, unless the content has been collected or replaced meanwhile. Returns whether it was recorded. */
export async function recordDamage(
  db: Db,
  { id, key }: { readonly id: number; readonly key: string },
  damage: Damage,
  now: number,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into blob_problem (blob_id, kind, found_at, seen_at)
    select id, ${damage}, ${now}, ${now} from blob where id = ${id} and key = ${key}
    on conflict (blob_id) do update set kind = excluded.kind, seen_at = excluded.seen_at`.execute(db)
  return numAffectedRows > 0n
}

/** Replaces a damaged content with an equal stored one. Returns whether it did. */
export async function replaceDamaged(db: Db, content: PendingContent, now: number): Promise<boolean> {
  if (!isNamedInTime(content)) return false
  const { sha256, size, key } = content
  const { rows } = await sql`
    with damaged as materialized (
      select b.id, b.key from blob b join blob_problem p on p.blob_id = b.id
      where b.sha256 = ${sha256} and b.size = ${size} for update of b
    ), whole as (
      update blob b set key = ${key} from damaged d where b.id = d.id returning b.id
    ), known as (
      delete from blob_problem p using whole w where p.blob_id = w.id
    )
    insert into dropped_object (key, dropped_at)
    select d.key, ${now} from damaged d join whole w on w.id = d.id
    on conflict (key) do update set dropped_at = excluded.dropped_at returning key`.execute(db)
  return rows.length > 0
}
