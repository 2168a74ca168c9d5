// The password of all test users, and its hash: tests sign in thousands of people, and hardly any test is about the
// cost of hashing.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'

type Argon2 = typeof crypto.argon2

export const password = 'Test#2026'

/**
 * The product's hash function. A process that serves several projects loads this file once for each; the first one is
 * retained.
 */
export const hashAsProduct: Argon2 = (crypto.argon2 as Argon2 & { readonly first?: Argon2 }).first ?? crypto.argon2

const cheap = { memory: 8, passes: 1 }

/** A hash function at minimal cost. The stored form still names the product's parameters. */
export const hashCheaply: Argon2 = (algorithm, parameters, callback) =>
  hashAsProduct(algorithm, { ...parameters, ...cheap }, callback)

let how = hashAsProduct

/** Replaces the hash function until the end of the test file. */
export function hashBy(argon2: Argon2): void {
  how = argon2
}

// Files share one loaded server, and it holds this function.
const argon2: Argon2 = (algorithm, parameters, callback) => how(algorithm, parameters, callback)
Object.assign(crypto, { argon2: Object.assign(argon2, { first: hashAsProduct }) })
syncBuiltinESMExports()

/** The hash of the test password that every test can verify, whatever cost it hashes with. */
export async function storedPassword(): Promise<string> {
  const nonce = Buffer.alloc(16, 'template')
  const more = { ...cheap, parallelism: 1, tagLength: 32 }
  const hash = await promisify(hashAsProduct)('argon2id', { message: password, nonce, ...more })
  const { memory, passes, parallelism } = more
  return ['argon2id', memory, passes, parallelism, nonce.toString('base64'), hash.toString('base64')].join('$')
}
