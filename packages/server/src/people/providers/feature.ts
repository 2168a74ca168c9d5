// Feature: sign-in providers.
import { features } from '@cloudoc/contract'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { identities } from '../auth/index.ts'
import { notifyOfEndingCertificates } from './certificate-ending.ts'
import { providerHandlers } from './index.ts'
import { ldapIdentity } from './ldap-identity.ts'
import { requestDueRuns, runJob } from './runs.ts'
import { refreshMetadata } from './saml-metadata.ts'
import { providersTables } from './tables.ts'

const dueEveryMs = 30_000
const dayMs = 24 * 60 * 60_000
const hourMs = 60 * 60_000

export const providers = feature({
  wire: features.providers,
  tables: providersTables,
  open: (services) => ({
    handlers: providerHandlers(services),
    contributions: [contribute(identities, ldapIdentity(services.secrets))],
    jobs: [runJob(services)],
    chores: [
      { name: 'due synchronizations', everyMs: dueEveryMs, run: () => requestDueRuns(services) },
      { name: 'certificates of SAML providers', everyMs: hourMs, run: () => notifyOfEndingCertificates(services) },
      { name: 'metadata of SAML providers', everyMs: dayMs, run: () => refreshMetadata(services) },
    ],
  }),
})
