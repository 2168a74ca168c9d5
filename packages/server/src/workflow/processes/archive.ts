/*
 * The archive of a process: the attachment as it was approved, the form and the course, in the archive folder,
 * write-protected. A job, because PDF files are written: it is begun in the transaction of the last pass, and its
 * result is placed in the transaction that ends it, once. If the folder refuses, the launcher chooses another one.
 */
import { denial, fail, gates, ItemStatusBit, itemName, nodeOf, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { contextOfAccount } from '../../core/call/context-of-account.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type NewEvent, writeEvents } from '../../core/events.ts'
import { type Job, job } from '../../core/queue/job.ts'
import type { Services } from '../../core/services.ts'
import { type Report, type ReportLine, writeReport } from '../../documents/index.ts'
import { type PendingContent, persist, placing } from '../../drive/content/index.ts'
import { copyVersion } from '../../drive/files/index.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { bodyOf } from '../templates/index.ts'
import { archiving, type ToArchive } from './archive-kind.ts'
import { courseOf, numberOf } from './course.ts'
import { entryWords } from './entry-words.ts'
import type { ProcessRow } from './process-row.ts'
import { lockProcess, perform } from './run.ts'

interface Written {
  readonly form: PendingContent
  readonly course: PendingContent
}

type Parts = Pick<Services, 'db' | 'blobs' | 'settings' | 'commit' | 'pause'>

/** The job of the archive. */
export const archiveJob = (services: Parts): Job<ToArchive, Written | undefined> =>
  job<ToArchive, Written | undefined>({
    ...archiving,
    attempts: 5,
    concurrency: 1,
    timeoutMs: 5 * 60_000,
    async run(context, { processId, taskId }) {
      const { rows } = await sql<ProcessRow>`select * from process where id = ${processId}`.execute(services.db)
      const [row] = rows
      if (row === undefined || !row.state.tasks.some(({ id }) => id === taskId)) return undefined
      const write = async (report: Report): Promise<PendingContent> =>
        persist(await services.blobs.stage(only(await writeReport(report, context.signal))))
      return {
        form: await write(await formReport(services.db, row)),
        course: await write(await courseReport(services.db, row)),
      }
    },
    async commit({ tx, now }, { processId, taskId }, written) {
      if (written === undefined) return
      const row = await lockProcess(tx, processId)
      // Withdrawn, or archived by another process meanwhile.
      if (!row.state.tasks.some(({ id, mode }) => id === taskId && mode === 'archive')) return
      const events: NewEvent[] = []
      const acting = { tx, now, actor: undefined, event: (event: NewEvent) => void events.push(event) }
      await sql`savepoint archive`.execute(tx)
      try {
        const archived = await place({ tx, now, event: acting.event }, services, row, taskId, written)
        await perform(acting, row, { act: 'archived', task: taskId }, { archived: [...row.archived, ...archived] })
      } catch (error) {
        if (!(error instanceof ResultError)) throw error
        await sql`rollback to savepoint archive`.execute(tx)
        events.length = 0
        await perform(acting, row, { act: 'notArchived', task: taskId, detail: error.code })
      }
      await settle(services, tx, events, now, 'archiveProcess')
      await services.pause('process archived')
    },
  })

/** Runs the reactions to the events of work without a call, and writes the events. */
export async function settle(
  { commit }: Pick<Services, 'commit'>,
  tx: Tx,
  events: NewEvent[],
  now: number,
  call: string,
): Promise<void> {
  await commit.react(tx, [{ events, changed: [], actor: undefined, now, call, address: '', items: [], detail: {} }])
  await writeEvents(tx, events, now)
}

async function* only(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/**
 * With whose rights the files are placed: those of the launcher; if they cannot act any more, of whoever had it archived
 * again.
 */
async function archivistOf(tx: Tx, settings: Parts['settings'], row: ProcessRow, now: number): Promise<Account> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(by_id, account_id) as id from process_entry
    where process_id = ${row.id} and what in ('folder', 'retried') order by id desc limit 1`.execute(tx)
  const candidates = [row.launcher_id, ...rows.map(({ id }) => id)]
  const accounts = await loadAccounts(tx, settings, candidates, now)
  return candidates.map((id) => accounts.get(id)).find((one) => one !== undefined) ?? fail('noPermission')
}

/** Places the files, as far as the rights allow now what they allowed at the launch. Returns their ids. */
async function place(
  write: { readonly tx: Tx; readonly now: number; readonly event: (event: NewEvent) => void },
  { settings }: Parts,
  row: ProcessRow,
  taskId: number,
  { form, course }: Written,
): Promise<number[]> {
  const { tx, now } = write
  const task = row.state.tasks.find(({ id }) => id === taskId)
  const body = await bodyOf(tx, row.template_id, row.template_version)
  const node = body === undefined ? undefined : nodeOf(body, task?.node ?? '')
  if (node?.type !== 'archive') return fail('notFound')
  const folderId = row.state.folderId > 0 ? row.state.folderId : node.folderId
  if (folderId <= 0) return fail('noArchiveFolder')
  const account = await archivistOf(tx, settings, row, now)
  const found = await accessToMany(tx, account, [folderId, ...(row.item_id === null ? [] : [row.item_id])], now)
  const folder = found.get(folderId)
  if (folder === undefined || folder.row.f_type !== 2) return fail('noArchiveFolder')
  const refusal = denial(gates.upload, folder.facts)
  if (refusal !== undefined) return fail(refusal)
  const context = contextOfAccount(write, account, folder)
  const name = await archiveName(tx, row, node.pattern)
  const made: number[] = []
  const source = row.item_id === null ? undefined : found.get(row.item_id)
  if (row.item_id !== null) {
    if (source === undefined) return fail('notFound')
    const ext = source.row.ext === '' ? '' : `.${source.row.ext}`
    const { rows } = await sql<{ size: number; diskTime: number | null }>`
      select size, disk_time as "diskTime" from version
      where item_id = ${row.item_id} and number = ${row.item_version}`.execute(tx)
    const version = rows[0] ?? fail('versionMissing')
    const copied = await copyVersion(
      context,
      source,
      { number: row.item_version, ...version },
      { target: folder, name: `${name}${ext}` },
    )
    made.push(copied.fileId)
  }
  const level = source?.facts.secretLevel ?? 0
  for (const [suffix, content] of [
    ['表单', form],
    ['审批记录', course],
  ] as const) {
    const secret = level > 0 ? { secretLevel: level, secretUntil: source?.row.secret_until ?? null } : {}
    const file = { folderId, name: `${name}-${suffix}.pdf`, conflict: 'keepBoth', ...secret } as const
    made.push((await placing.alone(context, { file, content })).fileId)
  }
  await protect(tx, row, made)
  return made
}

/** Marks the archived files. They are of one process, or of one of several that archived the same file. */
async function protect(tx: Tx, row: ProcessRow, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from process
    where item_id = ${row.item_id} and id <> ${row.id} and archived <> '[]'`.execute(tx)
  const isFirst = (rows[0]?.n ?? 0) === 0
  const bit = isFirst ? ItemStatusBit.singleArchive : ItemStatusBit.multipleArchive
  await sql`
    update item set status = status | ${bit | ItemStatusBit.approved}::int, process_id = ${row.id},
      process_version = version
    where id = any(${[...ids]})`.execute(tx)
}

const twoDigits = (n: number): string => String(n).padStart(2, '0')
const dayOf = (at: number): string => {
  const day = new Date(at)
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`
}
const minuteOf = (at: number): string => {
  const day = new Date(at)
  return `${dayOf(at)} ${twoDigits(day.getHours())}:${twoDigits(day.getMinutes())}`
}

/** The name of the archived files, by the pattern of the template. */
async function archiveName(tx: Tx, row: ProcessRow, pattern: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from account where id = ${row.launcher_id}`.execute(tx)
  const values: Readonly<Record<string, string>> = {
    title: row.title,
    number: numberOf(row),
    date: dayOf(row.launched_at ?? row.created_at),
    launcher: rows[0]?.name ?? '',
  }
  const text = (pattern.trim() === '' ? '{number} {title}' : pattern).replace(
    /\{(\w+)\}/g,
    (whole, key: string) => values[key] ?? whole,
  )
  // What a title contains may not be a name: separators and other characters that no file has.
  const cleaned = [...text.replace(/[\\/:*?"<>|]/g, '_')].slice(0, 120).join('').trim()
  const checked = itemName(cleaned)
  return 'name' in checked ? checked.name : numberOf(row)
}

async function formReport(db: Db, row: ProcessRow): Promise<Report> {
  const body = await bodyOf(db, row.template_id, row.template_version)
  const { rows } = await sql<{ launcher: string; template: string }>`
    select a.name as launcher, t.name as template from account a, workflow_template t
    where a.id = ${row.launcher_id} and t.id = ${row.template_id}`.execute(db)
  const people = (body?.fields ?? []).flatMap(({ id, type }) => (type === 'person' ? [Number(row.form[id] ?? 0)] : []))
  const names = await sql<{ id: number; name: string }>`
    select id, name from account where id = any(${people})`.execute(db)
  const nameOf = new Map(names.rows.map(({ id, name }) => [String(id), name]))
  const values = (body?.fields ?? []).map(({ id, name, type }): ReportLine => {
    const value = row.form[id] ?? ''
    return { label: name, text: type === 'person' ? (nameOf.get(value) ?? value) : value }
  })
  return {
    title: row.title,
    subtitle: `${rows[0]?.template ?? ''}  ${numberOf(row)}`,
    lines: [
      { label: '发起人', text: rows[0]?.launcher ?? '' },
      { label: '发起时间', text: minuteOf(row.launched_at ?? row.created_at) },
      ...(row.item_name === '' ? [] : [{ label: '附件', text: `${row.item_name}（版本 ${row.item_version}）` }]),
      ...(row.comments === '' ? [] : [{ label: '说明', text: row.comments }]),
      ...values,
    ],
  }
}

async function courseReport(db: Db, row: ProcessRow): Promise<Report> {
  const course = await courseOf(db, row)
  return {
    title: `审批记录：${row.title}`,
    subtitle: numberOf(row),
    lines: course.map(({ at, what, by, instead, to, nodeName, comments, version }): ReportLine => {
      const who =
        by === undefined
          ? ''
          : instead === undefined
            ? by.accountName
            : `${by.accountName}（代 ${instead.accountName}）`
      const words = [
        ...(nodeName === '' ? [] : [`“${nodeName}”`]),
        who,
        entryWords[what] ?? what,
        to.map(({ accountName }) => accountName).join('、'),
        ...(version > 0 ? [`版本 ${version}`] : []),
      ]
      return {
        label: minuteOf(at),
        text: `${words.filter((word) => word !== '').join(' ')}${comments === '' ? '' : `\n${comments}`}`,
      }
    }),
  }
}
