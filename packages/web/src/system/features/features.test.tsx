// @vitest-environment happy-dom
// The page of features, and what is left of an area that is switched off.
import type { FeatureSwitch } from '@cloudoc/contract'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import * as admin from '../../admin/area.ts'
import { areas, joinArea, pushHandlers } from '../../core/area/area.ts'
import { sessionStore } from '../../core/session/session.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import * as exchange from '../../exchange/area.ts'
import * as system from '../area.ts'
import { FeaturesPage } from './features-page.tsx'

vi.mock('../../core/windows/boxes.ts', () => ({ confirmBox: vi.fn<() => Promise<boolean>>() }))

beforeAll(() => {
  for (const area of [admin, system, exchange]) joinArea(area)
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

function signIn(off: FeatureSwitch[]): void {
  signInAs(7)
  const { session } = sessionStore.getState()
  if (session === undefined) throw new Error('nobody is signed in')
  sessionStore.setState({ session: { ...session, serverSetting: { ...session.serverSetting, features_off: off } } })
}

it('of an area that is switched off nothing is there: no pages, lists, actions, nor what its pushes do', () => {
  signIn([])
  expect(areas()).toContain(exchange)
  expect(areas(false)).toEqual([])
  signIn(['exchange'])
  expect(areas()).not.toContain(exchange)
  expect(areas(false).flatMap(({ routes = [] }) => routes.map(({ path }) => path))).toContain(
    'security/file-exchange-sent',
  )
  const server = fakeApi({})
  expect(() => pushHandlers().exchangeRulesChanged({}, undefined)).not.toThrow()
  expect(server.inputsOf('getExchangeRules')).toEqual([])
})

it('switching a feature off is asked about, on is not; a sample of a push is sent to oneself', async () => {
  signIn([])
  const of = (isOn: boolean) => ({ list: [{ feature: 'talk' as const, isOn, changed: { at: 1, by: '林夏' } }] })
  const sample = {
    ...{ name: 'settingsChanged', type: 60, summary: 'Settings have changed' },
    ...{ delivery: 'replayed' as const, ends: false, sample: '{"serverId":0}' },
  }
  const server = fakeApi({
    getFeatures: of(true),
    setFeature: {},
    getTestPushes: { list: [sample] },
    sendTestPush: { count: 1, clients: 2 },
  })
  await render(<FeaturesPage />)
  await until(() => document.querySelector('[role=switch]') !== null)
  expect(screenText()).toContain('林夏')
  vi.mocked(confirmBox).mockResolvedValueOnce(false).mockResolvedValueOnce(true)
  await click(element('[role=switch]'))
  expect(vi.mocked(confirmBox).mock.calls[0]?.[0]).toMatchObject({ title: '关闭“即时通讯”？' })
  expect(server.inputsOf('setFeature')).toEqual([])
  server.now({ getFeatures: of(false) })
  await click(element('[role=switch]'))
  await until(() => element('[role=switch]').getAttribute('aria-checked') === 'false')
  await click(element('[role=switch]'))
  await until(() => server.inputsOf('setFeature').length === 2)
  expect(server.inputsOf('setFeature')).toEqual([
    { feature: 'talk', isOn: false },
    { feature: 'talk', isOn: true },
  ])
  await until(() => !button('发给自己').hasAttribute('disabled'))
  await click(button('发给自己'))
  await until(() => server.inputsOf('sendTestPush').length === 1)
  expect(server.inputsOf('sendTestPush')).toEqual([{ name: 'settingsChanged' }])
})
