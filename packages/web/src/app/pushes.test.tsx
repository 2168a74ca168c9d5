// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi, refused, unreachable } from '../../test/fake-api.ts'
import { button, cleanUp, click, render, screenText, until } from '../../test/render.tsx'
import { pushHandlers } from '../core/area/area.ts'
import { api } from '../core/call/api.ts'
import { setLocale } from '../core/i18n/i18n.ts'
import { ChunkError } from '../core/page/chunks.tsx'
import { sessionStore } from '../core/session/session.ts'
import { reportError, showUncaught } from './errors.ts'
import { loadSignedIn } from './join.ts'

beforeAll(loadSignedIn)
beforeEach(() => render(<p>page</p>))
afterEach(async () => {
  await cleanUp()
  setLocale('zh')
  vi.unstubAllGlobals()
})

describe('a login elsewhere (push 5)', () => {
  it('waits one second, then forces this page offline in the documented words, and leads to the login page [R034] [R312]', async () => {
    setLocale('en')
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
    vi.useFakeTimers()
    pushHandlers().loginElsewhere({ serverId: 0, time: 1 }, undefined)
    await vi.advanceTimersByTimeAsync(999)
    expect(sessionStore.getState().ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    vi.useRealTimers()
    const words = 'Your account has been logged in another location, you are forced to logged out'
    await until(() => screenText().includes(words))
    expect(sessionStore.getState().ended).toBe(true)
    await click(button('Sign in again'))
    await until(() => assign.mock.calls.length === 1)
    expect(String(assign.mock.calls[0]?.[0])).toMatch(/^\/doc\/login/)
  })
})

describe('what nobody caught', () => {
  it('is shown once as a warning when it is a refused call [R379] [R380]', async () => {
    showUncaught()
    fakeApi({ renameFile: refused('fileLocked'), getUseSpaceSizeInfo: unreachable })
    const error: unknown = await api
      .renameFile({ fileId: 1, fileName: 'b' }, { front: '重命名失败：' })
      .catch((e: unknown) => e)
    const event = Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason: error })
    window.dispatchEvent(event)
    await until(() => screenText().includes('重命名失败：文件已被锁定'))
    expect(event.defaultPrevented).toBe(true)
    const cut: unknown = await api.getUseSpaceSizeInfo({}).catch((e: unknown) => e)
    window.dispatchEvent(Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason: cut }))
    await until(() => screenText().includes('网络异常') && screenText().includes('无法连接到网络'))
  })

  it('is not shown when the call was quiet', async () => {
    fakeApi({ renameFile: refused('fileLocked') })
    const error: unknown = await api.renameFile({ fileId: 1, fileName: 'b' }, { quiet: true }).catch((e: unknown) => e)
    reportError(error)
    expect(document.querySelector('[role=dialog]')).toBeNull()
  })

  it('offers to reload when a part of the program did not come [R066]', async () => {
    reportError(new ChunkError(new Error('Unable to preload CSS for /assets/a.css')))
    await until(() => screenText().includes('Loading chunk failed'))
    expect(screenText()).toContain('CSS_CHUNK_LOAD_FAILED')
  })
})
