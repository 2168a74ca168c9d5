// The further ways to sign in, and which of them the login page offers.
import { features } from '@cloudoc/contract'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { isSmsSetUp } from '../../core/sms/index.ts'
import { enabledProviders } from '../providers/index.ts'
import { externalTokenHandlers } from './external-token.ts'
import { qrLoginHandlers } from './qr-login.ts'
import { smsLoginHandlers } from './sms-login.ts'

export function waysHandlers(services: Pick<Services, 'settings' | 'secrets'>) {
  return implement(features.ways.calls, {
    ...smsLoginHandlers(services),
    ...qrLoginHandlers(services),
    ...externalTokenHandlers(services),

    async getSignInWays({ db }) {
      const setting = await services.settings.current()
      const { inner } = setting
      const hasSms = isSmsSetUp(setting)
      const providers = await enabledProviders(db)
      return {
        providers: providers.flatMap(({ id, name, settings }) => {
          const { kind } = settings
          if (kind === 'scim') return []
          const domains = kind === 'ldap' ? [] : settings.domains.map((domain) => domain.toLowerCase())
          return [{ ...{ providerId: id, name, kind }, domains }]
        }),
        sms: hasSms && inner.login_by_sms,
        qr: inner.login_by_qr,
        trial: hasSms && inner.trial_accounts,
        quick: setting.setting.local_edit,
        passkeys: (await db.selectFrom('passkey').select('id').limit(1).executeTakeFirst()) !== undefined,
      }
    },
  })
}
