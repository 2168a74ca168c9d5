// Reading comments: those of an item, and whom a comment can mention.
import type { features } from '@cloudoc/contract'
import { type CommentThread } from '@cloudoc/contract'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { findPeopleWithRight } from '../rights/index.ts'
import { accessIn } from './commented.ts'

/** Maximum number of replies returned per page of threads. */
const mostReplies = 500

interface Row {
  readonly id: number
  readonly parent_id: number | null
  readonly account_id: number
  readonly name: string
  readonly text: string
  readonly grade: number | null
  readonly version: number
  readonly mentioned: { userId: number; accountName: string }[] | null
  readonly created_at: number
  readonly edited_at: number | null
  readonly deleted_at: number | null
}

const columns = sql`
  c.id, c.parent_id, c.account_id, a.name, c.text, c.grade, c.version, c.created_at, c.edited_at, c.deleted_at,
  (select json_agg(json_build_object('userId', m.id, 'accountName', m.name) order by m.id)
    from account m where m.id = any(c.mentioned)) as mentioned`

/** The handlers that read comments. */
export function listingHandlers({
  settings,
}: Pick<Services, 'settings'>): Pick<Handlers<typeof features.comments.calls>, 'getCommentList' | 'getCommentPeople'> {
  return {
    async getCommentList(context, input) {
      const { db } = context
      const access = accessIn(context, input)
      const { accountId } = actorOf(context)
      const { isManager } = access.facts.actor
      const order = sql.raw(input.order === 'newest' ? 'desc' : 'asc')
      const there = sql`c.item_id = ${access.row.id} and c.parent_id is null`
      const { rows } = await sql<Row>`
        select ${columns} from comment c join account a on a.id = c.account_id
        where ${there} order by c.id ${order} limit ${input.rows} offset ${input.from}`.execute(db)
      const { rows: replies } = await sql<Row>`
        select ${columns} from comment c join account a on a.id = c.account_id
        where c.parent_id = any(${rows.map(({ id }) => id)}) and c.deleted_at is null
        order by c.id limit ${mostReplies}`.execute(db)
      const { rows: counted } = await sql<{ threads: number; total: number }>`
        select count(*) filter (where parent_id is null)::int as threads,
          count(*) filter (where deleted_at is null)::int as total
        from comment where item_id = ${access.row.id}`.execute(db)
      const record = (one: Row) => ({
        commentId: one.id,
        userId: one.account_id,
        accountName: one.name,
        comment: one.text,
        grade: one.grade ?? 0,
        version: one.version,
        mentioned: one.mentioned ?? [],
        createTime: one.created_at,
        editTime: one.edited_at,
        deleted: one.deleted_at !== null,
        mayEdit: one.deleted_at === null && one.account_id === accountId,
        mayDelete: one.deleted_at === null && (one.account_id === accountId || isManager),
      })
      const answers = Map.groupBy(replies, ({ parent_id }) => parent_id)
      const list: CommentThread[] = rows.map((one) => ({
        ...record(one),
        replies: (answers.get(one.id) ?? []).map(record),
      }))
      return {
        list,
        threads: counted[0]?.threads ?? 0,
        total: counted[0]?.total ?? 0,
        grades: await gradesOf(db, access.row.id),
      }
    },

    async getCommentPeople(context, input) {
      const access = accessIn(context, input)
      const { db, now } = context
      const found = { settings, now, right: 'preview', keyword: input.keyword } as const
      // One more than requested, because the caller is removed from the list.
      const list = await findPeopleWithRight(db, access, { ...found, rows: input.rows + 1 })
      const { accountId } = actorOf(context)
      return { list: list.filter(({ userId }) => userId !== accountId).slice(0, input.rows) }
    },
  }
}

/** Star ratings of an item: the latest rating of each user. */
async function gradesOf(db: Db, itemId: number) {
  const { rows } = await sql<{ grade: number; count: number }>`
    select grade, count(*)::int as count from (
      select distinct on (account_id) grade from comment
      where item_id = ${itemId} and parent_id is null and grade is not null and deleted_at is null
      order by account_id, id desc) g
    group by grade`.execute(db)
  const each = [5, 4, 3, 2, 1].map((grade) => rows.find((row) => row.grade === grade)?.count ?? 0)
  const count = each.reduce((sum, n) => sum + n, 0)
  const sum = rows.reduce((all, { grade, count: n }) => all + grade * n, 0)
  return { count, average: count === 0 ? 0 : Math.round((sum / count) * 10) / 10, each }
}
