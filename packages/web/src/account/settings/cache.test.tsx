// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi, unreachable } from '../../../test/fake-api.ts'
import { button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { addTexts } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { savedLogins, saveLogin } from '../../core/storage/logins.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { en } from '../texts.en.ts'
import { zh } from '../texts.zh.ts'
import { CacheSettings } from './cache.tsx'
import { clearCache } from './clear-cache.ts'

addTexts(zh, en)
vi.mock('../../core/windows/boxes.ts', () => ({ confirmBox: vi.fn<() => Promise<boolean>>() }))

const login = { displayName: '林夏', authKey: 'a key', autoLogin: true, expiredAt: Date.now() + 60_000 }

beforeEach(async () => {
  signInAs(7)
  await saveLogin({ account: 'linxia', ...login })
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

describe('what this browser keeps', () => {
  // [R040] Clearing the cache asks first with a warning, also about files that were not submitted; declining
  // changes nothing.
  it('[R040] is cleared only by who agrees, in the style of a warning, and is told that the program begins anew', async () => {
    const server = fakeApi({})
    vi.mocked(confirmBox).mockResolvedValue(false)
    await render(<CacheSettings />)
    await until(() => screenText().includes('林夏'))
    await click(button('清除并退出…'))
    expect(vi.mocked(confirmBox).mock.calls).toMatchObject([
      [
        {
          text: expect.stringContaining('程序需要重新启动才能完成') as string,
          detail: expect.stringContaining('请确认没有未提交的文件') as string,
          ok: '清除并退出',
          danger: true,
        },
      ],
    ])
    expect(en['cache.confirmMore']).toContain("make sure that you don't have any un-submit file")
    expect(server.sent).toEqual([])
    expect((await savedLogins()).map(({ account }) => account)).toEqual(['linxia'])
    expect(sessionStore.getState().session).toBeDefined()
  })

  // [R040] Clearing the cache takes the documented steps in order: login records, sign-out whatever the server answers,
  // login records again, everything else, restart.
  it('[R040] goes in its order: the logins, out, whatever the server says, the logins again, all else, and anew', async () => {
    const relaunch = vi.fn<() => void>()
    const atLogout: string[][] = []
    localStorage.setItem('kept', 'x')
    const server = fakeApi({
      forgetLoginKey: unreachable,
      logout2: async () => {
        atLogout.push((await savedLogins()).map(({ account }) => account))
        // Another tab saves a login while this one signs out.
        await saveLogin({ account: 'chenxiao', ...login })
        return unreachable
      },
    })
    await clearCache(relaunch)
    expect(server.inputsOf('logout2')).toHaveLength(1)
    expect(atLogout).toEqual([[]])
    expect(await savedLogins()).toEqual([])
    expect(localStorage.getItem('kept')).toBeNull()
    expect(sessionStore.getState().ended).toBe(true)
    expect(relaunch).toHaveBeenCalledTimes(1)
  })
})
