/*
 * Mail that goes out: `postMail` writes it with the change that it tells of, and a process hands it to the company's mail
 * server. One that cannot be sent is tried for about a day; a server may get it twice, then with the same Message-ID.
 */
import { randomUUID } from 'node:crypto'
import { type InstallationSetting, MailAddress } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { HopelessJob, type Job, job, type Write } from '../queue/job.ts'
import type { JobKind } from '../queue/kind.ts'
import { enqueue } from '../queue/rows.ts'
import { type Secrets, seal, unseal } from '../secrets.ts'
import type { Services } from '../services.ts'
import { MailFailure, problemWords } from './problems.ts'
import { type MailTimes, sendMail } from './smtp.ts'

/** A mail to one person, in their language. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same for programs that show more than text; nothing in it is fetched from elsewhere. */
  readonly html?: string | undefined
  readonly locale: Locale
}

const Posted = z.object({
  id: z.string(),
  to: MailAddress,
  subject: z.string().max(500),
  text: z.string().max(500_000),
  html: z.string().max(1_000_000).optional(),
  locale: z.enum(['zh', 'en']),
})

const posting: JobKind<z.output<typeof Posted>, void> = { name: 'mail', input: Posted, key: ({ id }) => id }

/** Posts a mail: with the transaction it goes out, or not at all. Answers what it is called in the queue. */
export function postMail({ tx, now }: Write, mail: Mail): Promise<string> {
  return enqueue({ tx, now }, posting, { id: randomUUID(), ...mail })
}

/** Whether there is a server that takes our mail. */
export function isMailSetUp({ inner }: Pick<InstallationSetting, 'inner'>): boolean {
  return inner.mail_host !== '' && inner.mail_sender !== ''
}

const passwordName = 'mail-password'

/** Keeps the password of the mail account, encrypted; none where it is empty. */
export async function keepMailPassword({ tx }: Pick<Write, 'tx'>, secrets: Secrets, password: string): Promise<void> {
  await tx.deleteFrom('secret').where('name', '=', passwordName).execute()
  if (password === '') return
  const value = seal(secrets, passwordName, password)
  await tx.insertInto('secret').values({ name: passwordName, value }).execute()
}

async function mailPassword(db: Db, secrets: Secrets): Promise<string> {
  const row = await db.selectFrom('secret').select('value').where('name', '=', passwordName).executeTakeFirst()
  return row === undefined ? '' : unseal(secrets, passwordName, row.value)
}

type Deps = Pick<Services, 'settings' | 'secrets'>

async function send(
  { settings, secrets }: Deps,
  { db, signal }: { readonly db: Db; readonly signal: AbortSignal },
  { id, to, subject, text, html, locale }: z.output<typeof Posted>,
  times: MailTimes,
): Promise<void> {
  const set = await settings.current()
  if (!isMailSetUp(set)) throw new MailFailure('notSetUp', '', true)
  const { mail_host: host, mail_port: port, mail_security: security, mail_account: account, mail_sender } = set.inner
  const server = { host, port, security, account, password: await mailPassword(db, secrets) }
  const name = set.company_name === '' ? usualName[locale] : set.company_name
  const from = { name, address: mail_sender }
  await sendMail(server, { id, from, to, subject, text, html, language: locale }, times, signal)
}

const usualName = { zh: '企业云文档', en: 'Cloudoc' } as const
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Sends what was posted. */
export function mailJob(deps: Deps, times: MailTimes): Job<z.output<typeof Posted>, void> {
  return job({
    ...posting,
    attempts: 30,
    concurrency: 4,
    timeoutMs: times.wholeMs + minuteMs,
    backoffMs: (attempt) => Math.min(minuteMs * 2 ** (attempt - 1), hourMs),
    async run(context, mail) {
      try {
        await send(deps, context, mail, times)
      } catch (error) {
        if (error instanceof MailFailure && error.isFinal) throw new HopelessJob(error.code, error.message)
        throw error
      }
    },
  })
}

const Outcome = z.object({ problem: z.string(), said: z.string() })

/** A mail whose outcome somebody waits for: tried once. */
export const trying: JobKind<z.output<typeof Posted>, z.output<typeof Outcome>> = {
  name: 'mail.try',
  input: Posted,
  key: ({ id }) => id,
  result: Outcome,
  keptMs: minuteMs,
}

export function tryJob(deps: Deps, times: MailTimes): Job<z.output<typeof Posted>, z.output<typeof Outcome>> {
  return job({
    ...trying,
    attempts: 1,
    concurrency: 2,
    timeoutMs: times.wholeMs + minuteMs,
    async run(context, mail) {
      try {
        await send(deps, context, mail, times)
        return { problem: '', said: '' }
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error
        return { problem: error.code, said: error.message }
      }
    },
  })
}

interface StateRow {
  readonly due: number | null
  readonly ended_at: number | null
  readonly error_code: string | null
  readonly error_message: string | null
}

/** How mail stands: what waits, what has failed, and why the latest did. */
export async function mailState(db: Db, locale: Locale) {
  // By the indexes that hold nothing but what has not ended well.
  const { rows } = await sql<StateRow>`
    select due, ended_at, error_code, error_message from job where kind = ${posting.name} and due is not null
    union all
    select due, ended_at, error_code, error_message from job where kind = ${posting.name} and state = 'failed'`.execute(
    db,
  )
  const waiting = rows.filter(({ due }) => due !== null).length
  const latest = rows
    .filter(({ error_code }) => error_code !== null)
    .toSorted((a, b) => (b.ended_at ?? b.due ?? 0) - (a.ended_at ?? a.due ?? 0))[0]
  return {
    waiting,
    failed: rows.length - waiting,
    latest:
      latest === undefined
        ? null
        : { at: latest.ended_at, why: problemWords(latest.error_code ?? '', latest.error_message ?? '')[locale] },
  }
}

/** Whether a password of the mail account is kept. */
export async function hasMailPassword(db: Db): Promise<boolean> {
  const row = await db.selectFrom('secret').select('name').where('name', '=', passwordName).executeTakeFirst()
  return row !== undefined
}
