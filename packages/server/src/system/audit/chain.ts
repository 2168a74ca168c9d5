/*
 * The hash chain of the audit. Each row is hashed with the previous hash; the end of the chain is signed. The hashed
 * text is the row as jsonb written by PostgreSQL, which is unique for a value.
 */
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'

/** The hash before the first row. */
export const noHash = Buffer.alloc(32)

/** The hashed text of a row of `audit a`. */
export const rowText = sql<string>`jsonb_build_array(a.id, a.at, a.account_id, a.outsider, a.call, a.address,
  to_jsonb(a.items), a.detail)::text`

/** The acting account of a row of `audit a`; for a sign-in only its detail names the account. */
export const rowAccount = sql<number | null>`coalesce(a.account_id, (a.detail ->> 'accountId')::bigint)`

export function hashOf(before: Buffer, text: string): Buffer {
  return hash('sha256', Buffer.concat([before, Buffer.from(text)]), 'buffer')
}

/** A signed end of the chain at some moment. */
export interface Head {
  readonly seq: number
  readonly hash: Buffer
  readonly settled: number
  readonly at: number
  readonly signature: Buffer
}

const signed = ({ seq, hash: end, settled, at }: Omit<Head, 'signature'>): Buffer =>
  Buffer.from(`cloudoc audit ${seq} ${end.toString('hex')} ${settled} ${at}`)

export interface AuditKeys {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** The signing keys of heads; the first start creates them (core/secrets.ts). */
export async function loadAuditKeys(db: Db): Promise<AuditKeys> {
  const { value } = await db.selectFrom('secret').select('value').where('name', '=', 'audit').executeTakeFirstOrThrow()
  const privateKey = createPrivateKey(value)
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** The form of a head in files and exports. */
export interface WrittenHead extends Omit<Head, 'hash' | 'signature'> {
  readonly hash: string
  readonly signature: string
}

export function writtenHead({ seq, hash: end, settled, at, signature }: Head): WrittenHead {
  return { seq, hash: end.toString('hex'), settled, at, signature: signature.toString('base64') }
}

export function readHead({ hash: end, signature, ...head }: WrittenHead): Head {
  return { ...head, hash: Buffer.from(end, 'hex'), signature: Buffer.from(signature, 'base64') }
}

export const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' })

export function signHead(head: Omit<Head, 'signature'>, { privateKey }: AuditKeys): Head {
  return { ...head, signature: sign(null, signed(head), privateKey) }
}

export function isSigned(head: Head, publicKey: KeyObject): boolean {
  return verify(null, signed(head), publicKey, head.signature)
}
