/*
 * Outgoing short messages (SMS), each with a code: `postSms` queues one in the transaction of its change, and a process
 * sends it to the company's gateway ([0127](docs/adr/0127-sign-in-codes-by-short-message.md)). A code is valid for minutes,
 * so a message that cannot be sent is soon given up. The queue holds the code sealed
 * ([0329](docs/adr/0329-mail-the-queue-holds-the-words-of-mails-and-codes-sealed.md)).
 */
import { randomUUID } from 'node:crypto'
import type { InstallationSetting } from '@cloudoc/contract'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { HopelessJob, type Job, job, type Write } from '../queue/job.ts'
import type { JobKind } from '../queue/kind.ts'
import { enqueue } from '../queue/rows.ts'
import { readSecret, type Secrets, seal, unseal } from '../secrets.ts'
import type { Services } from '../services.ts'
import { SmsFailure, sendSms } from './gateway.ts'

const Addressed = z.object({ id: z.string(), phone: z.string(), until: z.int() })
const Plain = Addressed.extend({ code: z.string() })
type Plain = z.output<typeof Plain>

/** Messages that an earlier release queued are plain. */
const Posted = z.union([Addressed.extend({ sealed: z.string() }), Plain])
type Posted = z.output<typeof Posted>

export const posting: JobKind<Posted, void> = { name: 'sms', input: Posted, key: ({ id }) => id }

const codePurpose = 'queued-sms'

/** Queues a message with a code that is valid for the given time. It is sent only if the transaction commits. */
export function postSms(
  { tx, now }: Write,
  { phone, code, until }: Omit<Plain, 'id'>,
  secrets: Pick<Secrets, 'signingKey'>,
): Promise<string> {
  return enqueue({ tx, now }, posting, { id: randomUUID(), phone, until, sealed: seal(secrets, codePurpose, code) })
}

/** A queued message with its code. */
export function openSms(secrets: Pick<Secrets, 'signingKey'>, posted: Posted): Plain {
  if (!('sealed' in posted)) return posted
  const { sealed, ...addressed } = posted
  return { ...addressed, code: unseal(secrets, codePurpose, sealed) }
}

/** Whether a gateway is configured. */
export function isSmsSetUp({ inner }: Pick<InstallationSetting, 'inner'>): boolean {
  return inner.sms_url !== ''
}

/** The name under which the gateway's key is stored. */
export const smsSecretName = 'sms-secret'

type Deps = Pick<Services, 'settings' | 'secrets' | 'now'>

async function send(
  { settings, secrets, now }: Deps,
  { db, signal }: { readonly db: Db; readonly signal: AbortSignal },
  { phone, code, until }: Plain,
  timeMs: number,
): Promise<void> {
  if (now() >= until) throw new SmsFailure('late')
  const set = await settings.current()
  if (!isSmsSetUp(set)) throw new SmsFailure('notSetUp')
  const secret = await readSecret(db, secrets, smsSecretName)
  await sendSms(set, { phone, code, secret }, timeMs, signal)
}

/** Failures that a later attempt does not change. */
const final: ReadonlySet<string> = new Set(['late', 'notSetUp'])
const slackMs = 30_000

/** Sends the queued messages. */
export function smsJob(deps: Deps, timeMs: number): Job<Posted, void> {
  return job({
    ...posting,
    attempts: 5,
    concurrency: 4,
    timeoutMs: timeMs + slackMs,
    backoffMs: (attempt) => 5000 * 3 ** (attempt - 1),
    async run(context, posted) {
      try {
        await send(deps, context, openSms(deps.secrets, posted), timeMs)
      } catch (error) {
        if (error instanceof SmsFailure && final.has(error.code)) throw new HopelessJob(error.code, error.message)
        throw error
      }
    },
  })
}

const Outcome = z.object({ problem: z.string(), said: z.string() })

/** A test message whose outcome the caller waits for: tried once. */
export const trying: JobKind<Plain, z.output<typeof Outcome>> = {
  name: 'sms.try',
  input: Plain,
  key: ({ id }) => id,
  result: Outcome,
  retentionMs: 60_000,
}

export function tryJob(deps: Deps, timeMs: number): Job<Plain, z.output<typeof Outcome>> {
  return job({
    ...trying,
    attempts: 1,
    concurrency: 2,
    timeoutMs: timeMs + slackMs,
    run: (context, message) =>
      send(deps, context, message, timeMs).then(
        () => ({ problem: '', said: '' }),
        (error: unknown) => {
          if (!(error instanceof SmsFailure)) throw error
          return { problem: error.code, said: error.message }
        },
      ),
  })
}
