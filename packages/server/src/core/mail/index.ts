/*
 * Outgoing mail: `postMail` queues a mail in the transaction of the change it reports, and a process sends it to the
 * company's mail server. A failed mail is retried for about a day. A server may receive it twice, with the same
 * Message-ID. Mails contain codes and links that admit people, so the queue holds their words sealed
 * ([0329](docs/adr/0329-mail-the-queue-holds-the-words-of-mails-and-codes-sealed.md)).
 */
import { randomUUID } from 'node:crypto'
import { type InstallationSetting, MailAddress } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { HopelessJob, type Job, job, type Write } from '../queue/job.ts'
import type { JobKind } from '../queue/kind.ts'
import { enqueue } from '../queue/rows.ts'
import { readSecret, type Secrets, seal, unseal } from '../secrets.ts'
import type { Services } from '../services.ts'
import { MailFailure } from './problems.ts'
import { type MailTimes, sendMail } from './smtp.ts'

export { allowedAddress, type Reaching } from './allowed-address.ts'
export { MailFailure, type MailProblem, problemOf, problemText } from './problems.ts'

/** A mail to one user, in the user's language. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The HTML version. It loads nothing from elsewhere. */
  readonly html?: string | undefined
  readonly locale: Locale
}

const Words = z.object({
  subject: z.string().max(500),
  text: z.string().max(500_000),
  html: z.string().max(1_000_000).optional(),
})
const Addressed = z.object({ id: z.string(), to: MailAddress, locale: z.enum(['zh', 'en']) })
const Plain = Addressed.extend(Words.shape)
type Plain = z.output<typeof Plain>

/** Mails that an earlier release queued are plain. */
const Posted = z.union([Addressed.extend({ sealed: z.string() }), Plain])
type Posted = z.output<typeof Posted>

export const posting: JobKind<Posted, void> = { name: 'mail', input: Posted, key: ({ id }) => id }

const wordsPurpose = 'queued-mail'

/** Queues a mail, its words sealed. It is sent only if the transaction commits. Returns its key in the queue. */
export function postMail(
  { tx, now }: Write,
  { to, locale, ...words }: Mail,
  secrets: Pick<Secrets, 'signingKey'>,
): Promise<string> {
  const sealed = seal(secrets, wordsPurpose, JSON.stringify(Words.parse(words)))
  return enqueue({ tx, now }, posting, { id: randomUUID(), to, locale, sealed })
}

/** A queued mail with its words. */
export function openMail(secrets: Pick<Secrets, 'signingKey'>, posted: Posted): Plain {
  if (!('sealed' in posted)) return posted
  const { sealed, ...addressed } = posted
  return { ...addressed, ...Words.parse(JSON.parse(unseal(secrets, wordsPurpose, sealed))) }
}

/** Whether a mail server is configured. */
export function isMailSetUp({ inner }: Pick<InstallationSetting, 'inner'>): boolean {
  return inner.mail_host !== '' && inner.mail_sender !== ''
}

/** The name under which the password of the mail account is stored. */
export const mailPasswordName = 'mail-password'

type Deps = Pick<Services, 'settings' | 'secrets'>

async function send(
  { settings, secrets }: Deps,
  { db, signal }: { readonly db: Db; readonly signal: AbortSignal },
  { id, to, subject, text, html, locale }: Plain,
  times: MailTimes,
): Promise<void> {
  const set = await settings.current()
  if (!isMailSetUp(set)) throw new MailFailure('notSetUp', '', true)
  const { mail_host: host, mail_port: port, mail_security: security, mail_account: account, mail_sender } = set.inner
  const server = { host, port, security, account, password: await readSecret(db, secrets, mailPasswordName) }
  const name = set.company_name === '' ? usualName[locale] : set.company_name
  const from = { name, address: mail_sender }
  await sendMail(server, { id, from, to, subject, text, html, language: locale }, times, signal)
}

const usualName = { zh: '企业云文档', en: 'Cloudoc' } as const
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Sends the queued mails. */
export function mailJob(deps: Deps, times: MailTimes): Job<Posted, void> {
  return job({
    ...posting,
    attempts: 30,
    concurrency: 4,
    timeoutMs: times.wholeMs + minuteMs,
    backoffMs: (attempt) => Math.min(minuteMs * 2 ** (attempt - 1), hourMs),
    async run(context, posted) {
      try {
        await send(deps, context, openMail(deps.secrets, posted), times)
      } catch (error) {
        if (error instanceof MailFailure && error.isFinal) throw new HopelessJob(error.code, error.message)
        throw error
      }
    },
  })
}

const Outcome = z.object({ problem: z.string(), said: z.string() })

/** A test mail whose outcome the caller waits for: tried once. */
export const trying: JobKind<Plain, z.output<typeof Outcome>> = {
  name: 'mail.try',
  input: Plain,
  key: ({ id }) => id,
  result: Outcome,
  retentionMs: minuteMs,
}

export function tryJob(deps: Deps, times: MailTimes): Job<Plain, z.output<typeof Outcome>> {
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
