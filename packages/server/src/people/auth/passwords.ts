// argon2id (RFC 9106), with bounded concurrency: a wave of sign-ins waits in line instead of taking all memory.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** 19 MiB, two passes: the floor that OWASP names for argon2id. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1, tagLength: 32 } as const
const atOnce = 2

let running = 0
const waiting: (() => void)[] = []

async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

function hashWith(password: string, nonce: Buffer, parameters: typeof cost): Promise<Buffer> {
  return limited(() => derive('argon2id', { message: Buffer.from(password.normalize('NFKC')), nonce, ...parameters }))
}

/** The stored form: `argon2id$memory$passes$parallelism$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await hashWith(password, salt, cost)
  return `argon2id$${cost.memory}$${cost.passes}$${cost.parallelism}$${salt.toString('base64')}$${hash.toString('base64')}`
}

/** Compares in constant time. An unknown account is compared too, with `undefined`, and takes as long. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, , , , salt, hash] = (stored ?? absent).split('$')
  const expected = Buffer.from(hash ?? '', 'base64')
  const actual = await hashWith(password, Buffer.from(salt ?? '', 'base64'), cost)
  return stored !== undefined && expected.length === actual.length && timingSafeEqual(expected, actual)
}

const absent = `argon2id$${cost.memory}$${cost.passes}$${cost.parallelism}$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`
