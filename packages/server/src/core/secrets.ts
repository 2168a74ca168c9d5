// Secrets shared by all processes of an installation. They are stored in the database, created on first use, and read
// once.
import {
  createCipheriv,
  createDecipheriv,
  generateKeyPairSync,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { Db } from './db/database.ts'

export interface Secrets {
  /** Signs download tickets and user JWTs. */
  readonly signingKey: Buffer
  /** PKCS#8 in PEM. Decrypts the input of loginInEncrypt. */
  readonly privateKey: string
  /** SPKI in PEM. */
  readonly publicKey: string
  /** Identifies this history of events. A restored database gets a new one, and clients then fetch again. */
  readonly epoch: string
  /** The number that names this installation in licence files; a restored database keeps it. */
  readonly installation: string
}

/** Loads the shared secrets. The first process of a new installation creates them. */
export async function loadSecrets(db: Db): Promise<Secrets> {
  const have = async () => new Map((await db.selectFrom('secret').selectAll().execute()).map((r) => [r.name, r.value]))
  let stored = await have()
  if (!stored.has('rsa-private')) {
    const pair = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    await db
      .insertInto('secret')
      .values([
        { name: 'rsa-private', value: pair.privateKey },
        { name: 'rsa-public', value: pair.publicKey },
        { name: 'signing', value: randomBytes(32).toString('base64') },
        { name: 'epoch', value: randomBytes(9).toString('base64url') },
      ])
      .onConflict((c) => c.doNothing())
      .execute()
    stored = await have()
  }
  if (!stored.has('installation')) {
    const value = randomBytes(8)
      .toString('hex')
      .toUpperCase()
      .replace(/(.{4})(?=.)/g, '$1-')
    await db
      .insertInto('secret')
      .values({ name: 'installation', value })
      .onConflict((c) => c.doNothing())
      .execute()
    stored = await have()
  }
  if (!stored.has('audit')) {
    const { privateKey: value } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    await db
      .insertInto('secret')
      .values({ name: 'audit', value })
      .onConflict((c) => c.doNothing())
      .execute()
  }
  const read = (name: string): string => {
    const value = stored.get(name)
    if (value === undefined) throw new Error(`secret ${name} is missing`)
    return value
  }
  return {
    signingKey: Buffer.from(read('signing'), 'base64'),
    privateKey: read('rsa-private'),
    publicKey: read('rsa-public'),
    epoch: read('epoch'),
    installation: read('installation'),
  }
}

/** Compares two secrets in constant time. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hashToken(a), hashToken(b))
}

/** The hash of a token, as the database stores it: a stolen table signs nobody in. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

const nonceBytes = 12
const tagBytes = 16

const keyFor = ({ signingKey }: Pick<Secrets, 'signingKey'>, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', signingKey, '', purpose, 32))

/**
 * Encrypts a text that the server needs in plain, such as a password at another server. Each purpose has its own key.
 */
export function seal(secrets: Pick<Secrets, 'signingKey'>, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFor(secrets, purpose), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

/** Decrypts a text that was sealed for that purpose. Throws if it was not, or was altered. */
export function unseal(secrets: Pick<Secrets, 'signingKey'>, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secrets, purpose), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
}

/** Stores an external secret, such as a password at another server, encrypted. An empty one is removed. */
export async function storeSecret(
  tx: Db,
  secrets: Pick<Secrets, 'signingKey'>,
  name: string,
  secret: string,
): Promise<void> {
  await tx.deleteFrom('secret').where('name', '=', name).execute()
  if (secret === '') return
  await tx
    .insertInto('secret')
    .values({ name, value: seal(secrets, name, secret) })
    .execute()
}

/** The secret stored under that name. Empty if there is none. */
export async function readSecret(db: Db, secrets: Pick<Secrets, 'signingKey'>, name: string): Promise<string> {
  const row = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst()
  return row === undefined ? '' : unseal(secrets, name, row.value)
}

/** Whether a secret is stored under that name. */
export async function hasSecret(db: Db, name: string): Promise<boolean> {
  const row = await db.selectFrom('secret').select('name').where('name', '=', name).executeTakeFirst()
  return row !== undefined
}
