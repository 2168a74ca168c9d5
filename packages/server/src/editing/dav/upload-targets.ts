/*
 * Where new files go, without looking at everything: programs store thousands of files one after another in folders in which
 * nothing has their names, and nothing is locked. Then one statement, shared by all who ask at the same moment, says which
 * folder it is; whether its caller may store there is decided by the upload, as always. Anything else takes the long way.
 */
import { sql } from 'kysely'
import { batched, type Outcome } from '../../core/batcher.ts'
import type { Db } from '../../core/db/database.ts'
import { hashToken } from '../../core/secrets.ts'
import { keyOf } from './resources.ts'

/** A library is looked up again after this time: another one may have come that has its name for the caller. */
const knownMs = 2000
const mostKnown = 1000

interface Asked {
  readonly libraryId: number
  /** The keys of the names below the library's own: folders, and the file. */
  readonly keys: readonly string[]
}

interface Walked {
  readonly n: number
  readonly id: number
  readonly f_type: 1 | 2
  readonly depth: number
  readonly locked: boolean
}

export interface UploadTargets {
  /**
   * The folder in which a file with this address would stand; undefined if anything stands there or is locked, or if it
   * is not known without a longer look.
   */
  folderFor(authorization: string, names: readonly string[]): Promise<number | undefined>
  /** What a look at an address has found: its caller knows the library by this name. */
  learn(authorization: string, name: string, libraryId: number): void
}

export function createUploadTargets(db: Db, now: () => number): UploadTargets {
  const known = new Map<string, { readonly libraryId: number; readonly until: number }>()
  const find = batched({ most: 64, atOnce: 2 }, (asked: readonly Asked[]) => walk(db, asked, now()))
  const keyFor = (authorization: string, name: string): string =>
    `${hashToken(authorization).toString('base64')} ${keyOf(name)}`
  return {
    async folderFor(authorization, [library = '', ...below]) {
      const place = known.get(keyFor(authorization, library))
      if (place === undefined || place.until <= now() || below.length === 0) return undefined
      return find({ libraryId: place.libraryId, keys: [library, ...below].map(keyOf) })
    },
    learn(authorization, name, libraryId) {
      if (known.size >= mostKnown) known.clear()
      known.set(keyFor(authorization, name), { libraryId, until: now() + knownMs })
    },
  }
}

/** For each address the folder of its last name, if all before it are folders, it is free, and nothing is locked. */
async function walk(db: Db, asked: readonly Asked[], now: number): Promise<Outcome<number | undefined>[]> {
  const rows = asked.map(({ libraryId, keys }, n) => ({ n, library: libraryId, keys }))
  const { rows: walked } = await sql<Walked>`
    with recursive walk as (
      select a.n, a.keys, i.id, i.f_type, 1 as depth
      from jsonb_to_recordset(${JSON.stringify(rows)}) as a (n int, library bigint, keys text[])
        cross join lateral (
          select id, f_type from item
          where id = a.library and name_key = a.keys[1] and deleted_at is null offset 0) i
      union all
      select w.n, w.keys, c.id, c.f_type, w.depth + 1 from walk w cross join lateral (
        select id, f_type from item
        where parent_id = w.id and name_key = w.keys[w.depth + 1] and deleted_at is null and link_to is null offset 0
      ) c where w.depth < cardinality(w.keys) and w.f_type = 2
    )
    select n, id, f_type, depth,
      exists (select 1 from dav_lock l where l.item_id = walk.id and l.expires_at > ${now}) as locked
    from walk`.execute(db)
  const byAsked = Map.groupBy(walked, ({ n }) => n)
  return asked.map(({ keys }, n) => {
    const steps = byAsked.get(n) ?? []
    const last = steps.find(({ depth }) => depth === keys.length - 1)
    const isFree = steps.length === keys.length - 1 && steps.every(({ locked }) => !locked)
    return { value: isFree && last?.f_type === 2 ? last.id : undefined }
  })
}
