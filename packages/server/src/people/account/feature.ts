// Feature: the user's own account.
import { features } from '@cloudoc/contract'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { identities } from '../auth/index.ts'
import { accountHandlers } from './index.ts'
import { visitorIdentity } from './visitor.ts'

export const account = feature({
  wire: features.account,
  open: (services) => ({
    handlers: accountHandlers(services),
    contributions: [contribute(identities, visitorIdentity)],
  }),
})
