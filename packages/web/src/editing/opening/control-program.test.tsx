// @vitest-environment happy-dom
// The control program on this machine: asked only where that is wanted, offered only while it answers ([R182], [R185], [R362]).
import { controlAddress, controlWaitMs, Right } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { rawRequestHeaders } from '../../core/call/api.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { closeWindow, windowStore } from '../../core/windows/index.ts'
import { sampleItem } from '../../items/item/sample-item.ts'
import { editMenu } from '../menu.tsx'
import {
  isControlProgramRunning,
  queryControlProgram,
  setMachineAddress,
  watchControlProgram,
} from './control-program.ts'
import { openToEdit } from './open-to-edit.ts'

/** The requested URLs, and the response; undefined: nothing answers. */
let asked: string[]
const mac = '00:1b:44:11:3a:b7'
let answer: string | undefined
class Socket {
  onopen: (() => void) | undefined
  onerror: (() => void) | undefined
  onmessage: ((event: { data: string }) => void) | undefined
  constructor(address: string) {
    asked.push(address)
    queueMicrotask(() => (answer === undefined ? this.onerror?.() : this.onopen?.()))
  }
  send(words: string): void {
    const { option } = JSON.parse(words) as { option?: string }
    if (option === 'get_mac') queueMicrotask(() => this.onmessage?.({ data: JSON.stringify({ option, mac }) }))
    if (option !== 'connect') return
    queueMicrotask(() => this.onmessage?.({ data: answer ?? '' }))
  }
  close(): void {}
}

let forget: (() => void) | undefined
/** The URLs that were opened locally. */
let opened: string[]
const note = (event: Event): void => {
  const { target } = event
  if (target instanceof HTMLAnchorElement) opened.push(target.href)
}
const drawing = sampleItem({ fId: 5, fType: 1, fName: '图纸.dwg', extName: 'dwg', rights: Right.full, version: 3 })
const isOffered = (): boolean => editMenu.find(({ id }) => id === 'editLocally')?.show?.(drawing) === true
const serve = (version = '', address = '') =>
  fakeApi({
    getFileInfo: drawing,
    getEditControlVersion: { version, address },
    createEditKey: { key: 'once', expiresAt: 1, canWrite: true },
  })
const wanted = (local_edit: boolean): void => {
  signInAs(7)
  sessionStore.setState(({ session }) => ({
    session: session && { ...session, setting: { ...session.setting, local_edit, server_code: 'cd' } },
  }))
}

beforeAll(loadSignedIn)
beforeEach(async () => {
  void setLocale('zh')
  ;[asked, opened, answer] = [[], [], JSON.stringify({ option: 'connect', version: '1.4.0' })]
  vi.stubGlobal('WebSocket', Socket)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    note({ target: this } as unknown as Event)
  })
  wanted(true)
  await render(<p>page</p>)
})
afterEach(async () => {
  forget?.()
  await cleanUp()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

// [R362] The program is queried only where the installation enables it, and offered files only while it answers.
it('[R362] nothing is asked where the installation does not want it, and nothing is offered where nobody answers', async () => {
  wanted(false)
  forget = watchControlProgram()
  expect([await queryControlProgram(), isOffered(), asked]).toEqual([undefined, false, []])
  wanted(true)
  for (const nonsense of [undefined, 'no', 'null', '{"option":"connect"}', '{"version":"1"}']) {
    answer = nonsense
    expect([await queryControlProgram(), isControlProgramRunning()]).toEqual([undefined, false])
  }
  expect(new Set(asked)).toEqual(new Set([controlAddress]))
})

// [R390] The page waits 2,000 ms for the control program.
// [R360] The page asks port 37219 with connect and get_mac, and waits 2000 ms; the program answers get_mac to pages that
// it has met.
// [R363] Every request of the page carries the machine address obtained from the socket: calls in a header, pictures,
// contents and the push channel in a cookie.
it('[R360] [R363] [R390] the machine address that the program tells goes with every request from then on', async () => {
  expect(controlWaitMs).toBe(2000)
  await queryControlProgram()
  await until(() => rawRequestHeaders()['x-cloudoc-machine'] === mac)
  expect(document.cookie).toContain(`cloudoc_machine=${mac}`)
  setMachineAddress(undefined)
  expect([rawRequestHeaders()['x-cloudoc-machine'], document.cookie.includes('cloudoc_machine')]).toEqual([
    undefined,
    false,
  ])
})

it('[R182] [R362] a file is handed to the program by an address that bears a key for it, and the version that there is', async () => {
  const server = serve('1.4.0')
  forget = watchControlProgram()
  await until(isOffered)
  // A file without a web editor is opened by the desktop client, too ([R171]).
  await openToEdit({ serverId: 0, fId: 5 })
  expect(opened).toHaveLength(1)
  expect(Object.fromEntries(new URL(opened[0] ?? '').searchParams)).toMatchObject({
    ...{
      server: location.origin,
      code: 'cd',
      fileId: '5',
      fileName: '图纸.dwg',
      version: '3',
      key: 'once',
      token: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    },
  })
  expect(server.inputsOf('createEditKey')).toEqual([{ fileId: '5', local: 'true' }])
})

// [R346] The program reaches the server by its proxy where there is one.
it('[R346] proxy_address is where the program reaches the server, with the code of the server before it', async () => {
  serve('1.4.0')
  forget = watchControlProgram()
  await until(isOffered)
  for (const proxy_address of ['', 'proxy.huaxin.example']) {
    sessionStore.setState(({ session }) => ({
      session: session && { ...session, setting: { ...session.setting, proxy_address } },
    }))
    await openToEdit({ serverId: 0, fId: 5 })
  }
  expect(opened.map((address) => new URL(address).searchParams.get('server'))).toEqual([
    location.origin,
    `${location.protocol}//cd.proxy.huaxin.example`,
  ])
})

// [R171] Where the company has the control program and none answers, opening a file that only a local program can edit
// previews it, says so, and leads to the program.
it('[R171] [R185] a file for a program that does not answer is previewed, which is said, and the program is led to', async () => {
  answer = undefined
  serve('1.4.0', 'https://files.example/control')
  await openToEdit({ serverId: 0, fId: 5 })
  await until(() => screenText().includes('没有找到编辑控件，现在只是预览'))
  await click(button('下载编辑控件'))
  await until(() => screenText().includes('没有找到本机的编辑控件'))
})

// [R185] A missing or outdated control program is reported, with a link to install it.
it.each([
  [undefined, '没有找到本机的编辑控件'],
  ['{"option":"connect","version":"1.3.9"}', '本机的编辑控件是 1.3.9 版，最新的是 1.4.0 版'],
])('[R185] a program that is gone or too old is said to be so, and led to, without a key: %s', async (now, words) => {
  const server = serve('1.4.0', 'https://files.example/control')
  const page = vi.spyOn(window, 'open').mockReturnValue(null)
  forget = watchControlProgram()
  await until(isOffered)
  answer = now
  const { editLocally } = await import('./edit-locally.ts')
  void editLocally(drawing)
  await until(() => screenText().includes(words))
  await click(button('下载编辑控件'))
  expect(page.mock.calls[0]?.[0]).toBe('https://files.example/control')
  expect([opened, server.inputsOf('createEditKey')]).toEqual([[], []])
})

// [R147] Editing with programs of the computer is not offered on macOS unless mac_editor is on.
// [R185] That there is no program for an operating system is said in words of its own, and no program is looked for.
it('[R147] [R185] on macOS a program is looked for only where the company has one for it; on a phone there is none', async () => {
  const system = (platform: string, userAgent = '') =>
    vi.stubGlobal(
      'navigator',
      Object.create(navigator, { platform: { value: platform }, userAgent: { value: userAgent } }),
    )
  const macEditor = (mac_editor: boolean): void =>
    sessionStore.setState(({ session }) => ({
      session: session && { ...session, setting: { ...session.setting, mac_editor } },
    }))
  serve('1.4.0', 'https://files.example/control')
  forget = watchControlProgram()
  await until(isOffered)
  asked = []
  const { editLocally } = await import('./edit-locally.ts')
  for (const [platform, userAgent] of [['MacIntel'], ['iPhone'], ['Linux armv81', 'Mozilla/5.0 (Linux; Android 14)']]) {
    system(platform ?? '', userAgent)
    expect([isOffered(), asked], platform).toEqual([false, []])
  }
  system('MacIntel')
  await openToEdit({ serverId: 0, fId: 5 })
  await until(() => screenText().includes('不支持这台设备的操作系统'))
  void editLocally(drawing)
  await until(() => document.querySelector('[role=alertdialog], [role=dialog]') !== null)
  expect([opened, asked]).toEqual([[], []])
  macEditor(true)
  expect(await queryControlProgram()).toBe('1.4.0')
  expect(isOffered()).toBe(true)
})

// [R184] Without a sandbox (X42) the reminder says so and offers the secure view; with its checkbox
// it does not come again.
// [R359] The flag of the sandbox reminder is kept in this browser.
it('[R184] [R359] a file for the sandbox is offered in the secure view, and the reminder can be switched off', async () => {
  vi.spyOn(navigator, 'platform', 'get').mockReturnValue('Win32')
  const { localFlag, setLocalFlag } = await import('../../core/session/local-state.ts')
  fakeApi({ getFileInfo: { ...drawing, rights: Right.display + Right.preview + Right.modify } })
  const sandbox = (sandbox_edit: boolean): void =>
    sessionStore.setState(({ session }) => ({
      session: session && { ...session, setting: { ...session.setting, sandbox_edit, online_edit: true } },
    }))
  sandbox(false)
  void openToEdit({ serverId: 0, fId: 5 })
  await until(() => windowStore.getState().open.length > 0)
  expect(screenText()).not.toContain('这台电脑没有安装沙箱驱动')
  for (const { id } of windowStore.getState().open) closeWindow(id)
  sandbox(true)
  // The reminder waits for its answer.
  void openToEdit({ serverId: 0, fId: 5 })
  await until(() => screenText().includes('这台电脑没有安装沙箱驱动'))
  await click(document.querySelector('input[type=checkbox]') ?? document.body)
  await click(button('安全查看'))
  await until(() => localFlag('sandboxReminderIgnored'))
  setLocalFlag('sandboxReminderIgnored', false)
})
