/*
 * What a retention rule removes (ADR 0335). The preview and the run use this one query, so the list that is shown is
 * what happens.
 */
import { ItemStatusBit } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'

const dayMs = 24 * 60 * 60_000
/** Of the workflow of a file: it is not submitted, or has ended. The file is not locked then. */
const unlockedProcess = ItemStatusBit.workflowUnsubmitted | ItemStatusBit.approved | ItemStatusBit.rejected

export interface Terms {
  /** Null: every library. */
  readonly placeId: number | null
  readonly exts: readonly string[]
  readonly levelFrom: number
  readonly levelTo: number
  readonly days: number
  readonly forGood: boolean
}

/**
 * The files that a rule removes now, as a query of `id`. What is being edited, signed or decided in a workflow stays
 * until that has ended. A rule that deletes for good applies to recycle bins too. With `held` it is the files that only a legal hold keeps.
 */
export const dueFiles = (
  { placeId, exts, levelFrom, levelTo, days, forGood }: Terms,
  now: number,
  held = false,
): RawBuilder<{ id: number }> => sql`
  with recursive place as (
    select id from item where id = ${placeId}::bigint and f_type = 2 and not purged
    union all
    select c.id from place p join item c on c.parent_id = p.id
    where c.f_type = 2 and c.link_to is null and not c.purged
  )
  select i.id from item i
  where i.f_type = 1 and i.link_to is null and not i.purged
    and i.modified_at < ${now - days * dayMs}::bigint
    and ${exts.length === 0 ? sql`true` : sql`i.ext = any(${[...exts]}::text[])`}
    and (case when i.secret_until is null or i.secret_until > ${now} then i.secret_level else 0 end)
      between ${levelFrom} and ${levelTo}
    and ${placeId === null ? sql`true` : sql`i.parent_id in (select id from place)`}
    and i.editor_id is null and not exists (select 1 from shared_edit s where s.item_id = i.id)
    and i.status & ${sql.lit(ItemStatusBit.signing)} = 0
    and (i.process_id is null or i.status & ${sql.lit(unlockedProcess)} <> 0)
    and not exists (
      with recursive up as (
        select i.parent_id, ${forGood ? sql`i.purged` : sql`i.purged or i.deleted_at is not null`} as gone
        union all
        select p.parent_id, ${forGood ? sql`p.purged` : sql`p.purged or p.deleted_at is not null`}
        from up u join item p on p.id = u.parent_id
      ) select 1 from up where gone)
    and ${held ? sql`is_held(i.id)` : sql`not is_held(i.id)`}`
