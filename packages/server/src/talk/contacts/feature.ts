// Feature: contact groups.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { contactHandlers } from './index.ts'
import { contactTables } from './tables.ts'

export const talkContacts = feature({
  wire: features.talkContacts,
  tables: contactTables,
  open: () => ({ handlers: contactHandlers }),
})
