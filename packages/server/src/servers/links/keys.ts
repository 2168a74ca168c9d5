/*
 * Keys of servers: Ed25519, as base64url of the 32 bytes of the public key, which names a server in messages. The
 * private keys of this server are sealed in the database; the newest that is not retired is the current one.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from 'node:crypto'
import type { Db } from '../../core/db/database.ts'
import { type Secrets, seal, unseal } from '../../core/secrets.ts'

type Sealing = Pick<Secrets, 'signingKey'>

/** A key of this server, able to sign. */
export interface OwnKey {
  readonly publicKey: string
  sign(text: string): string
}

/** The start of an Ed25519 public key in SPKI (RFC 8410), before its 32 bytes. */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

const purposeOf = (publicKey: string): string => `server-key ${publicKey}`

const publicTextOf = (key: KeyObject): string =>
  key.export({ type: 'spki', format: 'der' }).subarray(spkiPrefix.length).toString('base64url')

/** The groups of digits that administrators compare: the first 96 bits of the hash of a key. */
export function fingerprintOf(publicKey: string): string {
  const digits = hash('sha256', Buffer.from(publicKey, 'base64url'), 'hex').slice(0, 24).toUpperCase()
  return (digits.match(/.{4}/g) ?? []).join(' ')
}

/** Whether the key has signed the text. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const spki = Buffer.concat([spkiPrefix, Buffer.from(publicKey, 'base64url')])
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

function open(secrets: Sealing, row: { readonly public_key: string; readonly sealed_key: string }): OwnKey {
  const key = createPrivateKey(unseal(secrets, purposeOf(row.public_key), row.sealed_key))
  return {
    publicKey: row.public_key,
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  }
}

/** Makes a key of this server, which becomes the current one. */
export async function makeKey(db: Db, secrets: Sealing, now: number): Promise<OwnKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const text = publicTextOf(publicKey)
  const sealed = seal(secrets, purposeOf(text), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const row = { public_key: text, sealed_key: sealed }
  await db
    .insertInto('server_key')
    .values({ ...row, created_at: now })
    .execute()
  return open(secrets, row)
}

/** The current key of this server. The first use makes one. */
export async function currentKey(db: Db, secrets: Sealing, now: number): Promise<OwnKey> {
  const row = await db
    .selectFrom('server_key')
    .select(['public_key', 'sealed_key'])
    .where('retired_at', 'is', null)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('public_key')
    .executeTakeFirst()
  return row === undefined ? makeKey(db, secrets, now) : open(secrets, row)
}

/** A key of this server that is not revoked, also a retired one: servers that know no newer one still use it. */
export async function ownKey(db: Db, secrets: Sealing, publicKey: string): Promise<OwnKey | undefined> {
  const row = await db
    .selectFrom('server_key')
    .select(['public_key', 'sealed_key'])
    .where('public_key', '=', publicKey)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row && open(secrets, row)
}
