// Feature: the user's own account.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { accountHandlers } from './index.ts'

export const account = feature({
  wire: features.account,
  open: () => ({ handlers: accountHandlers }),
})
