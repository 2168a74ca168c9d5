// Feature: rules, groups and exports of conversations.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { talkAdministrationHandlers } from './index.ts'
import { talkAdministrationTables } from './tables.ts'

export const talkAdministration = feature({
  wire: features.talkAdministration,
  tables: talkAdministrationTables,
  open: (services) => ({ handlers: talkAdministrationHandlers(services) }),
})
