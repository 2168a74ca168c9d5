// Feature: certificates of electronic signatures.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { feature } from '../../core/feature.ts'
import { mailOfEndingCertificates } from './ending.ts'
import { certificateHandlers } from './handlers.ts'
import { certificatesOf } from './leavers.ts'
import { certificateTables } from './tables.ts'

export const signCertificates = feature({
  wire: features.signCertificates,
  tables: certificateTables,
  checks: [
    {
      says: 'a certificate that signs has its key, and one that was revoked has none',
      broken: sql`
        select 'certificate ' || id as what from sign_certificate
        where (sealed_key = '') <> (revoked_at is not null or kind = 'issued' and account_id is null)`,
    },
  ],
  open: (services) => ({
    handlers: certificateHandlers(services),
    leavers: [certificatesOf],
    chores: [
      {
        name: 'certificates for signing that end soon',
        everyMs: 60 * 60_000,
        run: async () => {
          await mailOfEndingCertificates(services)
          return false
        },
      },
    ],
  }),
})
