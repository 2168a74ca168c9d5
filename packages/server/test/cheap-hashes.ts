// Tests sign people in by the thousand, and none of them is about how long a guess takes: their hashes cost next to
// nothing. Servers that run as processes of their own, and passwords.test.ts, hash as the product does.
import type * as crypto from 'node:crypto'
import { vi } from 'vitest'

vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof crypto>()
  const argon2: typeof original.argon2 = (algorithm, parameters, callback) =>
    original.argon2(algorithm, { ...parameters, memory: 8, passes: 1 }, callback)
  return { ...original, default: { ...original, argon2 }, argon2 }
})
