// Feature: sign-in providers.
import { features } from '@cloudoc/contract'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { identities } from '../auth/index.ts'
import { providerHandlers } from './index.ts'
import { ldapIdentity } from './ldap-identity.ts'
import { requestDueRuns, runJob } from './runs.ts'
import { providersTables } from './tables.ts'

const dueEveryMs = 30_000

export const providers = feature({
  wire: features.providers,
  tables: providersTables,
  open: (services) => ({
    handlers: providerHandlers(services),
    contributions: [contribute(identities, ldapIdentity(services.secrets))],
    jobs: [runJob(services)],
    chores: [{ name: 'due synchronizations', everyMs: dueEveryMs, run: () => requestDueRuns(services) }],
  }),
})
