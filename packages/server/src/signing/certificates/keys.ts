// The keys that people sign with. A person gets a certificate when they first sign, and another one when it has expired
// or was revoked.
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Secrets, seal, unseal } from '../../core/secrets.ts'
import type { SigningKey } from './cades-signer.ts'
import { type Issued, issueCertificate, readCertificate } from './issue.ts'
import { listPath } from './list-path.ts'

type Sealing = Pick<Secrets, 'signingKey'>

/** Each key is sealed for its own purpose, so that one cannot be put in the place of another. */
const purposeOf = (serial: string): string => `sign-key ${serial}`

/** Seals a key for the database. */
export const sealKey = (secrets: Sealing, { key, serial }: Issued): string =>
  seal(secrets, purposeOf(serial), key.toString('base64'))

export const unsealKey = (secrets: Sealing, { sealed_key, serial }: Pick<Row, 'sealed_key' | 'serial'>): Buffer =>
  Buffer.from(unseal(secrets, purposeOf(serial), sealed_key), 'base64')

interface Row {
  readonly id: number
  readonly serial: string
  readonly certificate: Buffer
  readonly sealed_key: string
  readonly not_before: number
  readonly not_after: number
  readonly chain: Buffer[]
}

const columns = sql`id, serial, certificate, sealed_key, not_before, not_after, chain`

/** The authority that issues now. Refused with words that say what to do where there is none. */
export async function currentAuthority(db: Db, now: number): Promise<Row> {
  const { rows } = await sql<Row>`
    select ${columns} from sign_certificate
    where kind = 'authority' and is_current and revoked_at is null`.execute(db)
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

/** A key that is stored already. */
const storedKey = (secrets: Sealing, row: Row, above: readonly Buffer[]): UsableKey => ({
  key: { key: unsealKey(secrets, row), chain: [row.certificate, ...above] },
  async store(tx) {
    // Refused if it was revoked meanwhile.
    const still = await sql`
      select 1 from sign_certificate where id = ${row.id} and revoked_at is null for share`.execute(tx)
    return still.rows.length > 0 ? row.id : fail('fileConflict')
  },
})

/** The imported certificate of the company, by which its seals sign; undefined without one that is valid now. */
export async function companyKey(db: Db, secrets: Sealing, now: number): Promise<UsableKey | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from sign_certificate
    where kind = 'company' and is_current and revoked_at is null and not_before <= ${now} and not_after > ${now}`.execute(
    db,
  )
  return rows[0] === undefined ? undefined : storedKey(secrets, rows[0], rows[0].chain)
}

/**
 * The key of a person: that of the certificate they imported as long as it is valid, or else one issued by the company.
 * Somebody without an account signs once with a key that is not kept. A new key takes a moment of computing, so this is
 * called outside a transaction.
 */
export async function keyOf(
  db: Db,
  secrets: Sealing,
  holder: { readonly accountId: number | null; readonly name: string; readonly mail: string },
  now: number,
  publicUrl: string | undefined,
): Promise<UsableKey> {
  const authority = await currentAuthority(db, now)
  const { rows } = await sql<Row & { kind: 'issued' | 'person' }>`
    select ${columns}, kind from sign_certificate
    where account_id = ${holder.accountId} and is_current and revoked_at is null and not_after > ${now}
      and not_before <= ${now} and (kind = 'person' or authority_id = ${authority.id})`.execute(db)
  const [row] = rows
  if (row?.kind === 'person') return storedKey(secrets, row, row.chain)
  const above = [authority.certificate, ...authority.chain]
  // A person who was renamed signs under the present name.
  if (row !== undefined && readCertificate(row.certificate).subject === holder.name)
    return storedKey(secrets, row, above)
  const issued = await issueCertificate(
    { certificate: authority.certificate, key: unsealKey(secrets, authority), notAfter: authority.not_after },
    holder,
    now,
    publicUrl === undefined ? undefined : `${publicUrl}${listPath(authority.id)}`,
  )
  return {
    key: { key: issued.key, chain: [issued.certificate, ...above] },
    async store(tx, at) {
      await sql`update sign_certificate set is_current = false where account_id = ${holder.accountId} and is_current`.execute(
        tx,
      )
      const sealed = holder.accountId === null ? '' : sealKey(secrets, issued)
      return insertCertificate(tx, issued, {
        ...{ kind: 'issued', authorityId: authority.id, accountId: holder.accountId, sealed, at },
      })
    },
  }
}

/** Stores a certificate with its sealed key. */
export async function insertCertificate(
  tx: Tx,
  { certificate, serial, notBefore, notAfter }: Issued,
  of: {
    readonly kind: 'authority' | 'issued' | 'person' | 'company'
    readonly chain?: readonly Buffer[]
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
      ...{ kind: of.kind, chain: sql<Buffer[]>`${[...(of.chain ?? [])]}::bytea[]` },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
