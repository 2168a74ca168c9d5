// Headers of every answer, and requests that are refused before a call is reached.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { calls, PUSH_PATH } from '@cloudoc/contract'
import { expect, test } from 'vitest'
import { sharedWorld } from '../test/harness.ts'

const world = sharedWorld()

/** Sends bytes as they are and returns the whole answer. */
async function exchange(lines: readonly string[]): Promise<string> {
  const socket = connect(await world.port(), '127.0.0.1')
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
  return text(socket)
}

test('answers of calls are stored nowhere, whether they succeed, fail, are compressed or cannot be read', async () => {
  const anna = await world.person('anna')
  for (let n = 0; n < 12; n += 1) await anna.folder(anna.library, `文件夹 ${n}`)
  const origin = `http://127.0.0.1:${await world.port()}`
  const headers = { authorization: `Bearer ${anna.token}` }
  const list = `${calls.getSubItemList3.path}?folderId=${anna.library}`
  for (const path of [calls.getUserInfo.path, list, `${calls.getFileInfo.path}?fileId=987654`, '/services2/none']) {
    for (const encoding of ['gzip', 'identity']) {
      const answer = await fetch(origin + path, { headers: { ...headers, 'accept-encoding': encoding } })
      expect(answer.headers.get('content-type')).toContain('application/json')
      expect([path, answer.headers.get('cache-control')]).toEqual([path, 'no-store'])
      await answer.arrayBuffer()
    }
  }
  expect((await exchange(['GET /\u6587 HTTP/1.1', 'host: a', 'connection: close'])).toLowerCase()).toContain(
    'cache-control: no-store',
  )
})

test('a request that names two hosts is refused with 400, also where it asks for the push channel', async () => {
  const ask = (more: readonly string[]) =>
    exchange([`GET ${calls.getUserInfo.path} HTTP/1.1`, 'host: drive.example', 'connection: close', ...more])
  expect(await ask([])).toMatch(/^HTTP\/1\.1 (200|401)/)
  for (const second of ['host: other.example', 'Host: drive.example', 'HOST:']) {
    expect(await ask([second])).toMatch(/^HTTP\/1\.1 400/)
  }
  const upgrade = [
    'upgrade: websocket',
    'connection: upgrade',
    'sec-websocket-version: 13',
    'sec-websocket-key: aaaaaaaaaaaaaaaaaaaaaa==',
  ]
  expect(await exchange([`GET ${PUSH_PATH} HTTP/1.1`, 'host: a', 'host: b', ...upgrade])).toMatch(/^HTTP\/1\.1 400/)
})
