// Feature: rules for operations that need an approval.
import { features } from '@cloudoc/contract'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { approverSources } from '../review/index.ts'
import { operationApprovers } from './approvers.ts'
import { operationRuleHandlers } from './index.ts'
import { operationTables } from './tables.ts'

export const operationRules = feature({
  wire: features.operationRules,
  tables: operationTables,
  open: () => ({
    handlers: operationRuleHandlers(),
    contributions: [contribute(approverSources, operationApprovers)],
  }),
})
