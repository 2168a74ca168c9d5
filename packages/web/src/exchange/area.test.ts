// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { fakeApi } from '../../test/fake-api.ts'
import { signInAs } from '../../test/session.ts'
import { sessionStore } from '../core/session/session.ts'
import { start } from './area.ts'

test('the rules are loaded once the company exchanges files, and not before', async () => {
  const server = fakeApi({ getExchangeRules: { rules: [], targets: [], mostFiles: 50 } })
  const enable = (exchange_file_enabled: boolean): void => {
    const { session } = sessionStore.getState()
    if (session === undefined) throw new Error('nobody is signed in')
    sessionStore.setState({ session: { ...session, setting: { ...session.setting, exchange_file_enabled } } })
  }
  signInAs(3)
  enable(false)
  const stop = start()
  expect(server.inputsOf('getExchangeRules')).toEqual([])
  enable(true)
  await vi.waitFor(() => expect(server.inputsOf('getExchangeRules')).toEqual([{}]))
  enable(true)
  stop()
  expect(server.inputsOf('getExchangeRules')).toEqual([{}])
})
