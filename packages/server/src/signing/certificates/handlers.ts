// The calls of certificates: the authority of the company, and what it issued.
import { features, type SignCertificate } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { makeAuthority, readCertificate } from './issue.ts'
import { insertCertificate, sealKey } from './keys.ts'

interface Row {
  readonly id: number
  readonly serial: string
  readonly certificate: Buffer
  readonly not_before: number
  readonly not_after: number
  readonly revoked_at: number | null
}

const columns = sql`id, serial, certificate, not_before, not_after, revoked_at`

function shown(row: Row, now: number): SignCertificate {
  const { subject, issuer, pem, algorithm } = readCertificate(row.certificate)
  return {
    ...{ certificateId: row.id, subject, issuer, serialNumber: row.serial, algorithm, pem },
    ...{ notBefore: row.not_before, notAfter: row.not_after },
    state: row.revoked_at !== null ? 'revoked' : row.not_after <= now ? 'expired' : 'valid',
  }
}

const read = async (db: Db, condition: RawBuilder<unknown>): Promise<Row[]> =>
  (await sql<Row>`select ${columns} from sign_certificate where ${condition}`.execute(db)).rows

export function certificateHandlers({ secrets }: Pick<Services, 'secrets'>) {
  return implement(features.signCertificates.calls, {
    async getSignAuthority({ db, now }) {
      const [current] = await read(db, sql`authority_id is null and is_current`)
      const earlier = await read(db, sql`authority_id is null and not is_current order by id desc limit 50`)
      return {
        authority: current === undefined ? null : shown(current, now),
        earlier: earlier.map((row) => shown(row, now)),
      }
    },

    async createSignAuthority(context, { name, years }) {
      const company = name.trim()
      if (company === '') return fail('badRequest', { zh: '请填写公司名称', en: 'name: the name of the company' })
      const issued = await makeAuthority(company, years, context.now)
      return context.commit(async (write) => {
        const { tx, now } = write
        await sql`update sign_certificate set is_current = false where authority_id is null and is_current`.execute(tx)
        const certificateId = await insertCertificate(tx, issued, {
          ...{ authorityId: null, accountId: null, sealed: sealKey(secrets, issued), at: now },
        })
        write.audit({ certificateId })
        return { certificateId }
      })
    },

    async getSignCertificateList({ db, now }, { from, rows: most }) {
      const list = await read(db, sql`authority_id is not null order by id desc limit ${most} offset ${from}`)
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from sign_certificate where authority_id is not null`.execute(db)
      return { list: list.map((row) => shown(row, now)), total: rows[0]?.n ?? 0 }
    },

    async revokeSignCertificate(context, { certificateId }) {
      const { tx, now } = context
      const [row] = await read(tx, sql`id = ${certificateId} and authority_id is not null for update`)
      if (row === undefined) return fail('notFound')
      if (row.revoked_at !== null) return fail('alreadyHandled')
      await sql`
        update sign_certificate set revoked_at = ${now}, is_current = false, sealed_key = '' where id = ${certificateId}`.execute(
        tx,
      )
      context.audit({ certificateId })
      return {}
    },

    async getMySignCertificate(context) {
      const [row] = await read(context.db, sql`account_id = ${actorOf(context).accountId} and is_current`)
      return { certificate: row === undefined ? null : shown(row, context.now) }
    },
  })
}
