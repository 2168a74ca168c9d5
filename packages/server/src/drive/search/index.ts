/*
 * Finding items by name: part of the name, its pinyin or its initials ([R240]). Words of three letters and more run over
 * trigrams, shorter ones over one- and two-letter grams. Newest first; each hit is checked by the exact evaluator before
 * it is answered, so an index can hide a hit, never show one.
 */
import { type ItemRecord, searchCalls } from '@cloudoc/contract'
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { foldQuery, likeAnywhere } from '../../core/text-keys.ts'
import { accessTo, accessToMany, recordOf } from '../tree/index.ts'

const batchSize = 200
/** How many candidates one call looks at: what a person may not see costs no more than this. */
const mostLookedAt = 5000

interface Place {
  readonly at: number
  readonly id: number
}

async function candidates(db: Db, words: readonly string[], before: Place): Promise<Place[]> {
  const conditions = words.map((word) =>
    [...word].length < 3 ? sql`i.search_grams @> ${[word]}::text[]` : sql`i.search_text like ${likeAnywhere(word)}`,
  )
  const { rows } = await sql<Place>`
    select i.modified_at as at, i.id from item i
    where i.deleted_at is null and ${sql.join(conditions, sql` and `)}
      and (i.modified_at, i.id) < (${before.at}, ${before.id})
    order by i.modified_at desc, i.id desc limit ${batchSize}`.execute(db)
  return rows
}

function decodeScroll(scrollId: string | undefined): Place {
  if (scrollId === undefined) return { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }
  const [at, id] = scrollId.split('.').map(Number)
  if (at === undefined || id === undefined || !Number.isSafeInteger(at) || !Number.isSafeInteger(id)) {
    return fail('badRequest', 'scrollId')
  }
  return { at, id }
}

/** The handlers of search. */
export function searchHandlers() {
  return implement(searchCalls, {
    async searchDoc(context, { keyword, folderId, rows, scrollId }) {
      const { db, now } = context
      const actor = actorOf(context)
      const started = performance.now()
      if (folderId !== undefined) {
        const folder = (await accessTo(db, actor, { fType: 2, fId: folderId }, now)) ?? fail('notFound')
        const refusal = denial(gates.see, folder.facts)
        if (refusal !== undefined) return fail(refusal)
      }
      const words = foldQuery(keyword).split(/\s+/).filter(Boolean)
      const list: ItemRecord[] = []
      let place = decodeScroll(scrollId)
      let next: string | null = null
      for (let looked = 0; words.length > 0 && looked < mostLookedAt; looked += batchSize) {
        const found = await candidates(db, words, place)
        const access = await accessToMany(
          db,
          actor,
          found.map((hit) => hit.id),
          now,
        )
        for (const hit of found) {
          if (list.length === rows) break
          place = hit
          const item = access.get(hit.id)
          if (item === undefined || denial(gates.see, item.facts) !== undefined) continue
          if (folderId !== undefined && !item.path.some((link) => link.id === folderId)) continue
          list.push(recordOf(item, actor))
        }
        next = `${place.at}.${place.id}`
        if (list.length === rows) break
        if (found.length < batchSize) {
          next = null
          break
        }
      }
      return { list, scrollId: next, total: list.length, took: Math.round(performance.now() - started) }
    },
  })
}
