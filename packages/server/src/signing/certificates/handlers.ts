// The calls of certificates: the authority of the company, and what it issued.
import { randomBytes } from 'node:crypto'
import { features, type SignCertificate } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { actorOf, whileAsked } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { makeAuthority, readCertificate } from './issue.ts'
import { insertCertificate, sealKey } from './keys.ts'
import { readPkcs12 } from './pkcs12.ts'
import { revocationList } from './revocation-list.ts'
import { TimeStampFailure, timeStamp } from './time-stamp.ts'

interface Row {
  readonly id: number
  readonly serial: string
  readonly certificate: Buffer
  readonly not_before: number
  readonly not_after: number
  readonly revoked_at: number | null
  readonly kind: SignCertificate['kind']
}

const columns = sql`id, serial, certificate, not_before, not_after, revoked_at, kind`
/** How long before its end a certificate is shown as ending soon. */
const soonMs = 30 * 24 * 60 * 60_000

const stateOf = ({ revoked_at, not_after }: Row, now: number): SignCertificate['state'] => {
  if (revoked_at !== null) return 'revoked'
  if (not_after <= now) return 'expired'
  return not_after <= now + soonMs ? 'ending' : 'valid'
}

function shown(row: Row, now: number): SignCertificate {
  const { subject, issuer, pem, algorithm } = readCertificate(row.certificate)
  return {
    ...{ certificateId: row.id, subject, issuer, serialNumber: row.serial, algorithm, pem },
    ...{ notBefore: row.not_before, notAfter: row.not_after, kind: row.kind, state: stateOf(row, now) },
  }
}

const read = async (db: Db, condition: RawBuilder<unknown>): Promise<Row[]> =>
  (await sql<Row>`select ${columns} from sign_certificate where ${condition}`.execute(db)).rows

export function certificateHandlers({ secrets, settings }: Pick<Services, 'secrets' | 'settings'>) {
  return implement(features.signCertificates.calls, {
    async getSignAuthority({ db, now }) {
      const [current] = await read(db, sql`kind = 'authority' and is_current`)
      const earlier = await read(db, sql`kind = 'authority' and not is_current order by id desc limit 50`)
      const [company] = await read(db, sql`kind = 'company' and is_current`)
      return {
        company: company === undefined ? null : shown(company, now),
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
        await sql`update sign_certificate set is_current = false where kind = 'authority' and is_current`.execute(tx)
        const certificateId = await insertCertificate(tx, issued, {
          ...{ kind: 'authority', authorityId: null, accountId: null, sealed: sealKey(secrets, issued), at: now },
        })
        write.audit({ certificateId })
        return { certificateId }
      })
    },

    async getSignCertificateList({ db, now }, { from, rows: most }) {
      const list = await read(db, sql`kind <> 'authority' order by id desc limit ${most} offset ${from}`)
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from sign_certificate where kind <> 'authority'`.execute(db)
      return { list: list.map((row) => shown(row, now)), total: rows[0]?.n ?? 0 }
    },

    async revokeSignCertificate(context, { certificateId }) {
      const { tx, now } = context
      const [row] = await read(tx, sql`id = ${certificateId} and kind <> 'authority' for update`)
      if (row === undefined) return fail('notFound')
      if (row.revoked_at !== null) return fail('alreadyHandled')
      await sql`
        update sign_certificate set revoked_at = ${now}, is_current = false, sealed_key = '' where id = ${certificateId}`.execute(
        tx,
      )
      context.audit({ certificateId })
      return {}
    },

    async importSignCertificate(context, { file, password }) {
      const made = await readPkcs12(Buffer.from(file, 'base64'), password, context.now)
      const kind = made.isAuthority ? 'authority' : 'company'
      return context.commit(async (write) => {
        const { tx, now } = write
        await sql`update sign_certificate set is_current = false where kind = ${kind} and is_current`.execute(tx)
        const certificateId = await insertCertificate(tx, made, {
          ...{ kind, authorityId: null, accountId: null, sealed: sealKey(secrets, made), chain: made.chain, at: now },
        })
        write.audit({ certificateId })
        return { certificateId, kind }
      })
    },

    async importMySignCertificate(context, { file, password }) {
      const { accountId, name } = actorOf(context)
      const made = await readPkcs12(Buffer.from(file, 'base64'), password, context.now)
      const { subject } = readCertificate(made.certificate)
      if (made.isAuthority || !subject.includes(name))
        return fail('certificateRefused', {
          zh: `证书属于“${subject}”，不是你（${name}）的个人证书`,
          en: `the certificate belongs to “${subject}” and is no personal certificate of ${name}`,
        })
      return context.commit(async (write) => {
        const { tx, now } = write
        await sql`
          update sign_certificate set is_current = false where account_id = ${accountId} and is_current`.execute(tx)
        const certificateId = await insertCertificate(tx, made, {
          ...{
            kind: 'person',
            authorityId: null,
            accountId,
            sealed: sealKey(secrets, made),
            chain: made.chain,
            at: now,
          },
        })
        write.audit({ certificateId })
        return { certificateId }
      })
    },

    async testTimeStamp(context) {
      const { sign_tsa_url: address } = (await settings.current()).inner
      if (address === '')
        return fail('badRequest', { zh: '还没有填写时间戳服务的地址', en: 'no time stamp service is set' })
      try {
        const { authority, time } = await whileAsked(context, (signal) => timeStamp(address, randomBytes(32), signal))
        return await context.commit(() => Promise.resolve({ authority, time }))
      } catch (error) {
        if (!(error instanceof TimeStampFailure)) throw error
        return fail('timeStampFailed', {
          zh: `时间戳服务不可用：${error.message}`,
          en: `the time stamp service cannot be used: ${error.message}`,
        })
      }
    },

    async deleteMySignCertificate(context) {
      const { tx, now } = context
      const { rows } = await sql<{ id: number }>`
        update sign_certificate set is_current = false, revoked_at = ${now}, sealed_key = ''
        where account_id = ${actorOf(context).accountId} and kind = 'person' and is_current returning id`.execute(tx)
      const [row] = rows
      if (row === undefined) return fail('notFound')
      context.audit({ certificateId: row.id })
      return {}
    },

    async getRevocationList(context, { authorityId }) {
      const list = (await revocationList(context.db, secrets, authorityId, context.now)) ?? fail('notFound')
      await context.reply
        .headers({ 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' })
        .type('application/pkix-crl')
        .send(list)
    },

    async getMySignCertificate(context) {
      const [row] = await read(context.db, sql`account_id = ${actorOf(context).accountId} and is_current`)
      return { certificate: row === undefined ? null : shown(row, context.now) }
    },
  })
}
