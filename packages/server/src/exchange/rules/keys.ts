/*
 * The keys by which networks know each other. Each server has one at a time: an Ed25519 key that signs messages,
 * bundles and receipts, and an age key that bundles for it are encrypted with. Administrators hand the public text over
 * and compare its fingerprint.
 *
 *   cloudoc-exchange-key:<Ed25519 public key, base64url>:<age recipient>
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { fail } from '@cloudoc/domain'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { type Secrets, seal, unseal } from '../../core/secrets.ts'
import type { PeerKey } from './tables.ts'

const prefix = 'cloudoc-exchange-key'
const form = /^cloudoc-exchange-key:([\w-]{43}):(age1[0-9a-z]{40,120})$/
const purpose = 'exchange-key'
/** How long a retired key still opens bundles. */
export const retiredKeyMs = 7 * 24 * 60 * 60_000
/** The start of an Ed25519 public key in SPKI. */
const spki = Buffer.from('302a300506032b6570032100', 'hex')

/** The public key of a network, read from its text. */
export interface PublicKey {
  readonly text: string
  readonly fingerprint: string
  readonly signing: string
  readonly recipient: string
}

/** Reads the text of a public key; undefined if it is none. */
export function readPublicKey(text: string): PublicKey | undefined {
  const [, signing, recipient] = form.exec(text.trim()) ?? []
  if (signing === undefined || recipient === undefined) return undefined
  const whole = `${prefix}:${signing}:${recipient}`
  return { text: whole, fingerprint: fingerprintOf(whole), signing, recipient }
}

/** The fingerprint that administrators compare: four groups of four characters. */
export function fingerprintOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex').slice(0, 16).toUpperCase()
  return hex.replace(/(.{4})(?=.)/g, '$1-')
}

/** The key of this server. */
export interface OwnKey extends PublicKey {
  readonly id: number
  readonly createdAt: number
  readonly retiredAt: number | null
  /** The age identity. */
  readonly identity: string
  sign(text: string): string
}

type Sealing = Pick<Secrets, 'signingKey'>

interface Row {
  readonly id: number
  readonly public_text: string
  readonly sealed: string
  readonly created_at: number
  readonly retired_at: number | null
}

function opened(secrets: Sealing, row: Row): OwnKey {
  const key = readPublicKey(row.public_text)
  if (key === undefined) throw new Error('a key of the exchange cannot be read')
  const { signing, identity } = JSON.parse(unseal(secrets, purpose, row.sealed)) as Record<string, string>
  const privateKey = createPrivateKey({ key: Buffer.from(signing ?? '', 'base64'), format: 'der', type: 'pkcs8' })
  return {
    ...key,
    ...{ id: row.id, createdAt: row.created_at, retiredAt: row.retired_at, identity: identity ?? '' },
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  }
}

/** The present key of this server; made when it is first needed. */
export async function ownKey(db: Db, secrets: Sealing, now: number): Promise<OwnKey> {
  const find = async () => (await ownKeys(db, secrets)).find(({ retiredAt }) => retiredAt === null)
  const found = await find()
  if (found !== undefined) return found
  await addKey(db, secrets, now)
  return (await find()) ?? fail('serverException')
}

/** All keys of this server, the newest first: older ones open bundles that were made for them. */
export async function ownKeys(db: Db, secrets: Sealing): Promise<OwnKey[]> {
  const { rows } = await sql<Row>`
    select id, public_text, sealed, created_at, retired_at from exchange_key order by id desc limit 20`.execute(db)
  return rows.map((row) => opened(secrets, row))
}

/** Makes a new key, if none is in use. */
export async function addKey(db: Db, secrets: Sealing, now: number): Promise<void> {
  const pair = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  const identity = await generateX25519Identity()
  const signing = pair.publicKey.subarray(spki.length).toString('base64url')
  const text = `${prefix}:${signing}:${await identityToRecipient(identity)}`
  const sealed = seal(secrets, purpose, JSON.stringify({ signing: pair.privateKey.toString('base64'), identity }))
  await sql`
    insert into exchange_key (public_text, fingerprint, sealed, created_at)
    values (${text}, ${fingerprintOf(text)}, ${sealed}, ${now})
    on conflict do nothing`.execute(db)
}

/** Whether a text was signed with the key that this public key belongs to. */
export function isSignedBy({ signing }: Pick<PublicKey, 'signing'>, text: string, signature: string): boolean {
  const key = createPublicKey({
    key: Buffer.concat([spki, Buffer.from(signing, 'base64url')]),
    format: 'der',
    type: 'spki',
  })
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
}

/** The present key of another network. */
export function peerKeyOf(keys: readonly PeerKey[]): PublicKey | undefined {
  return readPublicKey(keys[0]?.text ?? '')
}
