// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { setNoticePreferences } from '../core/notices/notice-preferences.ts'
import { keepLocalKeys } from './local-keys.ts'

beforeEach(() => localStorage.clear())

// [R305] In part (im__accessToken is not stored: whoever reads the storage of the page would have the session, which is in a
// cookie that no script can read): the other keys have their documented names, and machineID is made once.
it('[R305] the keys of chat programs are written, and the number of the machine is made once', () => {
  keepLocalKeys()()
  const machine = localStorage.getItem('machineID')
  expect(machine).toMatch(/^[0-9a-f-]{36}$/)
  const stop = keepLocalKeys()
  expect(localStorage.getItem('machineID')).toBe(machine)
  expect(['serverID', 'im__mainServerId', 'mainHost', 'im__msgNotice'].map((key) => localStorage.getItem(key))).toEqual(
    ['0', '0', location.host, 'false'],
  )
  setNoticePreferences({ desktop: true })
  expect(localStorage.getItem('im__msgNotice')).toBe('true')
  expect(localStorage.getItem('im__screenshotsHideWindow')).toBe('false')
  stop()
})
