// @vitest-environment happy-dom
// The connection check of linked servers.
import { codes } from '@cloudoc/domain'
import { afterEach, expect, test, vi } from 'vitest'
import { setServerAddress } from '../../core/call/other-servers.ts'
import { linkedCheck } from './checks.ts'

/** A socket that answers the login of the page, or closes. */
function sockets(answers: boolean): string[] {
  const opened: string[] = []
  class Socket {
    onopen = (): void => undefined
    onmessage = (): void => undefined
    onclose = (): void => undefined
    constructor(url: string) {
      opened.push(url)
      queueMicrotask(() => this.onopen())
    }
    send(): void {
      queueMicrotask(() => (answers ? this.onmessage() : this.onclose()))
    }
    close = (): void => undefined
  }
  vi.stubGlobal('WebSocket', Socket)
  return opened
}
const answer = (result: number, data: unknown): void =>
  void vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ result, data, msg: '' }))))

afterEach(() => void vi.unstubAllGlobals())

// [R374] The connection diagnostics test the API and the push channel of every server and the local sockets, and show each
// result: here those of a linked server.
test('[R374] of a linked server the interface and the push channel are tested', async () => {
  setServerAddress(3, '/linked/3')
  answer(codes.success.code, {})
  const opened = sockets(true)
  expect(await linkedCheck(3)).toMatchObject({ state: 'good', found: 'diagnostics.linked.good' })
  expect(opened.map((url) => new URL(url).pathname)).toEqual(['/linked/3/services2/ws/pushMessage'])
  sockets(false)
  expect(await linkedCheck(3)).toMatchObject({ state: 'limited', found: 'diagnostics.linked.noPush' })
  answer(codes.interconnectedServerNotResponding.code, null)
  expect(await linkedCheck(3)).toEqual({ state: 'bad', found: 'diagnostics.linked.away' })
})
