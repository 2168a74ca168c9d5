// Updates that must not be used: signed by another key, expired, older than what was seen, or cut.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkInstaller, checkList, nothingSeen, type Program, type UpdateMemory } from './update-check.ts'

const day = 24 * 60 * 60_000
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const pem = publicKey.export({ format: 'pem', type: 'spki' })
const program = (version: string): Program => ({
  ...{ packageId: 1, type: 'client', sys: 'windows', cpu: 'x64', version, size: 9 },
  sha256: createHash('sha256').update('installer').digest('hex'),
})
const listOf = (generation: number, version: string, time = 100 * day, key = privateKey) => {
  const signed = JSON.stringify({ generation, time, expires: time + 30 * day, programs: [program(version)] })
  return { signed, signature: sign(null, Buffer.from(signed), key).toString('base64') }
}
const check = (list: ReturnType<typeof listOf>, memory: UpdateMemory = nothingSeen, now = 100 * day) =>
  checkList(list, { publicKey: pem, memory, now })

test('[R373] a list counts by its key alone, and never goes back, also after it expired', () => {
  const first = check(listOf(5, '6.2.0'))
  expect([first.expired, first.programs[0]?.version]).toEqual([false, '6.2.0'])
  const other = generateKeyPairSync('ed25519').privateKey
  expect(() => check(listOf(5, '6.2.0', 100 * day, other))).toThrow('signature')
  const list = listOf(5, '6.2.0')
  expect(() => check({ ...list, signed: list.signed.replace('6.2.0', '6.3.0') })).toThrow('signature')
  expect(() => check(listOf(4, '6.2.0'), first.memory)).toThrow('olderList')
  expect(() => check(listOf(6, '6.1.9'), first.memory)).toThrow('olderVersion')
  const expired = check(listOf(6, '6.10.0'), first.memory, 131 * day)
  expect(expired.expired).toBe(true)
  expect(() => check(listOf(7, '6.9.0', 140 * day), expired.memory, 140 * day)).toThrow('olderVersion')
})

test('[R373] a wrong clock neither revives an expired list nor stops a fresh one', () => {
  const { memory } = check(listOf(6, '6.2.0', 200 * day))
  expect(check(listOf(6, '6.2.0'), memory, 100 * day).expired).toBe(true)
  expect(check(listOf(6, '6.2.0', 200 * day), memory, 197 * day).expired).toBe(false)
})

test('[R373] an installer that was cut or changed is deleted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'update-'))
  const path = join(folder, 'a.exe')
  await writeFile(path, 'installer')
  await checkInstaller(path, program('6.2.0'))
  for (const text of ['install', 'instaIIer']) {
    await writeFile(path, text)
    await expect(checkInstaller(path, program('6.2.0'))).rejects.toThrow('damaged')
    expect(existsSync(path)).toBe(false)
  }
  await rm(folder, { recursive: true })
})
