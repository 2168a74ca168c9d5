/*
 * Access that does not come from rights on items: links, files sent in conversations and mails, exchanges, processes and
 * signing. Each feature contributes a query over its own tables; the report joins them into one list. Contents that were
 * sent as a copy are found by their content, as far as a version of the file still has it.
 */
import type { AccessKind, Answer, features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { extensionPoint } from '../../core/extension-points.ts'
import type { Services } from '../../core/services.ts'

/** What is asked about: items, with the folders above them, or a person. */
export type AccessQuestion =
  | { readonly items: readonly number[]; readonly above: readonly number[] }
  | { readonly userId: number }

/**
 * The access that one feature gives: a select of `user_id` (null for people without an account here), `who`, `item_id`,
 * `item_name`, `what` (the conversation, process, network or subject), `given_by`, `at`, `ends_at` (null: without an end)
 * and `is_open`.
 */
export interface AccessSource {
  readonly way: AccessKind
  readonly select: (question: AccessQuestion, now: number) => RawBuilder<unknown>
}

export const accessSources = extensionPoint<AccessSource>('sources of the access report')

/** Most items below a folder that the report looks at. */
const mostBelow = 20_000

async function questionOf(
  db: Db,
  input: {
    readonly fileId?: number | undefined
    readonly folderId?: number | undefined
    readonly userId?: number | undefined
  },
): Promise<AccessQuestion> {
  if (input.userId !== undefined) {
    const person = await db.selectFrom('account').select('id').where('id', '=', input.userId).executeTakeFirst()
    return person === undefined ? fail('notFound') : { userId: person.id }
  }
  const [id, fType] = input.fileId === undefined ? [input.folderId ?? 0, 2] : [input.fileId, 1]
  const { rows } = await sql<{ id: number; isAbove: boolean }>`
    with recursive root as (
      select id, parent_id from item where id = ${id} and f_type = ${fType} and deleted_at is null and not purged
    ), below as (
      select id from root
      union all
      select i.id from below b join item i on i.parent_id = b.id where i.deleted_at is null and i.link_to is null
    ), above as (
      select parent_id as id from root where parent_id is not null
      union all
      select i.parent_id from above a join item i on i.id = a.id where i.parent_id is not null
    )
    select id, false as "isAbove" from (select id from below limit ${mostBelow}) b
    union all select id, true from above`.execute(db)
  if (rows.length === 0) return fail('notFound')
  const of = (isAbove: boolean): number[] => rows.filter((row) => row.isAbove === isAbove).map((row) => row.id)
  return { items: of(false), above: of(true) }
}

type Calls = (typeof features.rights)['calls']
type Row = Answer<Calls['getOtherAccess']>['list'][number]

export const otherAccessHandlers = ({
  contributed,
}: Pick<Services, 'contributed'>): Pick<Handlers<Calls>, 'getOtherAccess'> => ({
  async getOtherAccess(context, { way, current, from, rows: most, ...input }) {
    const { tx, now } = context
    const question = await questionOf(tx, input)
    const parts = contributed(accessSources).filter((one) => way === undefined || one.way === way)
    if (parts.length === 0) return { list: [], total: 0 }
    const all = sql.join(
      parts.map((one) => sql`select ${one.way}::text as way, w.* from (${one.select(question, now)}) w`),
      sql` union all `,
    )
    const shown = current ? sql`where is_open` : sql``
    const { rows } = await sql<Row & { total: number }>`
      select (count(*) over ())::int as total, way, coalesce(user_id, 0) as "userId", who, item_id as "fId", item_name as "fName", what,
        given_by as "givenBy", at, coalesce(ends_at, 0) as "endTime", is_open as "isOpen"
      from (${all}) a ${shown} order by at desc, way, who, item_id limit ${most} offset ${from}`.execute(tx)
    return { list: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 }
  },
})
