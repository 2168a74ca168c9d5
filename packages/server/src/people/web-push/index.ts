/*
 * Web push (RFC 8030, 8291, 8292): notices reach a device while no page is open. Each session subscribes for itself,
 * and its subscription ends with it. `due.ts` finds what is to be told, `send.ts` sends it by the job queue.
 */
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import vapid from 'web-push'
import { actorOf, type Context } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import { isPrivateHost } from '../../core/outbound-http.ts'
import { hashToken, readSecret, seal, storeSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { keySecret, subscriptionPurpose, type VapidKeys } from './send.ts'

const refused = {
  zh: '不能使用这个推送地址：它不是加密地址，或属于内部网络',
  en: 'this push address cannot be used: it is not encrypted or belongs to the private network',
} as const

/** Refuses addresses that are not encrypted or, as they are written, in a private network. */
function assertAllowed(endpoint: string, hosts: readonly string[]): void {
  const url = URL.parse(endpoint)
  const isNamed = url !== null && hosts.includes(url.hostname)
  const isHttp = url?.protocol === 'http:'
  if (url === null || url.username !== '' || !(url.protocol === 'https:' || (isHttp && isNamed))) {
    fail('badRequest', refused)
  }
  if (!isNamed && isPrivateHost(endpoint)) fail('badRequest', refused)
}

/** The session of the caller: only signed-in accounts have subscriptions. */
function sessionOf(context: Pick<Context, 'actor'>): number {
  return context.actor?.kind === 'account' ? context.actor.sessionId : fail('notLoggedIn')
}

export function webPushHandlers({ secrets }: Pick<Services, 'secrets'>) {
  return implement(features.webPush.calls, {
    async getWebPush(context) {
      const { settings } = actorOf(context)
      const row = await context.db
        .selectFrom('push_subscription')
        .select(['quiet_from', 'quiet_to'])
        .where('session_id', '=', sessionOf(context))
        .executeTakeFirst()
      const { quiet_from: from = null, quiet_to: to = null } = row ?? {}
      return {
        offered: settings.inner.web_push,
        on: row !== undefined,
        quiet: from === null || to === null ? null : { from, to },
      }
    },

    async prepareWebPush({ tx }) {
      await sql`select pg_advisory_xact_lock(hashtext('web_push_key'))`.execute(tx)
      const stored = await readSecret(tx, secrets, keySecret)
      if (stored !== '') return { publicKey: (JSON.parse(stored) as VapidKeys).publicKey }
      const keys = vapid.generateVAPIDKeys()
      await storeSecret(tx, secrets, keySecret, JSON.stringify(keys))
      return { publicKey: keys.publicKey }
    },

    async setWebPush(context, { endpoint, p256dh, auth, quiet, timeZone }) {
      const { tx, request } = context
      const { accountId, settings } = actorOf(context)
      assertAllowed(endpoint, settings.inner.web_push_hosts)
      if (!/^[\w-]{86,88}=?$/.test(p256dh) || !/^[\w-]{22}(==)?$/.test(auth)) fail('badRequest')
      const sessionId = sessionOf(context)
      const hash = hashToken(endpoint)
      await tx
        .deleteFrom('push_subscription')
        .where((eb) => eb.or([eb('session_id', '=', sessionId), eb('endpoint_hash', '=', hash)]))
        .execute()
      const sealed = seal(secrets, subscriptionPurpose, JSON.stringify({ endpoint, keys: { p256dh, auth } }))
      // Earlier notices are treated as told.
      await sql`
        insert into push_subscription
          (session_id, account_id, endpoint_hash, sealed, locale, quiet_from, quiet_to, time_zone, told_up_to)
        select ${sessionId}, ${accountId}, ${hash}, ${sealed}, ${localeOf(request)}, ${quiet?.from ?? null}::int,
          ${quiet?.to ?? null}::int, ${timeZone}, coalesce(max(remind_id), 0)
        from notice where account_id = ${accountId}`.execute(tx)
      return {}
    },

    async endWebPush(context) {
      await context.tx.deleteFrom('push_subscription').where('session_id', '=', sessionOf(context)).execute()
      return {}
    },
  })
}
