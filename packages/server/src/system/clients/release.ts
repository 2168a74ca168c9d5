/*
 * The signed list of programs ([R372], [R373]): its generation grows with each change, so that a program notices an
 * older list, and it expires, so that one that is kept back is noticed as well (ADR 0292).
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Secrets, seal, unseal } from '../../core/secrets.ts'

type Sealing = Pick<Secrets, 'signingKey'>

/** The purpose for which the key of the list is sealed. */
const purpose = 'key of the list of programs'
const lifeMs = 30 * 24 * 60 * 60_000

interface Release {
  readonly privateKey: string
  readonly generation: number
}

/** Counts a change of the list. The key is made with the first one. */
export async function countChange(tx: Tx, secrets: Sealing): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const sealed = seal(secrets, purpose, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  await sql`insert into client_release (id, sealed_key, generation) values (1, ${sealed}, 1)
    on conflict (id) do update set generation = client_release.generation + 1`.execute(tx)
}

async function releaseOf(db: Db, secrets: Sealing): Promise<Release | undefined> {
  const row = await db.selectFrom('client_release').selectAll().executeTakeFirst()
  return row && { privateKey: unseal(secrets, purpose, row.sealed_key), generation: row.generation }
}

/** Signs a list; empty where nothing was ever published. */
export async function signed(
  db: Db,
  secrets: Sealing,
  programs: readonly object[],
  now: number,
): Promise<{ signed: string; signature: string; publicKey: string }> {
  const release = await releaseOf(db, secrets)
  if (release === undefined) return { signed: '', signature: '', publicKey: '' }
  const { privateKey, generation } = release
  const text = JSON.stringify({ generation, time: now, expires: now + lifeMs, programs })
  const key = createPrivateKey(privateKey)
  return {
    signed: text,
    signature: sign(null, Buffer.from(text), key).toString('base64'),
    publicKey: createPublicKey(key).export({ format: 'pem', type: 'spki' }),
  }
}
