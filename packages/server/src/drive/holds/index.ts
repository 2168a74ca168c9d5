/*
 * Legal holds (ADR 0327): what certain people made, or certain folders contain, is kept until the hold is lifted. The
 * auditor places and lifts them. Triggers refuse every removal of what a hold covers (migration 0320), so the calls here
 * only keep the records. Jobs that remove things leave out what is held.
 */
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { RollbackProtection } from '../rollback/index.ts'

/** The advisory lock of the triggers: they take it shared. */
const holdLock = 0x686f6c64

/** For removals that no trigger guards: no hold begins before the transaction has ended. */
export const lockHolds = (tx: Tx) => sql`select pg_advisory_xact_lock_shared(${holdLock})`.execute(tx)

interface Scope {
  readonly userIds: readonly number[]
  readonly itemIds: readonly number[]
}

/**
 * The items that a scope covers, as a query of ids: the items with everything below them, and what the people made or
 * changed. It agrees with the function `holds_of`.
 */
const covered = ({ userIds, itemIds }: Scope): RawBuilder<unknown> => sql`
  with recursive down as (
    select id from item where id = any(${[...itemIds]}::bigint[]) and not purged
    union
    select c.id from down d join item c on c.parent_id = d.id where not c.purged
  )
  select id from down
  union
  select id from item where created_by = any(${[...userIds]}::bigint[]) and link_to is null and not purged
  union
  select v.item_id from version v join item i on i.id = v.item_id
  where v.created_by = any(${[...userIds]}::bigint[]) and not i.purged
  union
  select v.item_id from unnest(${[...userIds]}::bigint[]) as u (id)
    join version v on v.editors @> to_jsonb(u.id) join item i on i.id = v.item_id
  where not i.purged`

interface Sum {
  readonly items: number
  readonly bytes: number
  readonly versions: number
  readonly inBin: number
}

async function sumOf(db: Db, scope: Scope): Promise<Sum> {
  const { rows } = await sql<Sum>`
    with held as materialized (${covered(scope)}), upward as (
      select h.id as item, h.id as at, i.deleted_at is not null as gone, i.parent_id from held h join item i on i.id = h.id
    )
    select (select count(*) from held)::int as items,
      coalesce((select sum(v.size) from version v join held h on h.id = v.item_id), 0)::bigint as bytes,
      (select count(*) from version v join held h on h.id = v.item_id)::int as versions,
      (select count(*) from upward where gone or ${isBelowDeleted(sql`upward.parent_id`)})::int as "inBin"`.execute(db)
  return rows[0] ?? { items: 0, bytes: 0, versions: 0, inBin: 0 }
}

/** Whether a folder, or one above it, is in a recycle bin. */
const isBelowDeleted = (parentId: RawBuilder<unknown>): RawBuilder<boolean> => sql`exists (
  with recursive up as (
    select p.parent_id, p.deleted_at from item p where p.id = ${parentId}
    union all select p.parent_id, p.deleted_at from up u join item p on p.id = u.parent_id
  ) select 1 from up where deleted_at is not null)`

/** The path of an item, without its name. */
const pathOf = (id: RawBuilder<unknown>): RawBuilder<string> => sql`coalesce((
  with recursive up as (
    select p.id, p.parent_id, p.name, 1 as n from item c join item p on p.id = c.parent_id where c.id = ${id}
    union all select p.id, p.parent_id, p.name, u.n + 1 from up u join item p on p.id = u.parent_id
  ) select string_agg(name, '/' order by n desc) from up), '')`

interface Named {
  readonly id: number
  readonly name: string
}

/** The people and items of a new scope, each once, with the own libraries of the people. Fails if one does not exist. */
async function resolve(tx: Tx, input: { userIdArray: number[]; itemIdArray: number[] }) {
  const userIds = [...new Set(input.userIdArray)]
  const itemIds = [...new Set(input.itemIdArray)]
  const { rows: people } = await sql<Named>`
    select id, name from account where id = any(${userIds}::bigint[]) order by id`.execute(tx)
  if (people.length !== userIds.length) return fail('notFound', 'userIdArray')
  const { rows: items } = await sql<Named>`
    select id, name from item where id = any(${itemIds}::bigint[]) and not purged order by id`.execute(tx)
  if (items.length !== itemIds.length) return fail('notFound', 'itemIdArray')
  const { rows: libraries } = await sql<Named>`
    select l.id, i.name from library l join item i on i.id = l.id
    where l.owner_id = any(${userIds}::bigint[]) and l.kind = 'personal' and l.id <> all(${itemIds}::bigint[])
    order by l.id`.execute(tx)
  return { people, items, libraries }
}

async function scopeOf(db: Db, holdId: number): Promise<Scope> {
  const { rows } = await sql<{ account_id: number | null; item_id: number | null }>`
    select account_id, item_id from hold_scope where hold_id = ${holdId}`.execute(db)
  if (rows.length === 0) return fail('notFound')
  return {
    userIds: rows.flatMap((row) => row.account_id ?? []),
    itemIds: rows.flatMap((row) => row.item_id ?? []),
  }
}

/** What the audit records of a scope. */
const namesOf = (people: readonly Named[], items: readonly Named[]) => ({
  heldPeople: people.map(({ name }) => name).join('、'),
  heldPlaces: items.map(({ name }) => name).join('、'),
})

const ids = (rows: readonly Named[]): number[] => rows.map(({ id }) => id)

/**
 * What a return to a moment leaves where it is: what a hold covers. It may get an earlier content, as a new version. The
 * cost follows from the items that are asked about.
 */
export const lockedInReturns: RollbackProtection = {
  async items(db, ids) {
    if (ids.length === 0) return []
    const { rows } = await sql<{ id: number }>`
      with recursive up as (
        select i.id as start, i.id, i.parent_id from item i
        where i.id = any(${[...ids]}::bigint[]) and exists (select 1 from hold where lifted_at is null)
        union all
        select up.start, p.id, p.parent_id from up join item p on p.id = up.parent_id
      ), scope as materialized (
        select s.account_id, s.item_id from hold_scope s join hold h on h.id = s.hold_id where h.lifted_at is null
      )
      select up.start as id from up join scope s on s.item_id = up.id
      union
      select up.id from up join item i on i.id = up.id
      where up.id = up.start and exists (
        select 1 from scope s where s.account_id is not null and (
          (i.link_to is null and i.created_by = s.account_id)
          or exists (select 1 from version v where v.item_id = i.id
            and (v.created_by = s.account_id or v.editors @> to_jsonb(s.account_id)))))`.execute(db)
    return rows.map(({ id }) => id)
  },
  async foldersAround(db, ids) {
    const { rows } = await sql<{ id: number }>`
      select id from unnest(${[...ids]}::bigint[]) as f (id) where contains_held(id)`.execute(db)
    return rows.map(({ id }) => id)
  },
}

/** The call handlers of legal holds. */
export function holdHandlers() {
  return implement(features.holds.calls, {
    async getHolds({ db }) {
      const { rows: list } = await sql<{
        holdId: number
        name: string
        number: string
        reason: string
        told: boolean
        creatorName: string
        createTime: number
        liftTime: number
        lifterName: string
        liftReason: string
        people: number
        places: number
      }>`
        select h.id as "holdId", h.name, h.number, h.reason, h.told, c.name as "creatorName",
          h.created_at as "createTime", coalesce(h.lifted_at, 0) as "liftTime", coalesce(l.name, '') as "lifterName",
          h.lift_reason as "liftReason",
          (select count(*) from hold_scope s where s.hold_id = h.id and s.account_id is not null)::int as people,
          (select count(*) from hold_scope s where s.hold_id = h.id and s.item_id is not null
            and s.origin = 'named')::int as places
        from hold h join account c on c.id = h.created_by left join account l on l.id = h.lifted_by
        order by h.lifted_at is not null, h.id desc`.execute(db)
      return { list }
    },

    async getHold({ db }, { holdId }) {
      const scope = await scopeOf(db, holdId)
      const { rows } = await sql<{
        userId: number
        itemId: number
        name: string
        pathString: string
        origin: 'named' | 'library' | 'moved'
      }>`
        select coalesce(s.account_id, 0) as "userId", coalesce(s.item_id, 0) as "itemId", s.name, s.origin,
          ${pathOf(sql`s.item_id`)} as "pathString"
        from hold_scope s where s.hold_id = ${holdId} order by s.id limit 1000`.execute(db)
      return { ...(await sumOf(db, scope)), scope: rows }
    },

    async getHoldItems({ db }, { holdId, after, rows: most }) {
      const scope = await scopeOf(db, holdId)
      const { rows: list } = await sql<{
        fId: number
        fType: 1 | 2
        fName: string
        pathString: string
        version: number
        fileSize: number
        versions: number
        sha256: string
        isInBin: boolean
        creatorName: string
        modifyTime: number
      }>`
        with held as materialized (${covered(scope)})
        select i.id as "fId", i.f_type as "fType", i.name as "fName", ${pathOf(sql`i.id`)} as "pathString", i.version,
          i.size as "fileSize", (select count(*) from version v where v.item_id = i.id)::int as versions,
          coalesce((select encode(b.sha256, 'hex') from version v join blob b on b.id = v.blob_id
            where v.item_id = i.id and v.number = i.version), '') as sha256,
          i.deleted_at is not null or ${isBelowDeleted(sql`i.parent_id`)} as "isInBin",
          a.name as "creatorName", i.modified_at as "modifyTime"
        from held h join item i on i.id = h.id join account a on a.id = i.created_by
        where i.id > ${after} order by i.id limit ${most}`.execute(db)
      return { list }
    },

    async previewHold(context, input) {
      const { tx } = context
      const { people, items, libraries } = await resolve(tx, input)
      context.audit(namesOf(people, items))
      return sumOf(tx, { userIds: ids(people), itemIds: ids([...items, ...libraries]) })
    },

    async placeHold(context, input) {
      const { tx, now } = context
      const { accountId } = actorOf(context)
      // Waits for removals that have begun, and lets none begin before the hold is committed.
      await sql`select pg_advisory_xact_lock(${holdLock})`.execute(tx)
      const { people, items, libraries } = await resolve(tx, input)
      const { id: holdId } = await tx
        .insertInto('hold')
        .values({
          name: input.name.trim(),
          number: input.number.trim(),
          reason: input.reason.trim(),
          told: input.told,
          created_by: accountId,
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('hold_scope')
        .values([
          ...people.map(({ id, name }) => ({ hold_id: holdId, account_id: id, item_id: null, name })),
          ...items.map(({ id, name }) => ({ hold_id: holdId, account_id: null, item_id: id, name })),
          ...libraries.map(({ id, name }) => ({
            ...{ hold_id: holdId, account_id: null, item_id: id, name },
            origin: 'library' as const,
          })),
        ])
        .execute()
      context.audit({
        holdId,
        name: input.name.trim(),
        reason: input.reason.trim(),
        told: input.told,
        ...namesOf(people, items),
      })
      return { holdId }
    },

    async liftHold(context, { holdId, reason }) {
      const { tx, now } = context
      const { rows } = await sql<{ name: string; lifted_at: number | null }>`
        select name, lifted_at from hold where id = ${holdId} for update`.execute(tx)
      const [hold] = rows
      if (hold === undefined) return fail('notFound')
      if (hold.lifted_at !== null) return fail('alreadyHandled')
      await tx
        .updateTable('hold')
        .set({ lifted_by: actorOf(context).accountId, lifted_at: now, lift_reason: reason.trim() })
        .where('id', '=', holdId)
        .execute()
      context.audit({ holdId, name: hold.name, reason: reason.trim() })
      return {}
    },

    async getItemHolds(context, { fileId, folderId }) {
      const isAuditor = actorOf(context).powers.includes('audit')
      const { rows: list } = await sql<{ name: string; number: string; createTime: number }>`
        select h.name, h.number, h.created_at as "createTime"
        from holds_of(${fileId ?? folderId ?? 0}) as o (id) join hold h on h.id = o.id
        where h.told or ${isAuditor} order by h.id`.execute(context.db)
      return { list }
    },
  })
}
