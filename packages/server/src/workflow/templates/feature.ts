// Feature: templates of workflows.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { templateHandlers } from './index.ts'
import { templateTables } from './tables.ts'

export const processTemplates = feature({
  wire: features.processTemplates,
  tables: templateTables,
  open: ({ settings }) => ({ handlers: templateHandlers(settings) }),
})
