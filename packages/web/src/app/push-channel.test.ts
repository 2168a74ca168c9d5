// @vitest-environment happy-dom
// Which push channel a page opens, by the settings of its server.
import { LEGACY_PUSH_PATH, PUSH_PATH } from '@cloudoc/contract'
import { afterEach, expect, test, vi } from 'vitest'
import '../../test/render.tsx'
import { signInAs } from '../../test/session.ts'
import { sessionStore } from '../core/session/session.ts'
import { openChannel } from './push-channel.ts'

afterEach(() => void vi.unstubAllGlobals())

// [R043] Behind a proxy a page uses the WebSocket channel, whatever use_websocket says.
test('[R043] best_server_property: behind a proxy a page opens the JSON channel, which is off without it', async () => {
  const opened: string[] = []
  class Socket {
    constructor(url: string) {
      opened.push(new URL(url).pathname)
    }
    close(): void {}
  }
  vi.stubGlobal('WebSocket', Socket)
  signInAs(7)
  const { session } = sessionStore.getState()
  if (session === undefined) throw new Error('nobody is signed in')
  const setting = { ...session.setting, use_websocket: false }
  for (const best_server_property of ['', 'proxy']) {
    const serverSetting = { ...session.serverSetting, setting, best_server_property }
    const channel = await openChannel({ ...session, setting, serverSetting })
    channel?.close()
  }
  expect(opened).toEqual([LEGACY_PUSH_PATH, PUSH_PATH])
})
