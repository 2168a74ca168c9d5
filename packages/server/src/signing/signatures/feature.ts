// Feature: signatures and seals.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { signatureHandlers } from './handlers.ts'
import { signatureTables } from './tables.ts'

export const signatures = feature({
  wire: features.signatures,
  tables: signatureTables,
  open: () => ({ handlers: signatureHandlers }),
})
