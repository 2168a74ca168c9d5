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

const steps = [
  ...(['company', 'password', 'licence', 'storage', 'address', 'mail'] as const),
  ...(['levels', 'demo', 'organisation', 'libraries', 'backup'] as const),
] as const
const empty = {
  ...{ skipped: [], demo: { state: 'ready' as 'ready' | 'running', line: '' }, companyGroupId: 1 },
  ...{ storage: { place: '/data', disk: null }, groups: 1, people: 1, libraries: 1 },
}
async function open(
  done: readonly (typeof steps)[number][],
  more: { readonly open?: boolean; readonly skipped?: readonly (typeof steps)[number][] } = {},
) {
  signInAs(7)
  const { session } = sessionStore.getState()
  if (session === undefined) throw new Error('nobody is signed in')
  sessionStore.setState({
    session: {
      ...session,
      serverSetting: { ...defaultSetting, setup_open: more.open ?? true, setup_skipped: [...(more.skipped ?? [])] },
      permission: { ...session.permission, powers: ['system'] },
    },
  })
  const server = fakeApi({
    getSetup: {
      open: true,
      done: [...done],
      ...empty,
      ...more,
    },
    setServerSetting: {},
    setSetup: {},
    getLicence: { state: 'none', demanded: false, list: [], history: [] },
    getAdministeredSettings: { list: [{ name: 'mail_port', value: 587 }], recent: [] },
    getMailStatus: { ready: false, hasPassword: false, own: '', waiting: 0, failed: 0, latest: null },
    setMailPassword: {},
    sendTestMail: {},
    fillWithDemo: {},
    createLibrary: { libraryId: 9 },
    getLibraries: { list: [], total: 0 },
    getBackups: { folder: '/backups', isBesideData: false, list: [], problem: '', backupTime: 0, running: null },
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
  const server = await open(steps.slice(0, 10))
  server.now({ getSetup: { open: false, done: [...steps], ...empty } })
  await click(button('完成'))
  await until(() => screenText().includes('公司已经可以使用'))
  await until(() => server.inputsOf('getSetup').length > 1)
  expect(screenText()).toContain('公司已经可以使用')
  expect(server.inputsOf('setSetup')).toEqual([{ done: 'backup', finish: true }])
  expect([...document.querySelectorAll('.su-next a')].map((link) => link.getAttribute('href'))).toEqual([
    '/doc/admin/people/import',
    '/doc/folder/files',
    '/doc/admin/backup',
    '/doc/admin/overview',
  ])
})

it('[R009] a step is left for later, and is found again: alone, after the others are done', async () => {
  const server = await open(steps.slice(0, 5))
  expect(screenText()).toContain('从哪里发邮件？')
  server.now({ getSetup: { open: true, done: steps.slice(0, 5), ...empty, skipped: ['mail'] } })
  await click(button('跳过'))
  await until(() => screenText().includes('文件分几个密级？'))
  expect(server.inputsOf('setSetup')).toEqual([{ skip: 'mail' }])
  await cleanUp()
  const done = steps.filter((step) => step !== 'mail')
  const again = await open(done, { open: false, skipped: ['mail'] })
  await until(() => screenText().includes('从哪里发邮件？'))
  await type('邮件服务器', 'smtp.example.com')
  again.now({ getSetup: { open: false, done: [...steps], ...empty } })
  await click(button('完成'))
  await until(() => screenText().includes('公司已经可以使用'))
  expect(again.inputsOf('setServerSetting')).toEqual([{ mail_host: 'smtp.example.com' }])
  expect(again.inputsOf('setSetup')).toEqual([{ done: 'mail' }])
})

it('a test mail is sent after its server is saved, and what went wrong is said beside it', async () => {
  const server = await open(steps.slice(0, 5))
  await type('邮件服务器', 'smtp.example.com')
  await type('邮箱密码', 'secret')
  await type('收件地址', 'a@example.com')
  server.now({ sendTestMail: refused('mailNotSent') })
  await click(button('保存并发送测试邮件'))
  await until(() => screenText().includes('邮件没有发出'))
  expect(server.inputsOf('setMailPassword')).toEqual([{ password: 'secret' }])
  expect(server.inputsOf('sendTestMail')).toEqual([{ to: 'a@example.com' }])
})

it('the demo company asks for the password, and tells how far it is', async () => {
  const server = await open(steps.slice(0, 7))
  await type('linxia 的密码', 'secret')
  server.now({
    getSetup: { open: true, done: [...steps.slice(0, 7)], ...empty, demo: { state: 'running', line: 'Demo: files' } },
  })
  await click(button('填入'))
  await until(() => screenText().includes('Demo: files'))
  expect(server.inputsOf('fillWithDemo')).toEqual([{ password: 'secret' }])
})

it('usual libraries are made with the rules of all', async () => {
  const server = await open(steps.slice(0, 9))
  await click(button('保存并继续'))
  await until(() => server.inputsOf('setSetup').length > 0)
  expect(server.inputsOf('createLibrary')).toMatchObject([
    { name: '制度与模板', kind: 'company', entries: [{ subjectType: 'group', subjectId: 1 }] },
    { name: '归档', kind: 'archive', readOnly: true },
  ])
})
