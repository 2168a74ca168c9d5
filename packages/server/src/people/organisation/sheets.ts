/*
 * Import of people from tables, all or none ([R347]). The preview and the writing transaction check a table with the
 * same code. So what was shown is what happens, or nothing happens.
 */

import { type Answer, type features, type Parsed, type SheetColumn, sheetColumns } from '@cloudoc/contract'
import { type CodeName, fail, itemName, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { AccountActor } from '../../core/actor.ts'
import { actorOf, type Context, type WriteContext, whileAsked } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { accountLimitOf } from '../../core/licence.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { bump } from '../../core/settings.ts'
import { accountKey } from '../auth/index.ts'
import { groupOrRoot } from './group-ids.ts'
import { insertGroup } from './groups.ts'
import { personColumns } from './names.ts'
import { countAccounts, lockAccounts } from './persons.ts'

type Calls = typeof features.people.calls
type Sheet = Parsed<Calls['checkPeople']>
type Checked = { -readonly [K in 'list' | 'groups' | 'over']: Awaited<ReturnType<Handlers<Calls>['importPeople']>>[K] }
type Problem = Checked['list'][number]['problems'][number]['problem']

/** People written by one statement. Between two statements the import checks whether the client is still waiting. */
const writeBatch = 1000
const dayMs = 24 * 60 * 60_000
const mailLike = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The parts of a department path, normalized for comparison; undefined if one is not a valid name. */
function departmentPath(path: string): { key: string; names: readonly string[] } | undefined {
  const names: string[] = []
  const keys: string[] = []
  for (const part of path.split(/[/\\>›＞／]/).map((each) => each.trim())) {
    if (part === '') continue
    const checked = itemName(part)
    if ('code' in checked) return undefined
    names.push(checked.name)
    keys.push(checked.key)
  }
  return { key: keys.join('/'), names }
}

interface Known {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly title: string
  readonly email: string
  readonly phone: string
  readonly group_id: number
  readonly secret_level: number
  readonly expires_at: number | null
  /** Whether they have administrative powers. */
  readonly administers: boolean
  readonly roles: number[]
}

/** A parsed row. */
interface Person {
  readonly row: number
  readonly known: Known | undefined
  readonly account: string
  readonly accountName: string
  /** The department path; undefined if the row has none. */
  readonly way: string | undefined
  readonly given: {
    readonly title?: string
    readonly email?: string
    readonly phone?: string
    readonly secret_level?: number
    readonly expires_at?: number
  }
  readonly roleIds: readonly number[]
}

interface Read extends Checked {
  readonly people: readonly Person[]
  readonly groupIds: ReadonlyMap<string, number>
  /** The names of the departments to create, by path, parents before children. */
  readonly wanted: ReadonlyMap<string, readonly string[]>
}

/** All departments by path; the company's name in front is optional. */
async function waysOf(db: Db): Promise<{ byWay: Map<string, number>; root: number; company: string }> {
  const { rows } = await sql<{ id: number; parent_id: number | null; name_key: string }>`
    select id, parent_id, name_key from org_group`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byWay = new Map<string, number>()
  let root = 0
  let company = ''
  const wayTo = (id: number): string => {
    const row = byId.get(id)
    if (row === undefined || row.parent_id === null) return ''
    const above = wayTo(row.parent_id)
    return above === '' ? row.name_key : `${above}/${row.name_key}`
  }
  for (const { id, parent_id, name_key } of rows) {
    if (parent_id === null) [root, company] = [id, name_key]
    byWay.set(wayTo(id), id)
  }
  return { byWay, root, company }
}

async function readSheet(db: Db, actor: AccountActor, sheet: Sheet): Promise<Read> {
  const { byWay, root, company } = await waysOf(db)
  const bare = (key: string): string =>
    key === company ? '' : key.startsWith(`${company}/`) && !byWay.has(key) ? key.slice(company.length + 1) : key
  const cell = (row: readonly string[], column: SheetColumn): string => (row[sheetColumns.indexOf(column)] ?? '').trim()
  const keys = sheet.rows.map((row) => accountKey(cell(row, 'account')))
  const { rows: accounts } = await sql<Known>`
    select id, account_key as key, name, title, email, phone, group_id, secret_level, expires_at,
      is_admin or exists (select 1 from administrator p where p.account_id = a.id)
        or exists (select 1 from group_administrator d where d.account_id = a.id) as administers,
      array(select role_id from role_account r where r.account_id = a.id) as roles
    from account a where account_key = any(${[...new Set(keys)]})`.execute(db)
  const knownBy = new Map(accounts.map((one) => [one.key, { ...one, roles: one.roles.map(Number) }]))
  const { rows: roles } = await sql<{ id: number; name_key: string }>`select id, name_key from role`.execute(db)
  const roleBy = new Map(roles.map(({ id, name_key }) => [name_key, id]))
  const levels = ['公开', ...actor.settings.secret_names]
  const levelOf = (text: string): number => {
    if (/^(public|公开)$/i.test(text)) return 0
    const at = levels.indexOf(text)
    return at >= 0 ? at : /^\d{1,2}$/.test(text) && Number(text) < levels.length ? Number(text) : -1
  }

  const wanted = new Map<string, readonly string[]>()
  const allowed = new Set<string>()
  for (const path of sheet.newGroups) {
    const way = departmentPath(path)
    if (way !== undefined) allowed.add(bare(way.key))
  }
  const missing = new Map<string, string>()
  const same = new Set(sheet.same)
  const seen = new Set<string>()
  const people: Person[] = []
  const list: Checked['list'] = sheet.rows.map((row, n) => {
    const problems: { column: SheetColumn; problem: Problem }[] = []
    const wrong = (column: SheetColumn, problem: Problem): void => void problems.push({ column, problem })
    const [accountName, account] = [cell(row, 'accountName'), cell(row, 'account')]
    const key = keys[n] ?? ''
    const known = knownBy.get(key)
    if (accountName === '') wrong('accountName', 'missing')
    else if ('code' in itemName(accountName) || accountName.length > 64) wrong('accountName', 'illegal')
    if (account === '') wrong('account', 'missing')
    else if (!/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(key)) wrong('account', 'illegal')
    else if (seen.has(key)) wrong('account', 'twice')
    else if (known !== undefined && known.name !== accountName && !same.has(n)) wrong('account', 'taken')
    seen.add(key)

    const given: { -readonly [K in keyof Person['given']]: Person['given'][K] } = {}
    for (const column of ['title', 'email', 'phone'] as const) {
      const text = cell(row, column)
      if (text === '') continue
      if (text.length > (column === 'email' ? 254 : column === 'phone' ? 32 : 64)) wrong(column, 'illegal')
      else if (column === 'email' && !mailLike.test(text)) wrong(column, 'badMail')
      else if (column !== 'title' && known?.administers && known.id !== actor.accountId && known[column] !== text)
        wrong(column, 'own')
      else given[column] = text
    }
    const level = cell(row, 'level')
    if (level !== '') {
      given.secret_level = levelOf(level)
      if (given.secret_level < 0) wrong('level', 'noLevel')
    }
    const expiry = cell(row, 'expiry')
    if (expiry !== '') {
      const [, year, month, day] = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(expiry) ?? []
      const at = Date.UTC(Number(year), Number(month) - 1, Number(day))
      if (Number.isNaN(at) || new Date(at).getUTCDate() !== Number(day)) wrong('expiry', 'badDate')
      else if (known?.administers || known?.id === actor.accountId) wrong('expiry', 'own')
      else given.expires_at = at + dayMs + sheet.offset * 60_000
    }
    const roleIds: number[] = []
    for (const name of cell(row, 'roles')
      .split(/[、,，;；]/)
      .map((each) => each.trim())) {
      if (name === '') continue
      const checked = itemName(name)
      const id = 'code' in checked ? undefined : roleBy.get(checked.key)
      if (id === undefined) wrong('roles', 'noRole')
      else roleIds.push(id)
    }
    const path = cell(row, 'group')
    const way = path === '' ? undefined : departmentPath(path)
    const wayKey = way === undefined ? undefined : bare(way.key)
    if (path !== '' && wayKey === undefined) wrong('group', 'illegal')
    else if (way !== undefined && wayKey !== undefined && !byWay.has(wayKey)) {
      const names = way.names.slice(way.names.length - wayKey.split('/').length)
      if (allowed.has(wayKey)) {
        for (let depth = 1; depth <= names.length; depth += 1) {
          const above = wayKey.split('/').slice(0, depth).join('/')
          if (!byWay.has(above)) wanted.set(above, names.slice(0, depth))
        }
      } else wrong('group', 'noGroup')
      missing.set(wayKey, names.join(' / '))
    }
    const changes =
      known === undefined
        ? 0
        : changesOf(known, {
            accountName,
            given,
            roleIds,
            groupId: wayKey === undefined ? undefined : (byWay.get(wayKey) ?? 0),
          })
    if (problems.length === 0) people.push({ row: n, known, account, accountName, way: wayKey, given, roleIds })
    const what = problems.length > 0 ? 'wrong' : known === undefined ? 'new' : changes === 0 ? 'same' : 'update'
    return { what, problems, was: known?.name ?? '', changes }
  })
  const limit = accountLimitOf(actor.settings)
  const more = list.filter(({ what }) => what === 'new').length
  const over = limit === 0 || more === 0 ? 0 : Math.max(0, (await countAccounts(db)) + more - limit)
  byWay.set('', root)
  return { list, groups: [...missing.values()], over, people, groupIds: byWay, wanted }
}

/** Number of cells that differ from a person's current values. */
function changesOf(
  known: Known,
  row: { accountName: string; given: Person['given']; roleIds: readonly number[]; groupId: number | undefined },
): number {
  const differing = Object.entries(row.given).filter(([column, value]) => known[column as keyof Known] !== value).length
  return (
    differing +
    Number(known.name !== row.accountName) +
    Number(row.groupId !== undefined && row.groupId !== known.group_id) +
    Number(row.roleIds.some((id) => !known.roles.includes(id)))
  )
}

type ImportStage = Answer<Calls['getImportProgress']>['stage']

/** The progress of a running import. */
interface Progress {
  readonly accountId: number
  readonly stage: ImportStage
  readonly progress: number
  readonly written: number
}

const peopleImportTokens = oneTimeToken<Progress>('peopleImport')

/** How long the progress of an import that ended without a result is retained. */
const knownMs = 60 * 60_000
const reportEveryMs = 250

/** The import was cancelled. */
class CalledOff extends Error {}

/**
 * The progress of an import. Its id is a one-time token, consumed either by the import in its transaction right before
 * the commit, or by a cancellation. The first consumer decides: the import is applied completely or not at all, and
 * both sides know which.
 */
class ImportReporter {
  readonly #context: Context
  readonly #importId: string | undefined
  #stage: ImportStage = 'waiting'
  #next = 0
  #isTelling = false
  /** A stage that began while the last update was being written. */
  #after: Progress | undefined
  #isCalledOff = false

  private constructor(context: Context, importId: string | undefined) {
    this.#context = context
    this.#importId = importId
  }

  static async begin(context: Context, importId: string | undefined): Promise<ImportReporter> {
    const { accountId } = actorOf(context)
    const value: Progress = { accountId, stage: 'waiting', progress: 0, written: 0 }
    const expiresAt = context.now + knownMs
    if (importId !== undefined && !(await peopleImportTokens.issueAs(context.db, importId, { value, expiresAt })))
      fail('badRequest', 'importId')
    return new ImportReporter(context, importId)
  }

  /** Writes the progress outside the transaction, which does not wait for it. Fails once the import was cancelled. */
  report(stage: ImportStage, progress: number, written: number): void {
    if (this.#isCalledOff) throw new CalledOff()
    if (stage === this.#stage && (this.#isTelling || performance.now() < this.#next)) return
    const { accountId } = actorOf(this.#context)
    const value: Progress = { accountId, stage, progress: Math.floor(progress), written }
    this.#stage = stage
    if (this.#isTelling) this.#after = value
    else void this.#write(value)
  }

  async #write(value: Progress): Promise<void> {
    if (this.#importId === undefined) return
    this.#isTelling = true
    this.#next = performance.now() + reportEveryMs
    try {
      this.#isCalledOff = !(await peopleImportTokens.update(this.#context.db, this.#importId, value))
    } catch {
      // A lost update is superseded by the next one.
    } finally {
      this.#isTelling = false
    }
    const next = this.#after
    this.#after = undefined
    if (next !== undefined) await this.#write(next)
  }

  /** Called right before the commit: from then on the import cannot be cancelled. */
  async ends(tx: Tx): Promise<void> {
    if (this.#importId === undefined) return
    const known = await peopleImportTokens.consume(tx, this.#importId, this.#context.now)
    if (known === undefined) throw new CalledOff()
  }

  /** Removes the progress of an import that wrote nothing. */
  async forget(): Promise<void> {
    if (this.#importId !== undefined)
      await peopleImportTokens.consume(this.#context.db, this.#importId, this.#context.now)
  }
}

/**
 * Share of the progress bar, in thousandths, until all people are written; the rest is for the reactions to new people.
 */
const writingShare = 650
/** The cost of a department, in people. */
const groupCost = 3

/** Writes the parsed rows; `asked` fails if the client no longer waits. */
async function write(
  context: WriteContext,
  read: Read,
  told: (stage: ImportStage, progress: number, written: number) => void,
): Promise<{ userIds: number[]; updated: number }> {
  const { tx, now } = context
  const whole = Math.max(1, read.wanted.size * groupCost + read.people.length)
  let [groupsDone, peopleDone] = [0, 0]
  const asked = (): void => {
    const share = (writingShare * (groupsDone * groupCost + peopleDone)) / whole
    if (groupsDone < read.wanted.size) told('groups', share, groupsDone)
    else told('people', share, peopleDone)
  }
  const groupIds = new Map(read.groupIds)
  for (const [way, names] of read.wanted) {
    asked()
    const above = way.split('/').slice(0, -1).join('/')
    const group = await insertGroup(tx, groupIds.get(above) ?? (await groupOrRoot(tx, 0)), names.at(-1) ?? '')
    groupIds.set(way, group.id)
    groupsDone += 1
    context.changed({ kind: 'group', change: { groupId: group.id, name: group.name, what: 'created' } })
  }
  const groupOf = ({ way }: Person): number => groupIds.get(way ?? '') ?? 0
  const isNew = ({ known }: Person): boolean => known === undefined
  const userIds: number[] = []
  const roles: { role_id: number; account_id: number }[] = []
  const added = read.people.filter(isNew)
  for (let at = 0; at < added.length; at += writeBatch) {
    asked()
    const some = added.slice(at, at + writeBatch).map((person) => ({
      ...personColumns(person),
      title: '',
      email: '',
      phone: '',
      secret_level: 0,
      expires_at: null,
      ...person.given,
      password_hash: '',
      group_id: groupOf(person),
      created_at: now,
    }))
    const { rows } = await sql<{ id: number; name: string; account_key: string }>`
      insert into account (account, account_key, name, name_sort, search_text, search_grams, password_hash, group_id,
        secret_level, title, email, phone, expires_at, created_at)
      select account, account_key, name, name_sort, search_text, search_grams, password_hash, group_id, secret_level,
        title, email, phone, expires_at, created_at
      from json_to_recordset(${JSON.stringify(some)}) as p (account text, account_key text, name text, name_sort text,
        search_text text, search_grams text[], password_hash text, group_id bigint, secret_level int, title text,
        email text, phone text, expires_at bigint, created_at bigint)
      returning id, name, account_key`.execute(tx)
    peopleDone += some.length
    const idBy = new Map(rows.map(({ id, account_key }) => [account_key, id]))
    for (const person of added.slice(at, at + writeBatch)) {
      const id = idBy.get(accountKey(person.account)) ?? 0
      userIds.push(id)
      context.changed({ kind: 'person', change: { accountId: id, name: person.accountName, what: 'created' } })
      roles.push(...person.roleIds.map((role_id) => ({ role_id, account_id: id })))
    }
  }
  const changed = read.people.filter(({ row, known }) => known !== undefined && read.list[row]?.what === 'update')
  for (const person of changed) {
    const { known } = person
    if (known === undefined) continue
    asked()
    peopleDone += 1
    const { account: _, ...columns } = personColumns(person)
    await tx
      .updateTable('account')
      .set({ ...columns, ...person.given, ...(person.way === undefined ? {} : { group_id: groupOf(person) }) })
      .where('id', '=', known.id)
      .execute()
    roles.push(...person.roleIds.map((role_id) => ({ role_id, account_id: known.id })))
    context.changed({
      kind: 'person',
      change:
        known.name === person.accountName
          ? { accountId: known.id, name: known.name, what: 'profile' }
          : { accountId: known.id, name: person.accountName, what: 'name', before: known.name },
    })
  }
  if (roles.length > 0)
    await sql`
      insert into role_account (role_id, account_id)
      select role_id, account_id from json_to_recordset(${JSON.stringify(roles)}) as r (role_id bigint, account_id bigint)
      on conflict do nothing`.execute(tx)
  await sql`
    delete from membership m using account a where a.id = m.account_id and a.group_id = m.group_id
      and a.id = any(${changed.map(({ known }) => known?.id ?? 0)})`.execute(tx)
  await bump(tx, 'organisation')
  const concerned = changed.flatMap(({ known }) => (known === undefined ? [] : [known.id]))
  if (concerned.length > 0) context.event({ kind: 'refetch', accountIds: concerned })
  context.audit({
    people: JSON.stringify([...userIds, ...concerned].slice(0, mostNamed)),
    ...{ added: userIds.length, updated: changed.length, groups: read.wanted.size },
  })
  told('libraries', writingShare, peopleDone)
  return { userIds, updated: changed.length }
}

type Names = 'checkPeople' | 'importPeople' | 'getImportProgress' | 'cancelImport' | 'getPeopleSheet'

/** Ends the transaction and carries the errors to report. */
class Refused extends ResultError {
  readonly read: Read

  constructor(read: Read, code: CodeName) {
    super(code)
    this.read = read
  }
}

/** Maximum number of people that the audit row of an import names. */
const mostNamed = 100

const toAnswer = ({ list, groups, over }: Read): Checked => ({ list, groups, over })

export const sheetHandlers: Pick<Handlers<Calls>, Names> = {
  async checkPeople(context, sheet) {
    return toAnswer(await readSheet(context.db, actorOf(context), sheet))
  },

  async importPeople(context, { importId, ...sheet }) {
    return whileAsked(context, async (signal) => {
      const told = await ImportReporter.begin(context, importId)
      try {
        return await context.commit(
          async (change) => {
            // The checked state does not change until it is written: the lock excludes other imports and new accounts.
            await lockAccounts(change.tx)
            const read = await readSheet(change.tx, actorOf(change), sheet)
            if (read.over > 0) throw new Refused(read, 'accountCountExceeded')
            if (read.people.length < sheet.rows.length) throw new Refused(read, 'badRequest')
            const done = await write(change, read, (...how) => {
              signal.throwIfAborted()
              told.report(...how)
            })
            return { ...toAnswer(read), ...done, done: true, cancelled: false }
          },
          async (tx) => {
            signal.throwIfAborted()
            await told.ends(tx)
          },
        )
      } catch (error) {
        await told.forget()
        const nothing = { done: false, userIds: [], updated: 0 }
        if (error instanceof CalledOff) return { list: [], groups: [], over: 0, ...nothing, cancelled: true }
        if (!(error instanceof Refused)) throw error
        return { ...toAnswer(error.read), ...nothing, cancelled: false }
      }
    })
  },

  async getImportProgress(context, { importId }) {
    const known = await peopleImportTokens.peek(context.db, importId, context.now)
    if (known === undefined) return { stage: 'ended', progress: 1000, written: 0 }
    const { accountId, ...how } = known
    return accountId === actorOf(context).accountId ? how : fail('notFound')
  },

  async cancelImport(context, { importId }) {
    const known = await peopleImportTokens.consume(context.tx, importId, context.now)
    if (known !== undefined && known.accountId !== actorOf(context).accountId) fail('notFound')
    if (known !== undefined) context.audit({ written: known.written })
    return { cancelled: known !== undefined }
  },

  async getPeopleSheet(context, { after, rows: most, offset }) {
    const { db } = context
    const { rows } = await sql<{
      id: number
      account: string
      name: string
      group_id: number
      title: string
      email: string
      phone: string
      secret_level: number
      expires_at: number | null
      roles: string[]
    }>`
      select a.id, a.account, a.name, a.group_id, a.title, a.email, a.phone, a.secret_level, a.expires_at,
        array(select r.name from role_account m join role r on r.id = m.role_id where m.account_id = a.id order by r.name)
          as roles
      from account a where a.id > ${after} and a.state <> 'disabled' order by a.id limit ${most}`.execute(db)
    const paths = await namesOfGroups(db)
    const levels = ['公开', ...actorOf(context).settings.secret_names]
    return {
      rows: rows.map((row) => [
        row.name,
        row.account,
        paths(row.group_id),
        row.title,
        row.email,
        row.phone,
        levels[row.secret_level] ?? String(row.secret_level),
        row.roles.join('、'),
        row.expires_at === null ? '' : new Date(row.expires_at - offset * 60_000 - 1).toISOString().slice(0, 10),
      ]),
      after: rows.length < most ? 0 : (rows.at(-1)?.id ?? 0),
    }
  },
}

/** The department paths, without the company. */
async function namesOfGroups(db: Db | Tx): Promise<(id: number) => string> {
  const { rows } = await sql<{ id: number; parent_id: number | null; name: string }>`
    select id, parent_id, name from org_group`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const wayTo = (id: number): string => {
    const row = byId.get(id)
    if (row === undefined || row.parent_id === null) return ''
    const above = wayTo(row.parent_id)
    return above === '' ? row.name : `${above} / ${row.name}`
  }
  return wayTo
}
