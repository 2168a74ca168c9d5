import { gzipSync } from 'node:zlib'
import { codes } from '@cloudoc/domain'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { readVersionText } from './version-text.ts'

afterEach(() => vi.unstubAllGlobals())

const { signal } = new AbortController()
const sections = [{ kind: 'page', name: '1', text: '第一条' }]

// [R188] Comparing two versions shows how much has been read, and can be cancelled.
it('[R188] the words of a version tell how far they are read, and whoever leaves waits no longer', async () => {
  const made = { url: '/words', state: codes.success.code, msg: '', percent: 100 }
  const answers = [{ ...made, state: codes.converting.code, percent: 40 }, made]
  const server = fakeApi({ getWordsURL: () => answers.shift() ?? made })
  const calls = fetch
  vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
    address === '/words' ? Promise.resolve(new Response(gzipSync(JSON.stringify(sections)))) : calls(address, init),
  )
  const told: number[] = []
  expect(await readVersionText({ serverId: 0, fId: 7 }, 2, signal, (percent) => told.push(percent))).toEqual(sections)
  expect(told).toEqual([40, 100])

  const leaving = new AbortController()
  server.now({ getWordsURL: { ...made, state: codes.converting.code, percent: 0 } })
  const left = readVersionText({ serverId: 0, fId: 7 }, 3, leaving.signal, () => leaving.abort())
  await expect(left).rejects.toThrow()
})
