/*
 * The archive of a signing process ([R275]): the signed PDF and a page of evidence, in the archive folder,
 * write-protected. A job, because a PDF is written: it is begun in the transaction of the last signature, and its result
 * is placed in the transaction that ends it, once. If the folder refuses, the launcher chooses another one; the signed
 * revision stays as it is.
 */
import { codes, denial, fail, gates, ItemStatusBit, itemName, ResultError, SignState } from '@cloudoc/domain'
import { sql } from 'kysely'
import { contextOfAccount } from '../../core/call/context-of-account.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type NewEvent, writeEvents } from '../../core/events.ts'
import { type Job, job } from '../../core/queue/job.ts'
import type { Services } from '../../core/services.ts'
import { type Report, type ReportLine, writeReport } from '../../documents/index.ts'
import { type PendingContent, persist, placing } from '../../drive/content/index.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { archiving, type ToArchive } from './archive-kind.ts'
import { only } from './launch.ts'
import { mailOutsiders } from './outsiders.ts'
import {
  type ActivityRow,
  accountsOf,
  changed,
  levelOf,
  lockActivity,
  markItem,
  notify,
  readActivity,
  record,
  signersOf,
} from './rows.ts'
import { stampTime } from './sign.ts'

type Parts = Pick<Services, 'db' | 'blobs' | 'settings' | 'secrets' | 'commit'>

interface Write {
  readonly tx: Tx
  readonly now: number
  readonly event: (event: NewEvent) => void
}

/** The job of the archive. */
export const archiveJob = (services: Parts): Job<ToArchive, PendingContent | undefined> =>
  job<ToArchive, PendingContent | undefined>({
    ...archiving,
    attempts: 5,
    concurrency: 1,
    timeoutMs: 5 * 60_000,
    async run(context, { activityId }) {
      const row = await readActivity(services.db, activityId)
      if (row.state !== 'signed') return undefined
      const report = await evidenceOf(services.db, row)
      return persist(await services.blobs.stage(only(await writeReport(report, context.signal))))
    },
    async commit({ tx, now }, { activityId }, evidence) {
      if (evidence === undefined) return
      const row = await lockActivity(tx, activityId)
      if (row.state !== 'signed') return
      const events: NewEvent[] = []
      const write = { tx, now, event: (event: NewEvent) => void events.push(event) }
      await sql`savepoint archive`.execute(tx)
      try {
        await finish(write, services, row, await place(write, services, row, evidence))
      } catch (error) {
        if (!(error instanceof ResultError)) throw error
        await sql`rollback to savepoint archive`.execute(tx)
        events.length = 0
        await sql`update sign_activity set archive_problem = ${codes[error.code].code} where id = ${row.id}`.execute(tx)
        await record(tx, row.id, now, 'notArchived')
        write.event(changed(row.id))
      }
      await services.commit.react(tx, [
        {
          ...{ events, changed: [], actor: undefined, now, call: 'archiveSign', address: '', items: [], detail: {} },
        },
      ])
      await writeEvents(tx, events, now)
    },
  })

async function finish(
  write: Write,
  parts: Pick<Parts, 'secrets' | 'settings'>,
  row: ActivityRow,
  archived: readonly number[],
): Promise<void> {
  const { tx, now } = write
  await sql`
    update sign_activity set state = 'archived', ended_at = ${now}, archive_problem = null,
      archived = ${JSON.stringify(archived)}::jsonb where id = ${row.id}`.execute(tx)
  await record(tx, row.id, now, 'archived')
  const marked = await markItem(tx, row.item_id, false, row.launcher)
  if (marked !== undefined) write.event(marked)
  const signers = await signersOf(tx, row.id)
  const people = [row.launcher_id, ...accountsOf(signers)]
  for (const event of notify(row, SignState.archived, [...new Set(people)], { by: row.launcher, at: now }))
    write.event(event)
  await mailOutsiders({ tx, now }, parts, row, { occasion: 'archived', signers })
  write.event(changed(row.id))
}

/** Places the files with the rights of the launcher. Returns their ids. */
async function place(write: Write, { settings }: Parts, row: ActivityRow, evidence: PendingContent): Promise<number[]> {
  const { tx, now } = write
  const account =
    (await loadAccounts(tx, settings, [row.launcher_id], now)).get(row.launcher_id) ?? fail('noPermission')
  const folder = (await accessToMany(tx, account, [row.archive_folder_id], now)).get(row.archive_folder_id)
  if (folder === undefined || folder.row.f_type !== 2) return fail('noArchiveFolder')
  const refusal = denial(gates.upload, folder.facts)
  if (refusal !== undefined) return fail(refusal)
  const context = contextOfAccount(write, account, folder)
  const name = archiveName(row)
  const level = levelOf(row, now)
  const secret = level > 0 ? { secretLevel: level, secretUntil: row.file_level_until } : {}
  const made: number[] = []
  for (const [suffix, content] of [
    ['', await signedContent(tx, row)],
    ['-签署证明', evidence],
  ] as const) {
    const file = { folderId: row.archive_folder_id, name: `${name}${suffix}.pdf`, conflict: 'keepBoth', ...secret }
    made.push((await placing.alone(context, { file: file as typeof file & { conflict: 'keepBoth' }, content })).fileId)
  }
  await sql`update item set status = status | ${ItemStatusBit.singleArchive}::int where id = any(${made})`.execute(tx)
  return made
}

/** The newest revision as content to be placed. Its object is referenced already. */
async function signedContent(tx: Tx, row: ActivityRow): Promise<PendingContent> {
  const { rows } = await sql<{ sha256: Buffer; size: number; key: string }>`
    select b.sha256, b.size, b.key from sign_revision r join blob b on b.id = r.blob_id
    where r.activity_id = ${row.id} and r.number = ${row.revision}`.execute(tx)
  const found = rows[0] ?? fail('versionMissing')
  return { ...found, sums: Buffer.alloc(0), keptAt: performance.now() }
}

/** The title as a name: without the characters that no file has. */
function archiveName({ title, id }: ActivityRow): string {
  const cleaned = [...title.replace(/[\\/:*?"<>|]/g, '_')].slice(0, 120).join('').trim()
  const checked = itemName(cleaned)
  return 'name' in checked ? checked.name : `签署 ${id}`
}

const proofWords: Readonly<Record<string, string>> = {
  password: '登录密码',
  secondFactor: '动态验证码',
  provider: '在登录提供方重新登录',
  mailCode: '邮件验证码',
  phoneCode: '短信验证码',
}

const levelWords: Readonly<Record<string, string>> = {
  'B-B': 'PAdES B-B（服务器时间，没有可信时间戳）',
  'B-T': 'PAdES B-T（有可信时间戳）',
  'B-LT': 'PAdES B-LT（有可信时间戳和证书状态信息）',
}

/** Who signed, when, how they were identified, from which address, and the hash of the signed file. */
async function evidenceOf(db: Db, row: ActivityRow): Promise<Report> {
  const { rows } = await sql<{ number: number; sha256: Buffer }>`
    select number, sha256 from sign_revision where activity_id = ${row.id} order by number`.execute(db)
  const certificates = await sql<{ signerId: number; serial: string; issuer: string }>`
    select g.id as "signerId", c.serial, c.issuer from sign_signer g
    join sign_certificate c on c.id = g.certificate_id where g.activity_id = ${row.id}`.execute(db)
  const certificateOf = new Map(certificates.rows.map((one) => [one.signerId, one]))
  const signers = await signersOf(db, row.id)
  return {
    title: `签署证明：${row.title}`,
    subtitle: `编号 ${row.id}`,
    lines: [
      { label: '文件', text: row.file_name },
      { label: '发起人', text: row.launcher },
      { label: '发起时间', text: stampTime(row.created_at) },
      ...(row.comments === '' ? [] : [{ label: '说明', text: row.comments }]),
      { label: '签署顺序', text: row.in_order ? '按顺序' : '同时' },
      ...signers.flatMap((signer): ReportLine[] => {
        const certificate = certificateOf.get(signer.id)
        return [
          { label: signer.name, text: '', heading: true },
          ...(signer.actor === null ? [] : [{ label: '实际签署人', text: signer.actor }]),
          { label: '签署时间', text: signer.acted_at === null ? '' : `${stampTime(signer.acted_at)}（服务器时间）` },
          { label: '身份确认', text: proofWords[signer.proof] ?? '' },
          ...(signer.mail === '' ? [] : [{ label: '邮箱', text: signer.mail }]),
          ...(signer.phone === '' ? [] : [{ label: '手机', text: signer.phone }]),
          { label: '地址', text: signer.address },
          ...(signer.level === '' ? [] : [{ label: '签名级别', text: levelWords[signer.level] ?? signer.level }]),
          { label: '证书', text: certificate === undefined ? '' : `${certificate.issuer}，${certificate.serial}` },
          ...(signer.comments === '' ? [] : [{ label: '说明', text: signer.comments }]),
        ]
      }),
      { label: '文件校验值', text: '', heading: true },
      ...rows.map(({ number, sha256 }) => ({
        label: number === 0 ? '签署前（SHA-256）' : `第 ${number} 次签署后（SHA-256）`,
        text: sha256.toString('hex'),
      })),
    ],
  }
}
