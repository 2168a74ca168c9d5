// Runs the retention rules that are due, in chunks: each is a transaction of its own, with its events and audit row.
import { LogBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import type { Services } from '../../core/services.ts'
import { loadLevels } from '../rights/index.ts'
import { itemEvent, tally } from '../tree/index.ts'
import { dueFiles, type Terms } from './due.ts'

const dayMs = 24 * 60 * 60_000
const chunkSize = 200

export interface RuleRow extends Terms {
  readonly id: number
  readonly changedBy: number
}

export const ruleColumns = sql`r.id, r.place_id as "placeId", r.exts, r.level_from as "levelFrom",
  r.level_to as "levelTo", r.days, r.for_good as "forGood", r.changed_by as "changedBy"`

/** Runs the next rule that is due. Returns whether there may be another one. */
export async function runDueRule(services: Pick<Services, 'db' | 'commit' | 'now'>): Promise<boolean> {
  const now = services.now()
  const { rows } = await sql<RuleRow>`
    update retention_rule r set last_run = ${now}, next_run = ${now + dayMs}, last_count = 0, last_bytes = 0
    where r.id = (
      select id from retention_rule where enabled and next_run <= ${now} order by next_run, id limit 1
      for update skip locked)
    returning ${ruleColumns}`.execute(services.db)
  const [rule] = rows
  if (rule === undefined) return false
  while (await removeChunk(services, rule, now));
  return true
}

/** Removes some of the files that are due. Returns whether there may be more. */
async function removeChunk(
  { db, commit }: Pick<Services, 'db' | 'commit'>,
  rule: RuleRow,
  now: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<ItemRow>`
      select f.* from item f where f.id in (${dueFiles(rule, now)})
      order by f.id limit ${chunkSize} for no key update skip locked`.execute(tx)
    if (rows.length === 0) return false
    const ids = rows.map(({ id }) => id)
    const levels = rule.forGood ? await loadLevels(tx, ids) : new Map<number, never>()
    const { rows: sums } = await sql<{ bytes: number }>`
      select coalesce(sum(size), 0)::bigint as bytes from version where item_id = any(${ids})`.execute(tx)
    const bytes = sums[0]?.bytes ?? 0
    // Whoever set the rule answers for what it puts into bins.
    await sql`
      update item set purged = ${rule.forGood}, deleted_at = coalesce(deleted_at, ${now}),
        deleted_by = coalesce(deleted_by, ${rule.changedBy}::bigint)
      where id = any(${ids})`.execute(tx)
    await sql`
      update retention_rule set last_count = last_count + ${ids.length}, last_bytes = last_bytes + ${bytes}::bigint
      where id = ${rule.id}`.execute(tx)
    for (const row of rows)
      if (row.deleted_at === null)
        await tally(tx, {
          ...{ libraryId: row.library_id, accountId: rule.changedBy, folderId: row.parent_id },
          ...{ bytes: 0, children: -1 },
        })
    const events = rows.map((row) => {
      const level = levels.get(row.id)?.at(-1)
      const before = level && { inherit: level.inherit, restricted: level.restricted, entries: level.entries }
      return itemEvent(row, 'delete', '', before && { before })
    })
    const detail = { log: LogBit.delete, ruleId: rule.id, count: ids.length, bytes }
    await commit(tx, [
      { events, changed: [], actor: undefined, now, call: 'retentionRun', address: '', items: ids, detail },
    ])
    return rows.length === chunkSize
  })
}
