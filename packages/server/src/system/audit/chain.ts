/*
 * The chain of the audit. Each row is hashed with the hash before it; the end of the chain is signed. What is hashed is the
 * row as PostgreSQL writes it as jsonb, which is one text for one value.
 */
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'

/** Before the first row. */
export const noHash = Buffer.alloc(32)

/** The text of a row of `audit a` that its hash is made of. */
export const rowText = sql<string>`jsonb_build_array(a.id, a.at, a.account_id, a.outsider, a.call, a.address,
  to_jsonb(a.items), a.detail)::text`

/** Whose doing a row of `audit a` is found by: who signed in is known only by what the row says. */
export const rowAccount = sql<number | null>`coalesce(a.account_id, (a.detail ->> 'accountId')::bigint)`

export function hashOf(before: Buffer, text: string): Buffer {
  return hash('sha256', Buffer.concat([before, Buffer.from(text)]), 'buffer')
}

/** The signed end of the chain at some moment. */
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

/** The keys of heads; the first start makes them (core/secrets.ts). */
export async function loadAuditKeys(db: Db): Promise<AuditKeys> {
  const { value } = await db.selectFrom('secret').select('value').where('name', '=', 'audit').executeTakeFirstOrThrow()
  const privateKey = createPrivateKey(value)
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** A head as files and exports have it. */
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
