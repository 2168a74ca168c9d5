// Outgoing mail as a feature: its jobs, and the calls for the administrator who configures it.
import { randomUUID } from 'node:crypto'
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { actorOf, whileAsked } from '../call/context.ts'
import { localeOf } from '../call/dispatcher.ts'
import { implement } from '../call/implement.ts'
import { feature } from '../feature.ts'
import { outboxStatus } from '../queue/outbox-status.ts'
import { enqueue } from '../queue/rows.ts'
import { hasSecret, storeSecret } from '../secrets.ts'
import type { Services } from '../services.ts'
import { isMailSetUp, mailJob, mailPasswordName, posting, trying, tryJob } from './index.ts'
import { problemText } from './problems.ts'
import { type MailTimes, usualMailTimes } from './smtp.ts'

const testMailCopy = {
  zh: { subject: '测试邮件', text: '这是一封测试邮件。你收到它，说明外发邮件已设置正确。' },
  en: { subject: 'Test mail', text: 'This is a test. That it has arrived says that mail is set up.' },
} as const

/** The feature with these timeouts for mail servers. */
export const mailWithin = (times: MailTimes) =>
  feature({
    wire: features.mail,
    open: (services) => ({
      handlers: mailHandlers(services, times),
      jobs: [mailJob(services, times), tryJob(services, times)],
    }),
  })

export const mail = mailWithin(usualMailTimes)

function mailHandlers({ queue, secrets }: Services, times: MailTimes) {
  return implement(features.mail.calls, {
    async setMailPassword(context, { password }) {
      await storeSecret(context.tx, secrets, mailPasswordName, password)
      context.audit({ set: password !== '' })
      return {}
    },

    async getMailStatus({ db, request, ...context }) {
      const { accountId, settings } = actorOf({ db, request, ...context })
      const own = await db.selectFrom('account').select('email').where('id', '=', accountId).executeTakeFirst()
      return {
        ready: isMailSetUp(settings),
        hasPassword: await hasSecret(db, mailPasswordName),
        own: own?.email ?? '',
        ...(await outboxStatus(db, posting.name, problemText, localeOf(request))),
      }
    },

    async sendTestMail(context, { to }) {
      const locale = localeOf(context.request)
      if (!isMailSetUp(actorOf(context).settings)) fail('mailNotSetUp')
      const job = { id: randomUUID(), to, locale, ...testMailCopy[locale] }
      const key = await context.db.transaction().execute((tx) => enqueue({ tx, now: context.now }, trying, job))
      const ended = await whileAsked(context, (gone) =>
        queue.waitFor(trying, key, AbortSignal.any([gone, AbortSignal.timeout(times.wholeMs + 5000)])),
      ).catch(() => undefined)
      const { problem, said } = ended?.result ?? { problem: 'silent', said: '' }
      const code = problem === '' ? undefined : 'mailNotSent'
      // Recorded after the attempt, with its outcome.
      await context.commit(async (write) => write.audit({ to, ...(code && { refused: code }) }))
      if (code !== undefined) fail(code, problemText(problem, said))
      return {}
    },
  })
}
