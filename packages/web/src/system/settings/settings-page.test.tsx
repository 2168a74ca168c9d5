// @vitest-environment happy-dom
// The page of the server's settings: finding one, changing it, what is not saved yet.
import { defaultInstallation, flatSettings, type SettingValue, settingNames } from '@cloudoc/contract'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type FakeApi, fakeApi, refused } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, until } from '../../../test/render.tsx'
import * as admin from '../../admin/area.ts'
import { joinArea } from '../../core/area/area.ts'
import * as system from '../area.ts'
import { draftStore } from './setting-drafts.ts'
import { ServerSettings } from './settings-page.tsx'

beforeAll(() => {
  joinArea(admin)
  joinArea(system)
})
afterEach(async () => {
  await cleanUp()
  draftStore.setState({ drafts: {} })
  vi.unstubAllGlobals()
})

const changedAt = new Date(2026, 10, 18, 16, 40).getTime()

/** The settings of a new installation, with these values changed. */
function settings(values: Record<string, SettingValue> = {}) {
  const flat = flatSettings(defaultInstallation)
  return {
    list: settingNames.map((name) => ({
      name,
      value: values[name] ?? (flat[name] as SettingValue),
      fallback: flat[name] as SettingValue,
      ...(name in values ? { changed: { at: changedAt, by: '沈岚' } } : {}),
    })),
    seen: 7,
    recent: [{ name: 'user_space', at: changedAt, by: '沈岚', before: 0, after: 1024 ** 3 }],
  }
}

const mail = { ready: true, hasPassword: false, own: 'shen@example.com', waiting: 0, failed: 0, latest: null }

const sms = { ready: true, hasSecret: false, own: '138 0000 0000', waiting: 0, failed: 0, latest: null }

async function open(values: Record<string, SettingValue> = {}, mailStatus = mail): Promise<FakeApi> {
  const server = fakeApi({
    getAdministeredSettings: settings(values),
    getMailStatus: mailStatus,
    getSmsStatus: sms,
    getOcrStatus: { installed: true, waiting: 0 },
  })
  await render(<ServerSettings />)
  await until(() => screenText().includes('每人空间'))
  return server
}

async function enter(selector: string, text: string): Promise<void> {
  const input = element(selector) as HTMLInputElement
  const { act } = await import('../../../test/render.tsx')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

it('says of each setting what it does, its default, and who changed it', async () => {
  await open({ user_space: 1024 ** 3 })
  expect(screenText()).toContain('默认：不限')
  expect(screenText()).toMatch(/沈岚\S* 改于/)
  expect(screenText()).toContain('把“每人空间”由 不限 改为 1.00 GB')
  // Settings of the other power are on their own page.
  expect(screenText()).not.toContain('密码最短长度')
})

it('is found by search, and says so where nothing is', async () => {
  await open()
  await enter('input[type=search]', '上传 类型')
  expect(screenText()).toContain('不许上传的类型')
  expect(element('.ad-set-list').textContent).not.toContain('每人空间')
  await enter('input[type=search]', '飞船')
  expect(screenText()).toContain('没有与')
  await click(button('显示全部设置'))
  expect(screenText()).toContain('每人空间')
})

it('shows what is not saved, keeps it when the page is left, and saves what was changed with what was seen', async () => {
  const server = await open()
  await click(element('[role=switch][aria-label=打印权限]'))
  await enter('input[aria-label=每人空间]', '2')
  expect(screenText()).toContain('2 处修改未保存')
  expect(screenText()).toContain('原为')
  await cleanUp()
  await open()
  expect(screenText()).toContain('2 处修改未保存')
  server.now({})
  const again = fakeApi({
    getAdministeredSettings: settings({ print_rights: true, user_space: 2 * 1024 ** 3 }),
    setServerSetting: {},
  })
  await click(button('保存 2 处修改'))
  await until(() => !screenText().includes('未保存'))
  expect(again.inputsOf('setServerSetting')).toEqual([{ print_rights: true, user_space: 2 * 1024 ** 3, seen: 7 }])
})

it('calls a number that stands for something by its name [R148]', async () => {
  await open({ multi_edit_type: 2 })
  const chosen = element('[role=combobox][aria-label=多人同时编辑]')
  expect(chosen.textContent).toBe('用 Office 服务器')
  await click(chosen)
  await click(element('[role=option]:nth-of-type(2)'))
  expect(draftStore.getState().drafts).toEqual({ multi_edit_type: 1 })
  expect(screenText()).toContain('原为 用 Office 服务器')
})

it('does not send what cannot be, and lets go of it', async () => {
  await open()
  await enter('input[aria-label=共享文档库个数]', 'viele')
  expect(screenText()).toContain('请输入不小于 0 的整数')
  expect(button('保存 1 处修改').disabled).toBe(true)
  await click(button('放弃'))
  expect(screenText()).not.toContain('未保存')
})

it('says that somebody else was quicker, and shows their value beside one’s own', async () => {
  const server = await open()
  await click(element('[role=switch][aria-label=打印权限]'))
  server.now({
    setServerSetting: refused('settingChanged'),
    getAdministeredSettings: settings({ export_sub_file: false }),
  })
  await click(button('保存 1 处修改'))
  await until(() => screenText().includes('刚被别人改过'))
  expect(screenText()).toContain('1 处修改未保存')
})

it('sends a test mail by what is saved, and shows what the server answers', async () => {
  const server = await open({ mail_host: 'smtp.example.com', mail_sender: 'drive@example.com' })
  await until(() => screenText().includes('发送测试邮件'))
  server.now({ getMailStatus: mail, sendTestMail: refused('mailNotSent') })
  await click(button('发送'))
  await until(() => screenText().includes('邮件没有发出'))
  server.now({ getMailStatus: { ...mail, waiting: 2 }, sendTestMail: {} })
  await click(button('发送'))
  await until(() => screenText().includes('邮件服务器已收下发给 shen@example.com 的测试邮件'))
  await until(() => screenText().includes('2 封等待发出'))
  await enter('input[aria-label=发件地址]', 'other@example.com')
  expect(screenText()).toContain('请先保存上面的修改')
  expect(button('发送').disabled).toBe(true)
})

it('finds the test mail and every setting that it needs, and can send one as soon as they are saved', async () => {
  const server = await open({}, { ...mail, ready: false })
  await enter('input[type=search]', '测试邮件')
  for (const name of ['邮件服务器', '端口', '加密方式', '发件地址']) expect(screenText()).toContain(name)
  expect(button('发送').disabled).toBe(true)
  await enter('input[aria-label=邮件服务器]', 'smtp.example.com')
  server.now({
    getMailStatus: mail,
    getAdministeredSettings: settings({ mail_host: 'smtp.example.com' }),
    setServerSetting: {},
  })
  await click(button('保存 1 处修改'))
  await until(() => !button('发送').disabled)
})

it('keeps the password of the mail account without showing it', async () => {
  const server = await open()
  await until(() => screenText().includes('未设置'))
  await enter('input[type=password]', 'geheim')
  const again = fakeApi({ getMailStatus: { ...mail, hasPassword: true }, setMailPassword: {} })
  void server
  await click(button('设置'))
  await until(() => screenText().includes('已设置'))
  expect(again.inputsOf('setMailPassword')).toEqual([{ password: 'geheim' }])
  expect((element('input[type=password]') as HTMLInputElement).value).toBe('')
})
