// The marks of a user: followed items and favourites, shown as the flags 4096, 8192 and 64 of item records ([R239],
// [R238]). They are cached in memory until PostgreSQL notifies a change, so lists cost nothing extra for users without
// marks. Whoever adds marks also completes the records with the fields of other features.
import { type ItemRecord } from '@cloudoc/contract'
import { InterestType, ItemStatusBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { type CompleteRecords, createCompleteRecords } from '../tree/index.ts'

const bitOf = { [InterestType.change]: ItemStatusBit.watchChange, [InterestType.download]: ItemStatusBit.watchDownload }
const maxCached = 5000

type Bits = ReadonlyMap<number, number>

export interface Marks {
  /** Adds the fields of other features to the records, without the actor's marks. */
  readonly complete: CompleteRecords
  /** Adds the actor's marks and the fields of other features to the records. */
  on(actor: Account, records: readonly ItemRecord[]): Promise<ItemRecord[]>
  one(actor: Account, record: ItemRecord): Promise<ItemRecord>
  /** Whether any item in the folder has a mark of the actor. In that case the list is specific to the actor. */
  areIn(actor: Account, folderId: number): Promise<boolean>
}

export function createMarks(services: Pick<Services, 'db' | 'invalidations' | 'now' | 'contributed'>): Marks {
  const { db, invalidations } = services
  const complete = createCompleteRecords(services)
  const kept = new LRUCache<number, Bits>({ max: maxCached })
  invalidations.follow({
    forget(kind, id) {
      if (kind === 'account') kept.delete(id)
    },
    forgetAll: () => kept.clear(),
  })
  const bitsOf = async (accountId: number): Promise<Bits> => {
    const known = kept.get(accountId)
    if (known !== undefined) return known
    const mark = invalidations.mark()
    const bits = await readBits(db, accountId)
    if (invalidations.isCurrentSince(mark, 'account', accountId)) kept.set(accountId, bits)
    return bits
  }
  const marks: Marks = {
    complete,
    async on(actor, records) {
      const [bits, all] = await Promise.all([bitsOf(actor.accountId), complete(actor, records)])
      if (bits.size === 0) return all
      return all.map((record) => ({ ...record, itemStatus: record.itemStatus | (bits.get(record.fId) ?? 0) }))
    },
    async one(actor, record) {
      const [marked = record] = await marks.on(actor, [record])
      return marked
    },
    async areIn({ accountId }, folderId) {
      const bits = await bitsOf(accountId)
      if (bits.size === 0) return false
      const { rows } = await sql`
        select 1 from item i where i.id = any(${[...bits.keys()]}) and i.parent_id = ${folderId} limit 1`.execute(db)
      return rows.length > 0
    },
  }
  return marks
}

async function readBits(db: Db, accountId: number): Promise<Bits> {
  const { rows } = await sql<{ item_id: number; kind: 0 | 1 | 2 }>`
    select item_id, kind from follow where account_id = ${accountId}
    union all select item_id, 0 from favorite where account_id = ${accountId}`.execute(db)
  const bits = new Map<number, number>()
  for (const { item_id, kind } of rows)
    bits.set(item_id, (bits.get(item_id) ?? 0) | (kind === 0 ? ItemStatusBit.favorite : bitOf[kind]))
  return bits
}
