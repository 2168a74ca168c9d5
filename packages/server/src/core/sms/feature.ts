// Outgoing short messages (SMS) as a feature: its jobs, and the calls for the administrator who configures it.
import { randomUUID } from 'node:crypto'
import { features } from '@cloudoc/contract'
import { fail, mobileOf } from '@cloudoc/domain'
import { actorOf, whileAsked } from '../call/context.ts'
import { localeOf } from '../call/dispatcher.ts'
import { implement } from '../call/implement.ts'
import { feature } from '../feature.ts'
import { outboxStatus } from '../queue/outbox-status.ts'
import { enqueue } from '../queue/rows.ts'
import { hasSecret, storeSecret } from '../secrets.ts'
import type { Services } from '../services.ts'
import { smsProblemText, usualSmsMs } from './gateway.ts'
import { isSmsSetUp, posting, smsJob, smsSecretName, trying, tryJob } from './index.ts'

/** The feature with this timeout for the gateway's answer. */
export const smsWithin = (timeMs: number) =>
  feature({
    wire: features.sms,
    open: (services) => ({
      handlers: smsHandlers(services, timeMs),
      jobs: [smsJob(services, timeMs), tryJob(services, timeMs)],
    }),
  })

export const sms = smsWithin(usualSmsMs)

const testCode = '000000'
const minuteMs = 60_000

function smsHandlers({ queue, secrets }: Services, timeMs: number) {
  return implement(features.sms.calls, {
    async setSmsSecret(context, { secret }) {
      await storeSecret(context.tx, secrets, smsSecretName, secret)
      context.audit({ set: secret !== '' })
      return {}
    },

    async getSmsStatus({ db, request, ...context }) {
      const { accountId, settings } = actorOf({ db, request, ...context })
      const own = await db.selectFrom('account').select('phone').where('id', '=', accountId).executeTakeFirst()
      return {
        ready: isSmsSetUp(settings),
        hasSecret: await hasSecret(db, smsSecretName),
        own: own?.phone ?? '',
        ...(await outboxStatus(db, posting.name, smsProblemText, localeOf(request))),
      }
    },

    async sendTestSms(context, { phone: written }) {
      if (!isSmsSetUp(actorOf(context).settings)) fail('smsNotSetUp')
      const phone = mobileOf(written) ?? fail('invalidMobileNumber')
      const job = { id: randomUUID(), phone, code: testCode, until: context.now + minuteMs }
      const key = await context.db.transaction().execute((tx) => enqueue({ tx, now: context.now }, trying, job))
      const ended = await whileAsked(context, (gone) =>
        queue.waitFor(trying, key, AbortSignal.any([gone, AbortSignal.timeout(timeMs + 5000)])),
      ).catch(() => undefined)
      const { problem, said } = ended?.result ?? { problem: 'silent', said: '' }
      const code = problem === '' ? undefined : 'smsNotSent'
      // Recorded after the attempt, with its outcome.
      await context.commit(async (write) => write.audit({ to: phone, ...(code && { refused: code }) }))
      if (code !== undefined) fail(code, smsProblemText(problem, said))
      return {}
    },
  })
}
