// The password of everybody in tests, and how it is hashed: people are signed in by the thousand, and hardly a test is
// about how long a guess takes.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'

type Argon2 = typeof crypto.argon2

export const password = 'Test#2026'

/** As the product does. A process that serves several projects loads this once for each: it keeps what was there first. */
export const hashAsProduct: Argon2 = (crypto.argon2 as Argon2 & { readonly first?: Argon2 }).first ?? crypto.argon2

const cheap = { memory: 8, passes: 1 }

/** At next to no cost; the stored form still names what the product asked for. */
export const hashCheaply: Argon2 = (algorithm, parameters, callback) =>
  hashAsProduct(algorithm, { ...parameters, ...cheap }, callback)

let how = hashAsProduct

/** Up to the end of the test file. */
export function hashBy(argon2: Argon2): void {
  how = argon2
}

// Files share a server that has been loaded, and it this function.
const argon2: Argon2 = (algorithm, parameters, callback) => how(algorithm, parameters, callback)
Object.assign(crypto, { argon2: Object.assign(argon2, { first: hashAsProduct }) })
syncBuiltinESMExports()

/** A stored form of the password that every test can check, at whatever cost it hashes. */
export async function storedPassword(): Promise<string> {
  const nonce = Buffer.alloc(16, 'template')
  const more = { ...cheap, parallelism: 1, tagLength: 32 }
  const hash = await promisify(hashAsProduct)('argon2id', { message: password, nonce, ...more })
  const { memory, passes, parallelism } = more
  return ['argon2id', memory, passes, parallelism, nonce.toString('base64'), hash.toString('base64')].join('$')
}
