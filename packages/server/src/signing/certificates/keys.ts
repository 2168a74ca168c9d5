// The keys that people sign with. A person gets a certificate when they first sign, and another one when it has expired
// or was revoked.
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Secrets, seal, unseal } from '../../core/secrets.ts'
import type { SigningKey } from './cades-signer.ts'
import { type Issued, issueCertificate, readCertificate } from './issue.ts'

type Sealing = Pick<Secrets, 'signingKey'>

/** Each key is sealed for its own purpose, so that one cannot be put in the place of another. */
const purposeOf = (serial: string): string => `sign-key ${serial}`

/** Seals a key for the database. */
export const sealKey = (secrets: Sealing, { key, serial }: Issued): string =>
  seal(secrets, purposeOf(serial), key.toString('base64'))

const unsealKey = (secrets: Sealing, { sealed_key, serial }: Pick<Row, 'sealed_key' | 'serial'>): Buffer =>
  Buffer.from(unseal(secrets, purposeOf(serial), sealed_key), 'base64')

interface Row {
  readonly id: number
  readonly serial: string
  readonly certificate: Buffer
  readonly sealed_key: string
  readonly not_before: number
  readonly not_after: number
}

/** The authority that issues now. Refused with words that say what to do where there is none. */
export async function currentAuthority(db: Db, now: number): Promise<Row> {
  const { rows } = await sql<Row>`
    select id, serial, certificate, sealed_key, not_before, not_after from sign_certificate
    where authority_id is null and is_current and revoked_at is null`.execute(db)
  const [row] = rows
  if (row === undefined || row.not_after <= now)
    return fail('noPermission', {
      zh: '公司还没有可用的签署证书机构，请管理员在“签署”管理页创建',
      en: 'the company has no authority of certificates that is valid: an administrator makes one on the page “Signing”',
    })
  return row
}

/** A key to sign with, which is stored with the signature if it is new. */
export interface UsableKey {
  readonly key: SigningKey
  /** Stores a new certificate. Returns its id, or that of the one stored before. */
  store(tx: Tx, now: number): Promise<number>
}

/**
 * The key of a person. Somebody without an account signs once with a key that is not kept. Makes one if they have none that is valid; that takes a moment of computing, so it is called
 * outside a transaction.
 */
export async function keyOf(
  db: Db,
  secrets: Sealing,
  holder: { readonly accountId: number | null; readonly name: string; readonly mail: string },
  now: number,
): Promise<UsableKey> {
  const authority = await currentAuthority(db, now)
  const { rows } = await sql<Row>`
    select id, serial, certificate, sealed_key, not_before, not_after from sign_certificate
    where account_id = ${holder.accountId} and is_current and revoked_at is null and not_after > ${now}
      and authority_id = ${authority.id}`.execute(db)
  const [row] = rows
  // A person who was renamed signs under the present name.
  if (row !== undefined && readCertificate(row.certificate).subject === holder.name) {
    return {
      key: { key: unsealKey(secrets, row), chain: [row.certificate, authority.certificate] },
      async store(tx) {
        // Refused if it was revoked meanwhile.
        const still = await sql`
          select 1 from sign_certificate where id = ${row.id} and revoked_at is null for share`.execute(tx)
        return still.rows.length > 0 ? row.id : fail('fileConflict')
      },
    }
  }
  const issued = await issueCertificate(
    { certificate: authority.certificate, key: unsealKey(secrets, authority), notAfter: authority.not_after },
    holder,
    now,
  )
  return {
    key: { key: issued.key, chain: [issued.certificate, authority.certificate] },
    async store(tx, at) {
      await sql`update sign_certificate set is_current = false where account_id = ${holder.accountId} and is_current`.execute(
        tx,
      )
      const sealed = holder.accountId === null ? '' : sealKey(secrets, issued)
      return insertCertificate(tx, issued, {
        ...{ authorityId: authority.id, accountId: holder.accountId, sealed, at },
      })
    },
  }
}

/** Stores a certificate with its sealed key. */
export async function insertCertificate(
  tx: Tx,
  { certificate, serial, notBefore, notAfter }: Issued,
  of: {
    readonly authorityId: number | null
    readonly accountId: number | null
    readonly sealed: string
    readonly at: number
  },
): Promise<number> {
  const { subject, issuer } = readCertificate(certificate)
  const { id } = await tx
    .insertInto('sign_certificate')
    .values({
      ...{ authority_id: of.authorityId, account_id: of.accountId, subject, issuer, serial, certificate },
      ...{ sealed_key: of.sealed, not_before: notBefore, not_after: notAfter, created_at: of.at, is_current: true },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
