// Retention rules: which files are removed when nobody has changed them for long enough (decisions E3).
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { nameMatches } from '../tree/index.ts'
import { dueFiles, type Terms } from './due.ts'

const dayMs = 24 * 60 * 60_000
const mostListed = 1000

/** The path of an item with its own name. */
const pathOf = (id: RawBuilder<unknown>): RawBuilder<string> => sql`coalesce((
  with recursive up as (
    select p.parent_id, p.name, 1 as n from item p where p.id = ${id} and not p.purged
    union all select p.parent_id, p.name, u.n + 1 from up u join item p on p.id = u.parent_id
  ) select string_agg(name, '/' order by n desc) from up), '')`

interface Input extends Omit<Terms, 'placeId'> {
  readonly placeId: number
}

/** The terms of an input. Fails if its place does not exist. */
async function termsOf({ tx }: WriteContext, input: Input): Promise<Terms> {
  const { placeId, exts, levelFrom, levelTo, days, forGood } = input
  if (placeId !== 0) {
    const { rows } = await sql`select 1 from item where id = ${placeId} and f_type = 2 and not purged`.execute(tx)
    if (rows.length === 0) return fail('notFound', 'placeId')
  }
  const kinds = [...new Set(exts.map((ext) => ext.toLowerCase()))]
  return { placeId: placeId || null, exts: kinds, levelFrom, levelTo, days, forGood }
}

/** The call handlers of retention rules. */
export function retentionHandlers() {
  return implement(features.retention.calls, {
    async getRetentionRules({ db }) {
      const { rows: list } = await sql<{
        ruleId: number
        name: string
        placeId: number
        placeName: string
        isPlaceThere: boolean
        exts: string[]
        levelFrom: number
        levelTo: number
        days: number
        forGood: boolean
        enabled: boolean
        changerName: string
        nextRun: number
        lastRun: number
        lastCount: number
        lastBytes: number
      }>`
        select r.id as "ruleId", r.name, coalesce(r.place_id, 0) as "placeId", ${pathOf(sql`r.place_id`)} as "placeName",
          r.place_id is null or exists (select 1 from item p where p.id = r.place_id and not p.purged) as "isPlaceThere",
          r.exts, r.level_from as "levelFrom", r.level_to as "levelTo", r.days, r.for_good as "forGood", r.enabled,
          a.name as "changerName", case when r.enabled then r.next_run else 0 end as "nextRun",
          coalesce(r.last_run, 0) as "lastRun", r.last_count as "lastCount", r.last_bytes as "lastBytes"
        from retention_rule r join account a on a.id = r.changed_by order by r.name, r.id`.execute(db)
      return { list }
    },

    async findRetentionPlaces({ db }, { keyword, parentId, rows: most }) {
      const condition =
        keyword.trim() !== ''
          ? sql.join(nameMatches(keyword), sql` and `)
          : parentId === 0
            ? sql`i.parent_id is null`
            : sql`i.parent_id = ${parentId}`
      const { rows: list } = await sql<{ fId: number; fName: string; pathString: string }>`
        select i.id as "fId", i.name as "fName", ${pathOf(sql`i.parent_id`)} as "pathString" from item i
        where ${condition} and i.f_type = 2 and i.link_to is null and i.deleted_at is null and not i.purged
        order by i.parent_id is not null, i.name_sort, i.id limit ${most}`.execute(db)
      return { list: list.map((row) => ({ ...row, fType: 2 as const })) }
    },

    async previewRetention(context, input) {
      const { tx, now } = context
      const terms = await termsOf(context, input)
      const { rows: sums } = await sql<{ count: number; bytes: number; held: number }>`
        with due as materialized (${dueFiles(terms, now)})
        select (select count(*) from due)::int as count,
          coalesce((select sum(v.size) from version v join due d on d.id = v.item_id), 0)::bigint as bytes,
          (select count(*) from (${dueFiles(terms, now, true)}) h)::int as held`.execute(tx)
      const { rows: list } = await sql<{
        fileId: number
        fName: string
        pathString: string
        fileSize: number
        modifyTime: number
      }>`
        select i.id as "fileId", i.name as "fName", ${pathOf(sql`i.parent_id`)} as "pathString", i.size as "fileSize",
          i.modified_at as "modifyTime"
        from item i where i.id in (${dueFiles(terms, now)}) order by i.modified_at, i.id limit ${mostListed}`.execute(
        tx,
      )
      const { placeId, days, forGood, exts } = input
      context.audit({ placeId, days, forGood, exts: exts.join(' '), count: sums[0]?.count ?? 0 })
      return { ...(sums[0] ?? { count: 0, bytes: 0, held: 0 }), list }
    },

    async saveRetentionRule(context, { ruleId, name, enabled, ...input }) {
      const { tx, now } = context
      const terms = await termsOf(context, input)
      const columns = {
        name: name.trim(),
        place_id: terms.placeId,
        exts: [...terms.exts],
        level_from: terms.levelFrom,
        level_to: terms.levelTo,
        days: terms.days,
        for_good: terms.forGood,
        enabled,
        changed_by: actorOf(context).accountId,
        changed_at: now,
        // A day, in which a mistake can be noticed.
        next_run: now + dayMs,
      }
      const saved =
        ruleId === 0
          ? await tx.insertInto('retention_rule').values(columns).returning('id').executeTakeFirst()
          : await tx
              .updateTable('retention_rule')
              .set(columns)
              .where('id', '=', ruleId)
              .returning('id')
              .executeTakeFirst()
      if (saved === undefined) return fail('notFound')
      const { days, forGood, exts, levelFrom, levelTo, placeId } = terms
      context.audit({
        ...{ ruleId: saved.id, name: columns.name, days, forGood, enabled, placeId, levelFrom, levelTo },
        exts: exts.join(' '),
      })
      return { ruleId: saved.id }
    },

    async runRetentionRule({ tx, now }, { ruleId }) {
      const { numUpdatedRows } = await tx
        .updateTable('retention_rule')
        .set({ next_run: now })
        .where('id', '=', ruleId)
        .where('enabled', '=', true)
        .executeTakeFirst()
      return numUpdatedRows === 0n ? fail('notFound') : {}
    },

    async removeRetentionRule(context, { ruleId }) {
      const gone = await context.tx
        .deleteFrom('retention_rule')
        .where('id', '=', ruleId)
        .returning('name')
        .executeTakeFirst()
      if (gone === undefined) return fail('notFound')
      context.audit({ ruleId, name: gone.name })
      return {}
    },
  })
}
