// Feature: rules for operations that need an approval.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { operationRuleHandlers } from './index.ts'
import { operationTables } from './tables.ts'

export const operationRules = feature({
  wire: features.operationRules,
  tables: operationTables,
  open: () => ({ handlers: operationRuleHandlers() }),
})
