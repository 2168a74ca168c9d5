/*
 * Outgoing mail: `postMail` queues a mail in the transaction of the change it reports, and a process sends it to the
 * company's mail server. A failed mail is retried for about a day. A server may receive it twice, with the same
 * Message-ID.
 */
import { randomUUID } from 'node:crypto'
import { type InstallationSetting, MailAddress } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { HopelessJob, type Job, job, type Write } from '../queue/job.ts'
import type { JobKind } from '../queue/kind.ts'
import { enqueue } from '../queue/rows.ts'
import { readSecret } from '../secrets.ts'
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

const Posted = z.object({
  id: z.string(),
  to: MailAddress,
  subject: z.string().max(500),
  text: z.string().max(500_000),
  html: z.string().max(1_000_000).optional(),
  locale: z.enum(['zh', 'en']),
})

export const posting: JobKind<z.output<typeof Posted>, void> = { name: 'mail', input: Posted, key: ({ id }) => id }

/** Queues a mail. It is sent only if the transaction commits. Returns its key in the queue. */
export function postMail({ tx, now }: Write, mail: Mail): Promise<string> {
  return enqueue({ tx, now }, posting, { id: randomUUID(), ...mail })
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
  { id, to, subject, text, html, locale }: z.output<typeof Posted>,
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

/** A test mail whose outcome the caller waits for: tried once. */
export const trying: JobKind<z.output<typeof Posted>, z.output<typeof Outcome>> = {
  name: 'mail.try',
  input: Posted,
  key: ({ id }) => id,
  result: Outcome,
  retentionMs: minuteMs,
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
