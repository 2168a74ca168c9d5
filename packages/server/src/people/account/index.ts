// What users manage of their own account: profile, sessions, visitor password, second factor.
import { features } from '@cloudoc/contract'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { profileHandlers } from './profile.ts'
import { secondFactorHandlers } from './second-factor.ts'
import { sessionHandlers } from './sessions.ts'
import { visitorHandlers } from './visitor.ts'

export const accountHandlers = (services: Pick<Services, 'secrets'>) =>
  implement(features.account.calls, {
    ...profileHandlers,
    ...sessionHandlers,
    ...visitorHandlers,
    ...secondFactorHandlers(services),
  })
