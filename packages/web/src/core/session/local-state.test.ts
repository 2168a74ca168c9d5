// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import {
  knownServer,
  localFlag,
  offeredVersion,
  offerVersion,
  registerSignIn,
  rememberServer,
  setLocalFlag,
  signedInServers,
  unregisterSignIn,
} from './local-state.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('what this browser keeps beside its databases', () => {
  it('is what is known of the server and the version it offers [R359]', () => {
    expect([knownServer(), offeredVersion()]).toEqual([undefined, undefined])
    rememberServer({ company: '星海科技' })
    offerVersion('6.2.0')
    expect([knownServer(), offeredVersion()]).toEqual([{ company: '星海科技' }, '6.2.0'])
    offerVersion(undefined)
    expect(offeredVersion()).toBeUndefined()
    localStorage.setItem('serverInfo', '星海')
    expect(knownServer(), 'what another version kept').toBeUndefined()
  })

  it('is who has signed in at which server, one at each, as long as the tab is there [R359]', () => {
    registerSignIn({ address: 'http://a', accountId: 1 })
    registerSignIn({ address: 'http://b', accountId: 2 })
    registerSignIn({ address: 'http://a', accountId: 3 })
    expect(signedInServers()).toEqual([
      { address: 'http://b', accountId: 2 },
      { address: 'http://a', accountId: 3 },
    ])
    expect(localStorage).toHaveLength(0)
    unregisterSignIn('http://b')
    expect(signedInServers()).toEqual([{ address: 'http://a', accountId: 3 }])
  })

  // [R359] Server information,
  // the accounts signed in in this tab, and the flags of notices.
  it('is three flags, of which the notices are on by themselves [R107] [R359]', () => {
    const flags = ['fileChangeNotice', 'fileStorageNotice', 'sandboxReminderIgnored'] as const
    expect(flags.map(localFlag)).toEqual([true, true, false])
    for (const flag of flags) setLocalFlag(flag, !localFlag(flag))
    expect(flags.map(localFlag)).toEqual([false, false, true])
    localStorage.setItem('fileChangeNotice', 'whatever')
    expect(localFlag('fileChangeNotice')).toBe(true)
  })
})
