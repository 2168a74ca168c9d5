/*
 * Sends one push to the push service of a browser, by the job queue. A push service that no longer knows the
 * subscription (404, 410) ends it. The address comes from a browser: it is asked only if it is public, or if the
 * operator has named its host.
 */
import { Readable } from 'node:stream'
import webPush from 'web-push'
import { z } from 'zod'
import { isPrivateHost, requestOutbound } from '../../core/outbound-http.ts'
import { HopelessJob, type Job, job } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { readSecret, unseal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'

/** The name of the secret with the VAPID keys. */
export const keySecret = 'web-push-keys'
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

export const subscriptionPurpose = 'push subscription'
export const wordsPurpose = 'words of a push'

const Queued = z.object({ sessionId: z.int(), upTo: z.int(), sealed: z.string() })
type Queued = z.output<typeof Queued>
const Outcome = z.object({ ended: z.boolean() })
type Outcome = z.output<typeof Outcome>

export const pushing: JobKind<Queued, Outcome> = {
  name: 'web-push',
  input: Queued,
  key: ({ sessionId, upTo }) => `${sessionId} ${upTo}`,
  result: Outcome,
  retentionMs: 60_000,
}

const answerMs = 10_000
const keptBySeconds = 24 * 60 * 60
const gone: readonly number[] = [404, 410]

type Parts = Pick<Services, 'settings' | 'secrets' | 'publicUrl'>

/** Whom a push service may ask about these pushes: an address is required. */
const subjectOf = (publicUrl: string | undefined): string =>
  publicUrl?.startsWith('https:') === true ? publicUrl : 'mailto:operator@cloudoc.invalid'

export function pushJob({ settings, secrets, publicUrl }: Parts): Job<Queued, Outcome> {
  return job({
    ...pushing,
    attempts: 5,
    concurrency: 4,
    timeoutMs: 2 * answerMs,
    backoffMs: (attempt) => 5000 * 4 ** (attempt - 1),
    async run({ db, signal }, { sessionId, sealed }) {
      const { inner } = await settings.current()
      const row = await db
        .selectFrom('push_subscription')
        .select('sealed')
        .where('session_id', '=', sessionId)
        .executeTakeFirst()
      if (row === undefined || !inner.web_push) return { ended: false }
      const keys = await readSecret(db, secrets, keySecret)
      if (keys === '') throw new HopelessJob('keys', 'there are no keys')
      const subscription = JSON.parse(unseal(secrets, subscriptionPurpose, row.sealed)) as webPush.PushSubscription
      const { endpoint, method, headers, body } = webPush.generateRequestDetails(
        subscription,
        unseal(secrets, wordsPurpose, sealed),
        {
          vapidDetails: { subject: subjectOf(publicUrl), ...(JSON.parse(keys) as VapidKeys) },
          TTL: keptBySeconds,
          topic: 'notices',
        },
      )
      const publicOnly = !inner.web_push_hosts.includes(new URL(endpoint).hostname)
      if (publicOnly && isPrivateHost(endpoint)) throw new HopelessJob('address', 'an address in the private network')
      const answer = await requestOutbound(endpoint, {
        method,
        headers,
        body: Readable.from([body]),
        publicOnly,
        timeMs: answerMs,
        signal,
      })
      answer.drop()
      const { status } = answer
      if (gone.includes(status)) return { ended: true }
      if (status === 429 || status >= 500) throw new Error(`the push service answers ${status}`)
      if (status < 200 || status > 299) throw new HopelessJob('refused', `the push service answers ${status}`)
      return { ended: false }
    },
    async commit({ tx }, { sessionId }, { ended }) {
      if (ended) await tx.deleteFrom('push_subscription').where('session_id', '=', sessionId).execute()
    },
  })
}
