// Reading processes: which ones a person may see, their lists with counts, and one with everything about it.
import {
  type FactsOfProcess,
  features,
  type ProcessDetail,
  type ProcessList,
  type ProcessStateName,
  type ProcessRow as WireRow,
} from '@cloudoc/contract'
import {
  denial,
  fail,
  gates,
  nodeOf,
  roadOf,
  seatOrderOf,
  type Task,
  voidedBy,
  ProcessStateCode as WireState,
  waitingAt,
} from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { representedAccounts } from '../../approvals/review/index.ts'
import type { ObjectAccess } from '../../core/access.ts'
import type { AccountActor } from '../../core/actor.ts'
import type { Counter } from '../../core/counters.ts'
import type { Db } from '../../core/db/database.ts'
import type { Objects } from '../../core/loaders.ts'
import { likeAnywhere } from '../../core/text-keys.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import { bodyOf, namedRoad } from '../templates/index.ts'
import { loadWorld } from '../world.ts'
import { courseOf, numberOf } from './course.ts'
import type { ProcessRow } from './process-row.ts'
import { peopleIn } from './run.ts'

/** Whether somebody may still decide at a task (`w`): not if they have, and others can do so (ADR 0356). */
const mayDecide = (accountId: number) => sql`${accountId}::bigint <> all(w.barred)`

/** Processes as objects of gates. */
export function processObjects(now: () => number): Objects<ObjectAccess<FactsOfProcess>> {
  return {
    kind: features.processes.objects.process,
    async load(db, actor, ids) {
      // A visitor has nothing to do with processes (X51).
      if (actor.kind !== 'account' || actor.isGuest) return new Map()
      const { accountId } = actor
      const { rows } = await sql<{ id: number; state: ProcessStateName; launched: boolean; awaited: boolean }>`
        with turn as (${representedAccounts(accountId, now())})
        select p.id, p.status as state, p.launcher_id = ${accountId} as launched, w.awaited
        from process p cross join lateral (
          select exists (select 1 from process_task w join turn t on t.id = w.account_id
            where w.process_id = p.id and ${mayDecide(accountId)}) as awaited) w
        where p.id = any(${ids.map(Number)}) and (p.launcher_id = ${accountId} or w.awaited
          or exists (select 1 from process_player y where y.process_id = p.id and y.account_id = ${accountId}))`.execute(
        db,
      )
      return new Map(
        rows.map((row) => [row.id, { facts: { state: row.state, isLauncher: row.launched, isAwaited: row.awaited } }]),
      )
    },
    async lock(tx, id) {
      await sql`select 1 from process where id = ${Number(id)} for no key update`.execute(tx)
    },
  }
}

/** How many processes wait for somebody ([R033]). */
export const pendingProcesses: Counter = async (db, { accountId, isGuest }, now) => {
  if (isGuest) return 0
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select distinct process_id from process_task w
      where account_id in (${representedAccounts(accountId, now)}) and ${mayDecide(accountId)}
      limit ${mostCounted}) w`.execute(db)
  return rows[0]?.n ?? 0
}

/** More than these are not counted: the cost of a count does not grow with the years. */
const mostCounted = 1000

/** The states by which a list is counted. */
const countedStates: Readonly<Record<ProcessList, readonly string[]>> = {
  creation: ['draft', 'running', 'back', 'passed', 'failed', 'withdrawn'],
  pending: [],
  circulating: ['handled', 'copied'],
  archived: ['passed', 'failed', 'withdrawn'],
}

interface Filter {
  readonly list: ProcessList
  readonly state: string
  readonly templateId: number
  readonly keyword: string
  /** The processes that match the keyword, where they are few. */
  readonly matches?: readonly number[] | undefined
}

/** More processes than these that match a word are not collected: a list meets them soon enough one by one. */
const mostMatches = 10_000

/** The processes (`p`) that match a word and that somebody in the list has to do with: one look at `process_found`. */
function matching(list: ProcessList, keyword: string, accountId: number, now: number): RawBuilder<unknown> {
  const word = keyword.trim().toLowerCase()
  const people =
    list === 'pending' ? sql`array(${representedAccounts(accountId, now)})` : sql`array[${accountId}]::bigint[]`
  // Trigrams do not know words of one or two characters.
  const match =
    [...word].length <= 2
      ? sql`process_signs(p.search_text) @> array[${word}]`
      : sql`p.search_text like ${likeAnywhere(word)}`
  return sql`p.people && ${people} and ${match}`
}

/** The processes that match the keyword of a list; undefined if they are many, or there is none. */
async function matchesOf(db: Db, { list, keyword }: Filter, accountId: number, now: number) {
  if (keyword.trim() === '') return undefined
  const { rows } = await sql<{ id: number }>`
    select id from process p where ${matching(list, keyword, accountId, now)} limit ${mostMatches + 1}`.execute(db)
  return rows.length > mostMatches ? undefined : rows.map(({ id }) => id)
}

/** The rows of a list as a source `l` (id, at), in its order; the indexes of migration 0208 give it. */
function sourceOf(filter: Filter, accountId: number, now: number, limit: RawBuilder<unknown>): RawBuilder<unknown> {
  const { list, state, templateId, keyword, matches } = filter
  const word = matches === undefined ? keyword.trim().toLowerCase() : ''
  // Looked up one by one: as a set, all processes of everybody would be read.
  const looked = (id: RawBuilder<unknown>): RawBuilder<unknown> =>
    word !== '' || templateId > 0
      ? sql`exists (select 1 from (select template_id, search_text from process where id = ${id} offset 0) f
          where (${templateId} = 0 or f.template_id = ${templateId})
          and (${word} = '' or f.search_text like ${likeAnywhere(word)}))`
      : sql`true`
  if (list === 'pending') {
    const template = Number(state)
    const isMatch = matches === undefined ? sql`true` : sql`w.process_id = any(${[...matches]}::bigint[])`
    return sql`
      select w.process_id as id, w.arrived_at as at from (
        select process_id, max(arrived_at) as arrived_at from process_task w
        where account_id in (${representedAccounts(accountId, now)}) and ${mayDecide(accountId)} group by process_id) w
      where ${isMatch} and ${looked(sql`w.process_id`)}
        and ${
          state === ''
            ? sql`true`
            : sql`exists (select 1 from (select template_id from process where id = w.process_id offset 0) f
                where f.template_id = ${Number.isSafeInteger(template) ? template : 0})`
        }
      order by at desc, id desc ${limit}`
  }
  const at = { creation: sql`y.process_id`, circulating: sql`y.arrived_at`, archived: sql`y.ended_at` }[list]
  // Those that match are looked up, however long the list is: PostgreSQL would read a list of a million to its end.
  const players =
    matches === undefined
      ? sql`process_player y`
      : sql`unnest(${[...matches]}::bigint[]) m (id) cross join lateral (
          select * from process_player where process_id = m.id and account_id = ${accountId} offset 0) y`
  return sql`select y.process_id as id, ${at} as at from ${players}
    where y.account_id = ${accountId} and ${listed(list, state)} and ${looked(sql`y.process_id`)}
    order by at desc, id desc ${limit}`
}

/** Whether a list has a process, by the row `y` of one of those who have to do with it. */
function listed(list: Exclude<ProcessList, 'pending'>, state: string): RawBuilder<unknown> {
  // A constant, so that its index is chosen: with a parameter the plan would read past all other states.
  const ofState =
    state === '' ? sql`true` : sql`y.status = ${sql.lit(countedStates[list].includes(state) ? state : 'none')}`
  switch (list) {
    case 'creation':
      return sql`y.launched and ${ofState}`
    case 'circulating':
      return sql`y.ended_at is null and (y.handled or y.copied)
        and (${state === ''} or (${state === 'handled'} and y.handled) or (${state === 'copied'} and y.copied))`
    case 'archived':
      return sql`y.ended_at is not null and ${ofState}`
  }
}

/** How many processes a list has. */
async function countOf(db: Db, filter: Filter, accountId: number, now: number): Promise<number> {
  const { list, state, templateId, keyword, matches } = filter
  const limit = sql`limit ${mostCounted}`
  // Many that match are counted as the index gives them: in the order of the list, those between them are read too.
  const source =
    list === 'pending' || keyword.trim() === '' || matches !== undefined
      ? sourceOf(filter, accountId, now, limit)
      : sql`select 1 from process p where ${matching(list, keyword, accountId, now)}
          and (${templateId} = 0 or p.template_id = ${templateId})
          and exists (select 1 from (select * from process_player where process_id = p.id and account_id = ${accountId}
            offset 0) y where ${listed(list, state)}) ${limit}`
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${source}) l`.execute(db)
  return rows[0]?.n ?? 0
}

interface ListedRow {
  readonly process: ProcessRow
  readonly at: number
  readonly template: string
  readonly launcher: string
  readonly waits: readonly { readonly userId: number; readonly accountName: string }[] | null
  readonly mine: {
    readonly task_id: number
    readonly rev: number
    readonly mode: Task['mode']
    readonly arrived_at: number
    readonly due_at: number | null
  } | null
}

async function rowsOf(db: Db, actor: AccountActor, source: RawBuilder<unknown>, now: number): Promise<WireRow[]> {
  const { rows } = await sql<Omit<ListedRow, 'process'> & ProcessRow>`
    select p.*, l.at, (select name from workflow_template where id = p.template_id) as template,
      (select name from account where id = p.launcher_id) as launcher, (
        select json_agg(distinct jsonb_build_object('userId', b.id, 'accountName', b.name)) from (
          select account_id from process_task where process_id = p.id limit 20) w join account b on b.id = w.account_id
      ) as waits, (
        select json_build_object('task_id', w.task_id, 'rev', w.rev, 'mode', w.mode, 'arrived_at', w.arrived_at,
          'due_at', w.due_at)
        from process_task w where w.process_id = p.id and w.account_id in (${representedAccounts(actor.accountId, now)})
          and ${mayDecide(actor.accountId)}
        order by w.arrived_at, w.task_id limit 1
      ) as mine
    from (${source}) l cross join lateral (select * from process where id = l.id offset 0) p
    order by l.at desc, l.id desc`.execute(db)
  const files = await visibleFiles(db, actor, rows, now)
  return rows.map(({ at, template, launcher, waits, mine, ...process }) =>
    wireRow({ process, at, template, launcher, waits, mine }, files.get(process.item_id ?? 0)),
  )
}

async function visibleFiles(db: Db, actor: AccountActor, rows: readonly ProcessRow[], now: number) {
  const ids = [...new Set(rows.flatMap(({ item_id: id }) => id ?? []))]
  const found = await accessToMany(db, actor, ids, now)
  return new Map([...found].filter(([, access]) => denial(gates.see, access.facts) === undefined))
}

function wireRow(
  { process, at, template, launcher, waits, mine }: ListedRow,
  file: { readonly row: { readonly id: number; readonly name: string; readonly ext: string } } | undefined,
): WireRow {
  return {
    processId: process.id,
    processName: process.title,
    processNumber: numberOf(process),
    templateId: process.template_id,
    templateName: template,
    launcherId: process.launcher_id,
    launcherName: launcher,
    state: process.status,
    processState: wireStateOf(process.status, mine !== null),
    revision: process.state.seq,
    nodeName: process.node_names,
    waitsFor: [...(waits ?? [])],
    isAwaited: mine !== null,
    taskId: mine?.task_id ?? 0,
    rev: mine?.rev ?? 0,
    mode: mine?.mode ?? null,
    arriveTime: mine?.arrived_at ?? (at > 1_000_000_000_000 ? at : process.created_at),
    dueTime: mine?.due_at ?? process.due_at,
    createTime: process.launched_at ?? process.created_at,
    endTime: process.ended_at,
    fileId: file?.row.id ?? 0,
    fName: file?.row.name ?? process.item_name,
    extName: file?.row.ext ?? process.item_name.split('.').at(-1) ?? '',
    version: process.item_version,
  }
}

function wireStateOf(status: ProcessStateName, isAwaited: boolean): number | null {
  switch (status) {
    case 'draft':
      return null
    case 'running':
      return isAwaited ? WireState.pending : WireState.nodePassed
    default:
      return WireState[status]
  }
}

/** A page of a list. */
export async function listProcesses(
  db: Db,
  actor: AccountActor,
  { from, rows, ...asked }: Filter & { readonly from: number; readonly rows: number },
  now: number,
): Promise<{ list: WireRow[]; total: number }> {
  const { accountId } = actor
  const filter = { ...asked, matches: await matchesOf(db, asked, accountId, now) }
  const list = await rowsOf(db, actor, sourceOf(filter, accountId, now, sql`offset ${from} limit ${rows}`), now)
  return { list, total: await countOf(db, filter, accountId, now) }
}

/** The counts of a list, by state; of what waits for somebody by template. */
export async function countProcesses(db: Db, { accountId }: AccountActor, list: ProcessList, now: number) {
  const filter = { list, state: '', templateId: 0, keyword: '' }
  const count = (state: string): Promise<number> => countOf(db, { ...filter, state }, accountId, now)
  const total = await count('')
  if (list === 'pending') {
    const { rows } = await sql<{ state: string; name: string; count: number }>`
      select p.template_id::text as state, t.name, count(*)::int as count
      from (${sourceOf(filter, accountId, now, sql`limit ${mostCounted}`)}) l
        cross join lateral (select template_id from process where id = l.id offset 0) p
        join workflow_template t on t.id = p.template_id
      group by 1, 2 order by count desc, name limit 20`.execute(db)
    return { total, states: rows }
  }
  const states = []
  for (const state of countedStates[list]) states.push({ state, name: '', count: await count(state) })
  return { total, states }
}

/** A process with its form, course, open nodes and what comes next. */
export async function processDetail(
  db: Db,
  actor: AccountActor,
  id: number,
  facts: FactsOfProcess,
  now: number,
): Promise<ProcessDetail> {
  const source = sql`select ${id}::bigint as id, 0::bigint as at`
  const [listed] = await rowsOf(db, actor, source, now)
  const { rows } = await sql<ProcessRow>`select * from process where id = ${id}`.execute(db)
  const row = rows[0] ?? fail('notFound')
  if (listed === undefined) return fail('notFound')
  const version = row.template_version > 0 ? row.template_version : await publishedOf(db, row.template_id)
  const body = (await bodyOf(db, row.template_id, version)) ?? { ...emptyBody }
  const course = await courseOf(db, row)
  const asked = {
    ...{ template: body, launcherId: row.launcher_id, people: peopleIn(row.state), itemId: row.item_id },
    ...{ form: row.form, now },
  }
  const isOpen = row.status === 'running' || row.status === 'back'
  const road = isOpen ? roadOf(body, row.launcher_id, await loadWorld(db, asked), row.state).steps : []
  const { gates: rules } = features.processes.objects.process
  const may = (action: keyof typeof rules): boolean => denial(rules[action], facts) === undefined
  const names = await namesOf(db, actor, body, row)
  const back = facts.isAwaited ? await backTargets(db, row, body, listed.taskId) : []
  return {
    ...listed,
    body,
    templateVersion: version,
    form: Object.entries(row.form).map(([field, value]) => ({ field, value })),
    comments: row.comments,
    names,
    tasks: await openTasks(db, row, body, now),
    course,
    ahead: await namedRoad(db, body, road),
    backTo: back,
    versionPassedBefore: course.findLast(({ what }) => what === 'passed')?.version ?? 0,
    newestVersion: await newestOf(db, row, listed.fileId),
    folderId: row.folder_id,
    chosen: Object.entries(row.chosen).map(([node, who]) => ({ node, userIdArray: [...who] })),
    archived: await archivedOf(db, actor, row, now),
    may: { act: may('act'), withdraw: may('withdraw'), remind: may('remind'), launch: may('launch') },
  }
}

/** When a process was removed, and why, for those who see the file that it was about. */
export async function removedProcess(db: Db, actor: AccountActor, id: number, now: number) {
  const { rows } = await sql<{ item: number; removedTime: number; keepDays: number }>`
    select item_id as item, removed_at as "removedTime", keep_days as "keepDays" from removed_process
    where process_id = ${id}`.execute(db)
  const found = await accessToMany(
    db,
    actor,
    rows.map(({ item }) => item),
    now,
  )
  for (const { item, removedTime, keepDays } of rows) {
    const access = found.get(item)
    if (access !== undefined && denial(gates.see, access.facts) === undefined) return { removedTime, keepDays }
  }
  return { removedTime: null, keepDays: 0 }
}

const emptyBody = { nodes: [], edges: [], fields: [], launcherDecides: true, skipsSame: false }

async function publishedOf(db: Db, templateId: number): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select version from workflow_template where id = ${templateId}`.execute(db)
  return rows[0]?.version ?? 0
}

/**
 * The nodes that a process may be sent back to from a task, with the opinions that would be void: those that were
 * decided, each once, the start first.
 */
async function backTargets(
  db: Db,
  { state }: ProcessRow,
  body: ProcessDetail['body'],
  taskId: number,
): Promise<ProcessDetail['backTo']> {
  const open = new Set(state.tasks.map(({ node }) => node))
  const nodes = [...new Set(state.done.map(({ node }) => node))].filter((node) => !open.has(node))
  const nameOf = (node = ''): string => nodeOf(body, node)?.name ?? ''
  const targets = nodes.map((node) => ({ node, voided: voidedBy(state, taskId, node) }))
  const ids = targets.flatMap(({ voided }) => voided.map(({ account }) => account))
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from account where id = any(${[...new Set(ids)]})`.execute(db)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return targets.map(({ node, voided }) => ({
    node,
    name: nameOf(node),
    voids: voided.map((one) => ({
      ...{ userId: one.account, accountName: names.get(one.account) ?? '', nodeName: nameOf(one.node) },
    })),
  }))
}

async function newestOf(db: Db, { item_id: itemId, item_version: version }: ProcessRow, seen: number): Promise<number> {
  if (itemId === null || seen === 0) return version
  const { rows } = await sql<{ version: number }>`select version from item where id = ${itemId}`.execute(db)
  return rows[0]?.version ?? version
}

/** The files that the archive wrote, as far as the caller sees them. */
export async function archivedOf(db: Db, actor: AccountActor, { archived }: ProcessRow, now: number) {
  const found = await accessToMany(db, actor, archived, now)
  return archived.flatMap((id) => {
    const access = found.get(id)
    if (access === undefined || denial(gates.see, access.facts) !== undefined) return []
    return [{ fileId: id, fName: access.row.name }]
  })
}

/** The names of people and files in the form. Files are named for those who see them. */
async function namesOf(db: Db, actor: AccountActor, body: ProcessDetail['body'], row: ProcessRow) {
  const idsOf = (type: string): number[] =>
    body.fields.flatMap((field) => (field.type === type ? [Number(row.form[field.id] ?? 0)] : []))
  const chosen = Object.values(row.chosen).flat()
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from account where id = any(${[...idsOf('person'), ...chosen]})`.execute(db)
  const files = await accessToMany(db, actor, idsOf('file'), row.created_at)
  const folder = await accessToMany(db, actor, row.folder_id > 0 ? [row.folder_id] : [], row.created_at)
  return [
    ...rows.map(({ id, name }) => ({ key: `user:${id}`, name })),
    ...[...files].map(([id, { row: file }]) => ({ key: `file:${id}`, name: file.name })),
    ...[...folder].map(([id, { row: one }]) => ({ key: `folder:${id}`, name: one.name })),
  ]
}

async function openTasks(db: Db, { state }: ProcessRow, body: ProcessDetail['body'], now: number) {
  const ids = state.tasks.flatMap(({ seats }) => seats.flatMap(({ line }) => line.map(({ account }) => account)))
  const { rows } = await sql<{ id: number; name: string; standIn: { id: number; name: string } | null }>`
    select a.id, a.name, (
      select json_build_object('id', b.id, 'name', b.name) from review_stand_in s join account b on b.id = s.stand_in_id
      where s.account_id = a.id and s.from_at <= ${now} and (s.until_at is null or s.until_at > ${now})) as "standIn"
    from account a where a.id = any(${[...new Set(ids)]})`.execute(db)
  const byId = new Map(rows.map((one) => [one.id, one]))
  return state.tasks.map((task) => {
    const node = nodeOf(body, task.node)
    return {
      ...{ taskId: task.id, rev: task.rev, node: task.node, nodeName: node?.name ?? '', mode: task.mode },
      ...{ need: task.need, since: task.since, due: task.due },
      mayReplace: task.mode === 'rework' || (node?.type === 'task' && node.mayReplace),
      seats: task.seats.map((seat) => ({
        result: seat.result,
        people: seat.line.map((asked, n) => {
          const one = byId.get(asked.account)
          const isTurn = seatOrderOf(seat) !== undefined && n === seat.at
          return {
            ...{ userId: asked.account, accountName: one?.name ?? '', because: asked.because, isTurn },
            answer: asked.answer ?? null,
            ...(isTurn && one?.standIn && { standIn: { userId: one.standIn.id, accountName: one.standIn.name } }),
          }
        }),
      })),
    }
  })
}

/** For whom the caller acts at a task: themselves, or somebody for whom they stand in. */
export async function seatFor(
  db: Db,
  row: ProcessRow,
  taskId: number,
  accountId: number,
  now: number,
): Promise<number> {
  const task = row.state.tasks.find(({ id }) => id === taskId)
  if (task === undefined) return accountId
  const waiting = waitingAt(task)
  if (waiting.includes(accountId)) return accountId
  const { rows } = await sql<{ id: number }>`
    select t.id from (${representedAccounts(accountId, now)}) t where t.id = any(${[...waiting]}) order by t.id
    limit 1`.execute(db)
  return rows[0]?.id ?? accountId
}
