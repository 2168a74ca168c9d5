// Hand-over when a user leaves: nobody signs with their certificates any more. An imported one goes with its key, and one
// that the company issued is revoked. Signatures made before stay valid.
import { sql } from 'kysely'
import { idsOf, type Leaver } from '../../core/leavers.ts'

export const certificatesOf: Leaver = {
  kind: 'signCertificates',
  columns: ['sign_certificate.account_id'],
  async list(tx, { leaverId }) {
    const { rows } = await sql<{ id: number; name: string; detail: string }>`
      select id, subject as name, issuer as detail from sign_certificate
      where account_id = ${leaverId} and sealed_key <> '' order by id`.execute(tx)
    return { items: rows.map((row) => ({ ...row, outcome: 'ends' })) }
  },
  async carryOut({ tx, now }, { leaverId }, items) {
    await sql`
      update sign_certificate set is_current = false, sealed_key = '', revoked_at = coalesce(revoked_at, ${now})
      where account_id = ${leaverId} and id = any(${idsOf(items, 'ends')}::bigint[])`.execute(tx)
  },
}
