// The concurrency limit of password hashing: hashes take memory and CPU, so a burst of sign-ins is queued.
import { beforeEach, expect, test, vi } from 'vitest'
import { openWorld, password } from '../../../test/harness.ts'
import { hashAsProduct, hashBy } from '../../../test/passwords.ts'
import { hashConcurrency, hashPassword, verifyPassword } from './passwords.ts'

/** Statistics of the hashes. Each hash is computed first and its result is delivered later. */
const hashes = {
  running: 0,
  most: 0,
  done: 0,
  /** While defined, results of computed hashes are held back here. */
  held: undefined as (() => void)[] | undefined,
}

hashBy((algorithm, parameters, callback) => {
  hashes.running += 1
  hashes.most = Math.max(hashes.most, hashes.running)
  hashAsProduct(algorithm, parameters, (error, hash) => {
    const answer = (): void => {
      hashes.running -= 1
      hashes.done += 1
      callback(error, hash)
    }
    if (hashes.held === undefined) answer()
    else hashes.held.push(answer)
  })
})

beforeEach(() => {
  Object.assign(hashes, { running: 0, most: 0, done: 0, held: undefined })
})

const logins = 20

test('[R014] of 20 logins at once no more passwords are hashed than are allowed, and other calls are answered meanwhile', async () => {
  const world = await openWorld({ connections: logins })
  const anna = await world.person('anna')
  Object.assign(hashes, { most: 0, done: 0, held: [] })
  let answered = 0
  const answers = Array.from({ length: logins }, async () => {
    const wire = await world.wire('login3', { userName: 'anna', password, clientType: 7 })
    answered += 1
    return wire.code
  })
  await vi.waitFor(() => expect(hashes.held?.length).toBeGreaterThanOrEqual(hashConcurrency), { timeout: 120_000 })
  // Calls that read, write and transfer content. There are as many as logins, so they outlast the hashing.
  for (let n = 0; n < logins; n += 1) {
    expect((await anna.call('getMyAccountInfo', {})).account).toBe(anna.account)
    const fileId = await anna.upload(anna.library, `${n}.txt`, `content ${n}`)
    expect((await anna.download(fileId)).body).toBe(`content ${n}`)
  }
  expect({ answered, running: hashes.running, held: hashes.held?.length }).toEqual({
    answered: 0,
    running: hashConcurrency,
    held: hashConcurrency,
  })
  const { held = [] } = hashes
  hashes.held = undefined
  for (const answer of held) answer()
  expect(await Promise.all(answers)).toEqual(answers.map(() => 'success'))
  expect({ most: hashes.most, done: hashes.done }).toEqual({ most: hashConcurrency, done: logins })
})

test('a hash that fails gives its place to the next in line', async () => {
  const known = await hashPassword(password)
  // A number of passes that argon2 rejects.
  const broken = known.replace(/^argon2id\$(\d+)\$\d+/, 'argon2id$$$1$$0')
  const failures = await Promise.allSettled(Array.from({ length: 4 }, () => verifyPassword(password, broken)))
  expect(failures.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'))
  expect(await verifyPassword(password, known)).toBe(true)
})
