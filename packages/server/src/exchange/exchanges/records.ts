// All exchanges of the company, for auditors. They see what was sent to whom, and no contents.
import type { Answer, calls } from '@cloudoc/contract'
import { ExchangeStatus } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context } from '../../core/call/context.ts'
import { foldTyped } from '../../core/folding.ts'
import { likeAnywhere, writtenWords } from '../../core/text-keys.ts'

interface Asked {
  readonly keyword: string
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly from: number
  readonly rows: number
}

type Records = Answer<typeof calls.getExchangeRecords>
type Stored = Omit<Records['list'][number], 'remindStatus' | 'secretName'> & {
  readonly state: string
  readonly secretLevel: number
  readonly total: number
}

const states: Readonly<Record<string, ExchangeStatus>> = {
  pending: ExchangeStatus.reviewing,
  rejected: ExchangeStatus.rejected,
  approved: ExchangeStatus.approved,
}

export async function exchangeRecords(context: Context, asked: Asked): Promise<Records> {
  const { secret_names: names } = actorOf(context).settings
  const conditions = [
    sql`true`,
    ...(asked.since === undefined ? [] : [sql`r.created_at >= ${asked.since}`]),
    ...(asked.until === undefined ? [] : [sql`r.created_at < ${asked.until}`]),
    ...writtenWords(asked.keyword).map((word) => {
      const pattern = likeAnywhere(word)
      const named = likeAnywhere(foldTyped(word))
      return sql`(lower(x.number) like ${pattern} or lower(r.title) like ${pattern} or a.search_text like ${named}
        or lower(x.network_name) like ${pattern})`
    }),
  ]
  const { rows } = await sql<Stored>`
    select r.id as "applyId", x.number, r.title as "itemName", a.name, g.name as "groupName",
      x.network_name as "networkName", x.rule_name as "ruleName",
      array(select p.person ->> 'name' from jsonb_array_elements(x.receivers::jsonb) p (person)) as receivers,
      x.file_count as "fileCount", x.bytes as "fileSize", x.secret_level as "secretLevel", r.state, x.delivery,
      r.comments as "applyComment", coalesce(d.name, '') as "handledBy", r.answer, r.created_at as "createTime",
      x.delivered_at as "deliveredTime", x.fetched_at as "fetchedTime", (count(*) over ())::int as total
    from exchange x join review r on r.id = x.review_id join account a on a.id = r.launcher_id
      join org_group g on g.id = a.group_id left join account d on d.id = r.decided_by
    where ${sql.join(conditions, sql` and `)}
    order by r.id desc limit ${asked.rows} offset ${asked.from}`.execute(context.db)
  return {
    list: rows.map(({ state, secretLevel, total: _, ...row }) => ({
      ...row,
      secretName: secretLevel === 0 ? '' : (names[secretLevel - 1] ?? `${secretLevel}`),
      remindStatus: states[state] ?? ExchangeStatus.withdrawn,
    })),
    total: rows[0]?.total ?? 0,
  }
}
