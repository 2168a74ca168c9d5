// argon2id (RFC 9106) with bounded concurrency: a burst of sign-ins is queued instead of taking all memory.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

interface Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** 19 MiB, two passes: the minimum that OWASP recommends for argon2id. */
const cost: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const tagLength = 32
/** Number of hashes computed concurrently: half of the threads used for file I/O. */
export const hashConcurrency = 2

let free = hashConcurrency
const waiting: (() => void)[] = []

/** A finished task hands its slot directly to the next in the queue, so that no other task can take it. */
async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
}

function hashWith(password: string, nonce: Buffer, { memory, passes, parallelism }: Cost): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'))
  return limited(() => derive('argon2id', { message, nonce, memory, passes, parallelism, tagLength }))
}

const stored = (salt: Buffer, hash: Buffer): string =>
  ['argon2id', cost.memory, cost.passes, cost.parallelism, salt.toString('base64'), hash.toString('base64')].join('$')

/** Returns the stored form: `argon2id$memory$passes$parallelism$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return stored(salt, await hashWith(password, salt, cost))
}

/**
 * Compares in constant time, with the cost parameters of the stored form. For an unknown account, `known` is
 * `undefined`; the comparison runs anyway and takes as long.
 */
export async function verifyPassword(password: string, known: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', hash = ''] = (known ?? absent).split('$')
  const expected = Buffer.from(hash, 'base64')
  const actual = await hashWith(password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return known !== undefined && expected.length === actual.length && timingSafeEqual(expected, actual)
}

const absent = stored(Buffer.alloc(16), Buffer.alloc(tagLength))
