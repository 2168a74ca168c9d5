// Notices to security administrators before the last signing certificate of a SAML provider ends.
import { mainServerId } from '@cloudoc/domain'
import { personal, writeEvents } from '../../core/events.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import type { Services } from '../../core/services.ts'
import { securityAdministrators } from '../auth/index.ts'
import { enabledProviders } from './accounts.ts'
import { lastDayOf } from './saml.ts'

const dayMs = 24 * 60 * 60_000
/** Days before the end at which a notice is sent; the nearest one that is reached counts. */
const stages = [7, 30] as const
/** How long it is known that a notice was sent. */
const rememberedMs = 400 * dayMs

const told = oneTimeToken<Record<string, never>>('signingCertificateEnding')

/** Sends the notices that are due; each once, on whichever process comes first. */
export async function notifyOfEndingCertificates({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const at = now()
  for (const { id, name, settings } of await enabledProviders(db, 'saml')) {
    const until = lastDayOf(settings)
    const stage = stages.find((days) => until - at <= days * dayMs)
    if (stage === undefined || until === 0) continue
    await db.transaction().execute(async (tx) => {
      const key = `${id} ${until} ${stage}`
      if (!(await told.issueAs(tx, key, { value: {}, expiresAt: at + rememberedMs }))) return
      const payload = { serverId: mainServerId, providerId: id, providerName: name, until }
      await writeEvents(tx, [personal('signingCertificateEnding', await securityAdministrators(tx), payload)], at)
    })
  }
}
