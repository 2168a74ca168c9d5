// Reading urges: which ones a user may see, their lists, and one with its progress.
import { type FactsOfUrge, features, type Urge, type UrgeDetail } from '@cloudoc/contract'
import { denial, fail, gates, type urgeFilters } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Access, ObjectAccess } from '../../core/access.ts'
import type { Account, AccountActor } from '../../core/actor.ts'
import type { Counter } from '../../core/counters.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { foldTyped } from '../../core/folding.ts'
import type { Objects } from '../../core/loaders.ts'
import { likeAnywhere, writtenWords } from '../../core/text-keys.ts'
import { accessToMany, recordOf } from '../../drive/tree/index.ts'
import { peopleKnownTo } from '../../people/organisation/index.ts'
import type { UrgeWhat } from './tables.ts'
import { remindsLeft } from './urges.ts'

/** Entries of the timeline that are returned: the newest. */
const mostEntries = 200
/** More urges than these are not counted: the cost of a list does not grow with the years. */
const mostCounted = 1000
/** Departments, roles and people named in a list as those whom an urge was sent to. */
const mostSubjects = 3

/** Urges as objects of gates. */
export const urgeObjects: Objects<ObjectAccess<FactsOfUrge>> = {
  kind: features.urging.objects.urge,
  async load(db, actor, ids) {
    // A visitor neither urges nor is urged (X51).
    if (actor.kind !== 'account' || actor.isGuest) return new Map()
    const { rows } = await sql<{ id: number } & FactsOfUrge>`
      select u.id, u.state, u.sender_id = ${actor.accountId} as "isSender", r.account_id is not null as "isReceiver",
        r.handled_at is not null or r.handed_to is not null as "isHandled"
      from urge u left join urge_receiver r on r.urge_id = u.id and r.account_id = ${actor.accountId}
      where u.id = any(${ids.map(Number)}) and (u.sender_id = ${actor.accountId} or r.account_id is not null)`.execute(
      db,
    )
    return new Map(rows.map(({ id, ...facts }) => [id, { facts }]))
  },
  async lock(tx, id) {
    await sql`select 1 from urge where id = ${Number(id)} for no key update`.execute(tx)
  },
}

/** Counts the urges that wait for a user ([R033]). */
export const urgesWaiting: Counter = async (db, { accountId, isGuest }) => {
  if (isGuest) return 0
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from urge_receiver where account_id = ${accountId} and is_waiting`.execute(db)
  return rows[0]?.n ?? 0
}

interface Row {
  readonly id: number
  readonly sender_id: number
  readonly sender: string
  readonly item_id: number | null
  readonly f_type: 1 | 2
  readonly title: string
  readonly notify_type: 1 | 2 | 3
  readonly message: string
  readonly state: 'open' | 'done' | 'ended'
  readonly created_at: number
  readonly ended_at: number | null
  readonly deadline: number | null
  readonly reminded: number
  readonly receiver_count: number
  readonly handled_count: number
  readonly handled_at: number | null
  readonly handed_on: boolean
  readonly has_new: boolean
  readonly last_message: { userName: string; message: string; createTime: number } | null
  readonly subjects: { type: 'user' | 'group' | 'role'; id: number; name: string }[] | null
}

/** The urge `u` as one user sees it: `r` is their row as a receiver, if they are one. */
const columns = (accountId: number, most: number) => sql`
  u.*, a.name as sender, r.handled_at, r.handed_to is not null as handed_on,
  u.last_message_id > case when u.sender_id = ${accountId} then u.sender_seen_id else coalesce(r.seen_id, 0) end as has_new,
  (select json_build_object('userName', p.name, 'message', e.text, 'createTime', e.at)
    from urge_entry e join account p on p.id = e.account_id where e.id = u.last_message_id) as last_message,
  case when u.sender_id = ${accountId} then (
    select json_agg(json_build_object('type', s.type, 'id', s.id, 'name', s.name) order by s.place, s.name, s.id) from (
      select 1 as place, 'user' as type, p.id, p.name from account p where p.id = any(u.user_ids[1:${most}::int])
      union all select 2, 'group', g.id, g.name from org_group g where g.id = any(u.group_ids[1:${most}::int])
      union all select 3, 'role', o.id, o.name from role o where o.id = any(u.role_ids[1:${most}::int])) s
  ) end as subjects`

function summary(row: Row, accountId: number, seen: Access | undefined) {
  const isSender = row.sender_id === accountId
  return {
    notifyId: row.id,
    notifyType: row.notify_type,
    state: row.state,
    fType: row.f_type,
    fId: seen === undefined ? 0 : (row.item_id ?? 0),
    fName: row.title,
    userId: row.sender_id,
    userName: row.sender,
    message: row.message,
    createTime: row.created_at,
    deadline: row.deadline,
    endTime: row.ended_at,
    reminded: row.reminded,
    isSender,
    handleTime: row.handled_at,
    isHandedOn: row.handed_on,
    hasNew: row.has_new,
    lastMessage: row.last_message,
    subjects: row.subjects ?? [],
  }
}

/** The items of urges, as far as the user sees them now. */
async function seenItems(db: Db, actor: Account, rows: readonly Row[], now: number): Promise<Map<number, Access>> {
  const ids = rows.flatMap(({ item_id }) => item_id ?? [])
  const found = await accessToMany(db, actor, ids, now)
  return new Map([...found].filter(([, { facts }]) => denial(gates.see, facts) === undefined))
}

type Filter = (typeof urgeFilters)[number]

interface ListQuery {
  readonly side: 'sent' | 'received'
  readonly state: Filter
  readonly keyword: string
  readonly from: number
  readonly rows: number
}

/** The condition of a filter, on `urge u` and the receiver's own row `r`. */
function conditionOf(side: 'sent' | 'received', state: Filter): RawBuilder<unknown> {
  const seen = side === 'sent' ? sql`u.sender_seen_id` : sql`r.seen_id`
  return {
    all: sql`true`,
    open: side === 'sent' ? sql`u.state = 'open'` : sql`r.is_waiting`,
    done: side === 'sent' ? sql`u.state = 'done'` : sql`r.handled_at is not null`,
    ended:
      side === 'sent' ? sql`u.state = 'ended'` : sql`not r.is_waiting and r.handled_at is null and u.state = 'ended'`,
    message: sql`u.last_message_id > ${seen}`,
  }[state]
}

/** Filters that the row of a receiver answers by itself. */
const ofReceiver: ReadonlySet<Filter> = new Set<Filter>(['all', 'open', 'done'])

/** A page of the urges that a user sent or received, the latest first. */
export async function listUrges(db: Db, actor: AccountActor, query: ListQuery, now: number) {
  const { side, state, keyword, from, rows: most } = query
  const { accountId } = actor
  const order = side === 'sent' ? sql`u.id` : sql`r.urge_id`
  // New messages are in no index: they are looked for among the newest.
  const newest = (filter: Filter, column: RawBuilder<unknown>) =>
    filter === 'message' ? sql`order by ${column} desc limit ${mostCounted}` : sql``
  // Urges are looked up one by one: a plan that joins them all at once would read everybody's.
  const mine = (filter: Filter) =>
    side === 'sent'
      ? sql`(select * from urge where sender_id = ${accountId} ${newest(filter, sql`id`)}) u
          left join urge_receiver r on false`
      : sql`(select * from urge_receiver where account_id = ${accountId} ${newest(filter, sql`urge_id`)}) r
          cross join lateral (select * from urge where id = r.urge_id offset 0) u`
  const words = writtenWords(keyword).map((word) => {
    const like = likeAnywhere(word)
    const named = likeAnywhere(foldTyped(word))
    const people =
      side === 'sent'
        ? sql`exists (select 1 from urge_receiver o join account p on p.id = o.account_id
            where o.urge_id = u.id and p.search_text like ${named})`
        : sql`exists (select 1 from account p where p.id = u.sender_id and p.search_text like ${named})`
    return sql`(lower(u.title) like ${like} or lower(u.message) like ${like} or ${people})`
  })
  const condition = sql.join([conditionOf(side, state), ...words], sql` and `)
  const { rows: page } = await sql<Row>`
    select ${columns(accountId, mostSubjects)} from ${mine(state)} join account a on a.id = u.sender_id
    where ${condition} order by ${order} desc limit ${most} offset ${from}`.execute(db)
  const count = (filter: Filter) => sql`(select count(*)::int from (
    select 1 from ${side === 'received' && ofReceiver.has(filter) ? sql`urge_receiver r` : mine(filter)}
    where ${side === 'received' ? sql`r.account_id` : sql`u.sender_id`} = ${accountId} and ${conditionOf(side, filter)} order by ${order} desc limit ${mostCounted}) n)`
  const { rows: counted } = await sql<Record<Filter, number>>`
    select ${count('all')} as "all", ${count('open')} as open, ${count('done')} as done, ${count('ended')} as ended,
      ${count('message')} as message`.execute(db)
  const counts = counted[0] ?? { all: 0, open: 0, done: 0, ended: 0, message: 0 }
  const total =
    words.length === 0
      ? counts[state]
      : ((
          await sql<{ n: number }>`
            select count(*)::int as n from (select 1 from ${mine(state)} where ${condition} limit ${mostCounted}) n`.execute(
            db,
          )
        ).rows[0]?.n ?? 0)
  const items = await seenItems(db, actor, page, now)
  const list: Urge[] = page.map((row) => ({
    ...summary(row, accountId, row.item_id === null ? undefined : items.get(row.item_id)),
    receiverCount: side === 'sent' ? row.receiver_count : 0,
    handledCount: side === 'sent' ? row.handled_count : 0,
  }))
  return { list, total, counts }
}

/** The receivers of an urge that the user may know of: all for its sender. */
const known = (actor: Account, isSender: boolean) =>
  sql`r.handed_to is null and (${isSender} or a.id = ${actor.accountId} or ${peopleKnownTo(actor)})`

/** One urge for a user who may see it. */
export async function urgeDetail(
  db: Db,
  actor: AccountActor,
  id: number,
  facts: FactsOfUrge,
  now: number,
): Promise<UrgeDetail> {
  const { accountId } = actor
  const { rows } = await sql<
    Row & {
      partner_id: number | null
      server_ids: number[]
      repeat_hours: number
      repeat_until: number | null
      workdays_only: boolean
      deadline_workdays: number | null
      next_at: number | null
    }
  >`
    select ${columns(accountId, 500)} from urge u join account a on a.id = u.sender_id
    left join urge_receiver r on r.urge_id = u.id and r.account_id = ${accountId}
    where u.id = ${id}`.execute(db)
  const row = rows[0] ?? fail('notFound')
  const { rows: counted } = await sql<{ all: number; handled: number; read: number }>`
    select count(*)::int as all, count(r.handled_at)::int as handled, count(r.read_at)::int as read
    from urge_receiver r join account a on a.id = r.account_id
    where r.urge_id = ${id} and ${known(actor, facts.isSender)}`.execute(db)
  const items = await seenItems(db, actor, [row], now)
  const access = row.item_id === null ? undefined : items.get(row.item_id)
  const { gates: rules } = features.urging.objects.urge
  const may = (action: keyof typeof rules): boolean => denial(rules[action], facts) === undefined
  return {
    ...summary(row, accountId, access),
    receiverCount: counted[0]?.all ?? 0,
    handledCount: counted[0]?.handled ?? 0,
    readCount: counted[0]?.read ?? 0,
    fileSize: access?.row.f_type === 1 ? access.row.size : 0,
    pathString: access === undefined ? '' : recordOf(access, actor).pathString,
    partnerId: facts.isSender ? row.partner_id : null,
    serverIdArray: facts.isSender ? row.server_ids : [],
    repeatHours: row.repeat_hours,
    repeatUntil: row.repeat_until,
    workdaysOnly: row.workdays_only,
    deadlineWorkdays: row.deadline_workdays,
    nextReminder: row.next_at,
    remindsLeft: facts.isSender ? await remindsLeft(db as Tx, id, now) : 0,
    timeline: await timelineOf(db, actor, id, facts.isSender),
    may: { handle: may('handle'), remind: may('remind'), end: may('end') },
  }
}

/** What happened to an urge. A receiver sees the acts of people whom they may know of, and of its sender. */
async function timelineOf(db: Db, actor: Account, id: number, isSender: boolean): Promise<UrgeDetail['timeline']> {
  const { rows } = await sql<{
    at: number
    what: Exclude<UrgeWhat, 'message'>
    by: { userId: number; accountName: string } | null
    to: { userId: number; accountName: string } | null
    text: string
  }>`
    select e.at, e.what, e.text,
      case when a.id is not null then json_build_object('userId', a.id, 'accountName', a.name) end as by,
      (select json_build_object('userId', b.id, 'accountName', b.name) from account b where b.id = e.to_id) as to
    from urge_entry e join urge u on u.id = e.urge_id left join account a on a.id = e.account_id
    where e.urge_id = ${id} and e.what <> 'message'
      and (${isSender} or a.id is null or a.id = u.sender_id or a.id = ${actor.accountId} or ${peopleKnownTo(actor)})
    order by e.id desc limit ${mostEntries}`.execute(db)
  return rows.reverse().map(({ at, what, by, to, text }) => ({
    at,
    what,
    comments: text,
    ...(by !== null && { by }),
    ...(to !== null && { to }),
  }))
}

/** A page of the receivers of an urge, those who are not done first. */
export async function receiversOf(
  db: Db,
  actor: AccountActor,
  id: number,
  isSender: boolean,
  page: { readonly from: number; readonly rows: number },
) {
  const { rows } = await sql<{
    userId: number
    accountName: string
    groupName: string
    readTime: number | null
    handleTime: number | null
    comments: string
    urged: number
    total: number
  }>`
    select a.id as "userId", a.name as "accountName", g.name as "groupName", r.read_at as "readTime",
      r.handled_at as "handleTime", r.comments, r.urged, count(*) over ()::int as total
    from urge_receiver r join account a on a.id = r.account_id join org_group g on g.id = a.group_id
    where r.urge_id = ${id} and ${known(actor, isSender)}
    order by r.account_id <> ${actor.accountId}, r.handled_at is not null, r.handled_at desc, a.name_sort, a.id
    limit ${page.rows} offset ${page.from}`.execute(db)
  return { list: rows.map(({ total: _, ...one }) => one), total: rows[0]?.total ?? 0 }
}

/** A page of the messages on an urge, the latest first. */
export async function messagesOf(
  db: Db,
  id: number,
  { before, rows: most }: { readonly before: number | undefined; readonly rows: number },
) {
  const older = before === undefined ? sql`true` : sql`e.id < ${before}`
  const { rows: list } = await sql<{
    messageId: number
    userId: number
    userName: string
    message: string
    createTime: number
  }>`
    select e.id as "messageId", a.id as "userId", a.name as "userName", e.text as message, e.at as "createTime"
    from urge_entry e join account a on a.id = e.account_id
    where e.urge_id = ${id} and e.what = 'message' and ${older} order by e.id desc limit ${most}`.execute(db)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from urge_entry where urge_id = ${id} and what = 'message'`.execute(db)
  return { list, total: rows[0]?.n ?? 0 }
}
