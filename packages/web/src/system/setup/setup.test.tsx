// @vitest-environment happy-dom
import { defaultSetting } from '@cloudoc/contract'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, type, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import * as admin from '../../admin/area.ts'
import { joinArea } from '../../core/area/area.ts'
import { sessionStore } from '../../core/session/session.ts'
import * as drive from '../../drive/area.ts'
import * as organisation from '../../organisation/area.ts'
import * as people from '../../people/area.ts'
import * as system from '../area.ts'
import { SetupPage } from './setup-page.tsx'

beforeAll(() => {
  for (const area of [admin, drive, organisation, people, system]) joinArea(area)
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

const steps = ['company', 'password', 'storage', 'levels', 'organisation', 'libraries'] as const
const empty = { storage: { place: '/data', disk: null }, groups: 1, people: 1, libraries: 1 }
async function open(done: readonly (typeof steps)[number][]) {
  signInAs(7)
  const { session } = sessionStore.getState()
  if (session === undefined) throw new Error('nobody is signed in')
  sessionStore.setState({
    session: {
      ...session,
      serverSetting: { ...defaultSetting, setup_open: true },
      permission: { ...session.permission, powers: ['system'] },
    },
  })
  const server = fakeApi({
    getSetup: {
      open: true,
      done: [...done],
      storage: { place: '/data', disk: null },
      groups: 1,
      people: 1,
      libraries: 1,
    },
    setServerSetting: {},
    setSetup: {},
    getLibraries: { list: [], total: 0 },
    getRootFolderSetting: { list: [] },
  } as never)
  await render(<SetupPage />)
  await until(() => document.querySelector('.su-form') !== null)
  return server
}

it('[R009] what is wrong is said at its field, which has the focus, and goes as the field is edited', async () => {
  const server = await open([])
  await type('公司名称', ' ')
  await click(button('保存并继续'))
  const name = element('input[name=company]')
  expect(name.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(name)
  expect(name.closest('.or-control')?.textContent).toContain('请填写公司名称')
  await type('公司名称', '华信')
  expect(screenText()).not.toContain('请填写公司名称')
  server.now({ setServerSetting: refused('badRequest') })
  await click(button('保存并继续'))
  await until(() => element('input[name=code]').getAttribute('aria-invalid') === 'true')
  await type('企业代码', 'huaxin')
  expect(document.querySelector('[role=alert]')).toBeNull()
})

it('[R009] the preview of the login page has its parts: title, company field, account, password, choices and button', async () => {
  await open([])
  await type('公司名称', '华信集团')
  await type('企业代码', 'huaxin')
  const shown = element('.login-preview').textContent ?? ''
  for (const words of ['登录华信集团', '企业代码', '账号', '密码', '记住密码', '自动登录', '登录'])
    expect(shown).toContain(words)
  expect(element('.login-preview').hasAttribute('inert')).toBe(true)
})

it('[R009] the wizard ends with what to do next, and stays there', async () => {
  const server = await open(steps.slice(0, 5))
  server.now({ getSetup: { open: false, done: [...steps], ...empty } })
  await click(button('完成'))
  await until(() => screenText().includes('公司已经可以使用'))
  await until(() => server.inputsOf('getSetup').length > 1)
  expect(screenText()).toContain('公司已经可以使用')
  expect(server.inputsOf('setSetup')).toEqual([{ done: 'libraries', finish: true }])
  expect([...document.querySelectorAll('.su-next a')].map((link) => link.getAttribute('href'))).toEqual([
    '/doc/admin/people/import',
    '/doc/folder/files',
    '/doc/admin/backup',
    '/doc/admin/overview',
  ])
})
