// Reading signing processes: their lists, one with its course, and the counts.
import { type FactsOfSigning, features, type SignActivity, type SignDetail } from '@cloudoc/contract'
import { denial, fail, gates, SignState } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { AccountActor } from '../../core/actor.ts'
import type { Counter } from '../../core/counters.ts'
import type { Db } from '../../core/db/database.ts'
import { foldTyped } from '../../core/folding.ts'
import { likeAnywhere, writtenWords } from '../../core/text-keys.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import { remindsLeft } from './acts.ts'
import { signaturesFor, standInsOf } from './entitled.ts'
import { type ActivityRow, isExternal, levelOf, signerName, signerNames, signersOf } from './rows.ts'
import type { SignEntryWhat, SignerState } from './tables.ts'

type Filter = 'all' | 'open' | 'signed' | 'rejected' | 'done'
const filters = ['all', 'open', 'signed', 'rejected', 'done'] as const

interface Person {
  readonly userId: number
  readonly accountName: string
}

interface Listed extends ActivityRow {
  readonly mine: SignerState | null
  readonly signs_for: string | null
  readonly signed: number
  readonly signers: number
  readonly waiting: { userId: number; accountName: string }[] | null
  readonly fields: number
  readonly rejection: { userId: number; accountName: string; comments: string } | null
}

const columns = sql`
  s.*, l.name as launcher, mine.state as mine,
  (select coalesce(a.name, g.role_name) from sign_signer g left join account a on a.id = g.account_id
    where g.id = mine.signer_id and not mine.is_own) as signs_for,
  (select count(*)::int from sign_signer g where g.activity_id = s.id and g.state = 'signed') as signed,
  (select count(*)::int from sign_signer g where g.activity_id = s.id) as signers,
  (select json_agg(json_build_object('userId', coalesce(a.id, 0), 'accountName', coalesce(a.name, o.name, g.role_name)) order by g.place)
    from sign_signer g left join account a on a.id = g.account_id left join sign_outsider o on o.signer_id = g.id
    where g.activity_id = s.id and g.state = 'now') as waiting,
  (select count(*)::int from sign_field f where f.activity_id = s.id and f.signer_id = mine.signer_id) as fields,
  (select json_build_object('userId', coalesce(a.id, 0), 'accountName', coalesce(a.name, o.name, g.role_name),
      'comments', g.comments)
    from sign_signer g left join account a on a.id = coalesce(g.acted_by, g.account_id)
    left join sign_outsider o on o.signer_id = g.id
    where g.activity_id = s.id and g.state = 'rejected' limit 1) as rejection`

/** The state as the person is told (X15). */
function stateFor({ state, mine }: Pick<Listed, 'state' | 'mine'>): SignState {
  if (state === 'archived') return SignState.archived
  if (state === 'rejected') return SignState.rejected
  if (state === 'withdrawn' || state === 'expired') return SignState.withdrawn
  return mine === 'signed' ? SignState.signed : SignState.launched
}

function summary(row: Listed): SignActivity {
  return {
    ...{ activityId: row.id, activityTitle: row.title, activityState: stateFor(row), state: row.state },
    ...{ launchId: row.launcher_id, launcherName: row.launcher, fileName: row.file_name, pages: row.layout.pages },
    ...{
      order: row.in_order,
      signsFor: row.signs_for ?? '',
      createTime: row.created_at,
      endTime: row.ended_at,
      deadline: row.deadline,
    },
    ...{ signedCount: row.signed, signerCount: row.signers, waiting: row.waiting ?? [] },
    ...{ isTurn: row.mine === 'now' && row.state === 'running', fieldCount: row.fields, rejection: row.rejection },
  }
}

function conditionOf(side: 'review' | 'creation', filter: Filter): RawBuilder<unknown> {
  if (side === 'review')
    return {
      all: sql`(mine.state <> 'next' or s.state <> 'running')`,
      open: sql`mine.state = 'now'`,
      signed: sql`mine.state = 'signed'`,
      rejected: sql`mine.state = 'rejected'`,
      done: sql`s.state = 'archived'`,
    }[filter]
  return {
    all: sql`true`,
    open: sql`s.state in ('running', 'signed')`,
    signed: sql`s.state = 'signed'`,
    rejected: sql`s.state in ('rejected', 'withdrawn', 'expired')`,
    done: sql`s.state = 'archived'`,
  }[filter]
}

/** A page of the processes that a user signs, or has launched. */
export async function listSignings(
  db: Db,
  actor: AccountActor,
  query: {
    readonly side: 'review' | 'creation'
    readonly state: Filter
    readonly keyword: string
    readonly from: number
    readonly rows: number
    readonly now: number
  },
) {
  const { side, state, keyword, from, rows: most, now } = query
  const own = signaturesFor(actor, now)
  const base =
    side === 'review'
      ? sql`from ${own} mine join sign_activity s on s.id = mine.activity_id
          join account l on l.id = s.launcher_id where true`
      : sql`from sign_activity s left join ${own} mine on mine.activity_id = s.id
          join account l on l.id = s.launcher_id where s.launcher_id = ${actor.accountId}`
  const words = writtenWords(keyword).map((word) => {
    const like = likeAnywhere(word)
    const named = likeAnywhere(foldTyped(word))
    return sql`(lower(s.title) like ${like} or lower(s.file_name) like ${like} or l.search_text like ${named})`
  })
  const condition = sql.join([conditionOf(side, state), ...words], sql` and `)
  const order = side === 'review' ? sql`mine.state = 'now' desc, mine.activity_id desc` : sql`s.id desc`
  const { rows } = await sql<Listed>`
    select ${columns} ${base} and ${condition} order by ${order} limit ${most} offset ${from}`.execute(db)
  const count = (filter: Filter) => sql`(count(*) filter (where ${conditionOf(side, filter)}))::int`
  const { rows: counted } = await sql<Record<Filter, number>>`
    select ${sql.join(
      filters.map((filter) => sql`${count(filter)} as ${sql.ref(filter)}`),
      sql`, `,
    )} ${base}`.execute(db)
  const counts = counted[0] ?? { all: 0, open: 0, signed: 0, rejected: 0, done: 0 }
  const total =
    words.length === 0
      ? counts[state]
      : ((await sql<{ n: number }>`select count(*)::int as n ${base} and ${condition}`.execute(db)).rows[0]?.n ?? 0)
  return { list: rows.map(summary), total, counts }
}

/** Counts the signatures that wait for a user ([R033]). */
export const signaturesWaiting: Counter = async (db, actor, now) => {
  if (actor.isGuest) return 0
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${signaturesFor(actor, now)} m where m.state = 'now'`.execute(db)
  return rows[0]?.n ?? 0
}

/** Counts what a user launched and is not over ([R033]). */
export const signingsOpen: Counter = async (db, { accountId, isGuest }) => {
  if (isGuest) return 0
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from sign_activity
    where launcher_id = ${accountId} and state in ('running', 'signed')`.execute(db)
  return rows[0]?.n ?? 0
}

/** One process for a user who may see it. */
export async function signDetail(
  db: Db,
  actor: AccountActor,
  id: number,
  facts: FactsOfSigning,
  now: number,
): Promise<SignDetail> {
  const { rows } = await sql<Listed & { mine_id: number | null }>`
    select ${columns}, mine.signer_id as mine_id from sign_activity s join account l on l.id = s.launcher_id
    left join ${signaturesFor(actor, now)} mine on mine.activity_id = s.id
    where s.id = ${id}`.execute(db)
  const row = rows[0] ?? fail('notFound')
  const signed = row.archived[0]
  const wanted = [row.item_id, row.archive_folder_id, signed].filter((one) => one !== null && one !== undefined)
  const found = await accessToMany(db, actor, wanted, now)
  const seen = (one: number | null | undefined) => {
    const access = one === null || one === undefined ? undefined : found.get(one)
    return access !== undefined && denial(gates.see, access.facts) === undefined ? access : undefined
  }
  const { gates: rules } = features.signing.objects.signing
  const may = (action: keyof typeof rules): boolean => denial(rules[action], facts) === undefined
  const folder = seen(row.archive_folder_id)
  const revision = await sql<{ size: number }>`
    select size from sign_revision where activity_id = ${id} and number = ${row.revision}`.execute(db)
  const isLocked = row.locked_signer !== null && row.locked_until > now
  return {
    ...summary(row),
    comment: row.comments,
    fileId: seen(row.item_id)?.row.id ?? 0,
    archiveFolderId: folder?.row.id ?? 0,
    archiveFolderName: folder?.row.name ?? '',
    archiveProblem: facts.isLauncher ? row.archive_problem : null,
    archivedFileId: seen(signed)?.row.id ?? 0,
    watermarkTemplateId: row.watermark_template_id,
    secretLevel: levelOf(row, now),
    revision: row.revision,
    size: revision.rows[0]?.size ?? 0,
    lockedBy: isLocked ? await personOf(db, row) : null,
    signers: await signersFor(db, row, now, facts.isLauncher),
    fields: facts.isTurn && row.state === 'running' ? await fieldPositions(db, row, sql`g.id = ${row.mine_id}`) : [],
    timeline: await timelineOf(db, id),
    may: { sign: may('sign'), handOn: may('handOn'), withdraw: may('withdraw'), archive: may('archive') },
    remindsLeft: facts.isLauncher ? await remindsLeft(db, id, now) : 0,
  }
}

/** Who keeps others from signing. */
async function personOf(db: Db, { locked_signer: id, lock_holder: holder }: ActivityRow) {
  const { rows } = await sql<{ userId: number; accountName: string }>`
    select coalesce(h.id, a.id, 0) as "userId", coalesce(h.name, ${signerName}) as "accountName"
    from sign_signer s ${signerNames} left join account h on h.id = ${holder} where s.id = ${id}`.execute(db)
  return rows[0] ?? null
}

async function signersFor(db: Db, row: ActivityRow, now: number, isLauncher: boolean): Promise<SignDetail['signers']> {
  const level = levelOf(row, now)
  const { rows } = await sql<{ id: number; groupName: string; level: number; standIn: Person | null }>`
    select g.id, o.name as "groupName", a.secret_level as level, (
      select json_build_object('userId', b.id, 'accountName', b.name) from (
        ${standInsOf(sql`g.account_id`, now)}) i join account b on b.id = i.id where g.state = 'now') as "standIn"
    from sign_signer g
    join account a on a.id = g.account_id join org_group o on o.id = a.group_id where g.activity_id = ${row.id}`.execute(
    db,
  )
  const more = new Map(rows.map((one) => [one.id, one]))
  return (await signersOf(db, row.id)).map((one) => ({
    ...{ isOutside: isExternal(one), isRole: one.role_id !== null, standIn: more.get(one.id)?.standIn ?? null },
    actedBy: one.acted_by === null ? null : { userId: one.acted_by, accountName: one.actor ?? '' },
    ...{ mail: isLauncher ? one.mail : '', phone: isLauncher ? one.phone : '' },
    ...{ signerId: one.id, userId: one.account_id ?? 0, accountName: one.name, order: one.place + 1, state: one.state },
    ...{ time: one.acted_at, comments: one.comments, groupName: more.get(one.id)?.groupName ?? '' },
    isTooLow: one.account_id !== null && (more.get(one.id)?.level ?? 0) < level,
  }))
}

/** The places of a signer, where they are in the file. */
export async function fieldPositions(
  db: Db,
  row: ActivityRow,
  whose: RawBuilder<unknown>,
): Promise<SignDetail['fields']> {
  const { rows } = await sql<{ id: number; kind: SignDetail['fields'][number]['kind']; number: number }>`
    select f.id, f.kind, f.number from sign_field f join sign_signer g on g.id = f.signer_id
    where f.activity_id = ${row.id} and ${whose} order by f.number`.execute(db)
  return rows.flatMap(({ id, kind, number }) => {
    const place = row.layout.fields[number]?.place
    return place === undefined ? [] : [{ fieldId: id, kind, ...place }]
  })
}

async function timelineOf(db: Db, id: number): Promise<SignDetail['timeline']> {
  const { rows } = await sql<{
    at: number
    what: SignEntryWhat
    by: { userId: number; accountName: string } | null
    to: { userId: number; accountName: string } | null
    text: string
  }>`
    select e.at, e.what, e.text,
      case when a.id is not null then json_build_object('userId', a.id, 'accountName', a.name)
        when e.outside_name <> '' then json_build_object('userId', 0, 'accountName', e.outside_name) end as by,
      case when b.id is not null then json_build_object('userId', b.id, 'accountName', b.name) end as to
    from sign_entry e left join account a on a.id = e.account_id left join account b on b.id = e.to_id
    where e.activity_id = ${id} order by e.id desc limit 300`.execute(db)
  return rows.reverse().map(({ at, what, by, to, text }) => ({
    ...{ at, what, comments: text },
    ...(by !== null && { by }),
    ...(to !== null && { to }),
  }))
}
