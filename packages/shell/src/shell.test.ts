// The main process of the desktop client, on a stand-in for Electron that records what it is told.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localEditAddress, localSchemes, writeCloudLink } from '@cloudoc/domain'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fromPage, toPage } from './bridge.ts'
import { isPermitted, leadsTo, routeTarget } from './rules.ts'
import { settingsOf } from './settings.ts'
import { type Shell, type ShellOptions, startShell } from './shell.ts'
import { optionsOf } from './windows.ts'

const server = 'https://drive.example.com'
const link = localEditAddress({ server, code: '', context: '', fileId: 1, fileName: 'a.dwg', version: 1, key: 'k' })

let folder: string
let steps: string[]
let opened: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shell-'))
  await mkdir(join(folder, 'custom'))
  const setting = { server, preloads: ['company.js', '../evil.js'], devTools: false }
  await writeFile(join(folder, 'custom', 'setting.json'), JSON.stringify(setting))
  ;[steps, opened] = [[], []]
})
afterEach(() => rm(folder, { recursive: true, force: true }))

class Contents extends EventEmitter {
  readonly sent: unknown[][] = []
  openHandler: ((told: { url: string }) => { action: string }) | undefined
  readonly window: FakeWindow
  constructor(window: FakeWindow) {
    super()
    this.window = window
  }
  send(...told: unknown[]): void {
    this.sent.push(told)
  }
  getURL = (): string => this.window.url
  setWindowOpenHandler(handler: (told: { url: string }) => { action: string }): void {
    this.openHandler = handler
  }
  openDevTools = (): void => void steps.push('dev tools')
}

class FakeWindow extends EventEmitter {
  readonly webContents = new Contents(this)
  url = ''
  readonly did: string[] = []
  isMax = false
  constructor() {
    super()
    electron.app.emit('web-contents-created', {}, this.webContents)
    all.push(this)
  }
  loadURL(url: string): Promise<void> {
    this.url = url
    steps.push(`load ${url}`)
    return isServerAway ? Promise.reject(new Error('ERR')) : Promise.resolve()
  }
  loadFile = async (path: string): Promise<void> => void steps.push(`file ${path.split(/[\\/]/).at(-1)}`)
  isDestroyed = (): boolean => false
  isMinimized = (): boolean => false
  isMaximized = (): boolean => this.isMax
  maximize = (): void => void ((this.isMax = true), this.did.push('maximize'))
  unmaximize = (): void => void ((this.isMax = false), this.did.push('unmaximize'))
  minimize = (): void => void this.did.push('minimize')
  restore = (): void => void this.did.push('restore')
  show = (): void => void this.did.push('show')
  hide = (): void => void this.did.push('hide')
  getBounds = (): object => ({})
  focus = (): void => void this.did.push('focus')
  moveTop = (): void => void this.did.push('moveTop')
  close = (): void => void this.did.push('close')
  static fromWebContents = (contents: Contents): FakeWindow => contents.window
}

let all: FakeWindow[] = []
let isFirst = true
let isServerAway = false
interface Handlers {
  permission?: (contents: Contents, permission: string, answer: (is: boolean) => void) => void
  headers?: (told: object, answer: (told: { requestHeaders: object }) => void) => void
}
let handlers: Handlers = {}
const makeElectron = () => {
  const answers = new Map<string, (event: object, ...told: unknown[]) => Promise<unknown>>()
  const app = Object.assign(new EventEmitter(), {
    requestSingleInstanceLock: () => isFirst,
    quit: () => steps.push('quit'),
    relaunch: () => steps.push('relaunch'),
    enableSandbox: () => steps.push('sandbox'),
    whenReady: () => Promise.resolve(),
    setAsDefaultProtocolClient: (scheme: string) => steps.push(`scheme ${scheme}`),
    getPath: () => folder,
    getLocale: () => 'en-GB',
    getLoginItemSettings: () => ({ openAtLogin: false }),
    setLoginItemSettings: () => undefined,
  })
  const ipcMain = Object.assign(new EventEmitter(), {
    handle: (channel: string, answer: (event: object, ...told: unknown[]) => Promise<unknown>) =>
      answers.set(channel, answer),
  })
  const defaultSession = Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: (handler: Handlers['permission']) => Object.assign(handlers, { permission: handler }),
    setPermissionCheckHandler: () => undefined,
    registerPreloadScript: ({ filePath }: { filePath: string }) => steps.push(`preload ${filePath.split('/').at(-1)}`),
    webRequest: {
      onBeforeSendHeaders: (handler: Handlers['headers']) => Object.assign(handlers, { headers: handler }),
    },
    cookies: {
      get: async () => [
        { name: 'cloudoc_session', value: 'secret', httpOnly: true },
        { name: 'cloudoc_account', value: '7', httpOnly: false },
      ],
    },
  })
  class Tray extends EventEmitter {
    setToolTip = (text: string): void => void tips.push(text)
    setContextMenu(): void {}
  }
  const shell = {
    openExternal: (url: string) => opened.push(url),
    openPath: async () => '',
    showItemInFolder: (path: string) => opened.push(path),
  }
  const screen = { getDisplayMatching: () => ({ id: 2, size: { width: 4, height: 3 }, scaleFactor: 2 }) }
  const desktopCapturer = {
    getSources: async ({ thumbnailSize: { width, height } }: { thumbnailSize: { width: number; height: number } }) => {
      steps.push(`capture ${width}x${height}`)
      return ['1', '2'].map((display_id) => ({
        display_id,
        thumbnail: { toPNG: () => new Uint8Array([Number(display_id)]) },
      }))
    },
  }
  const rest = {
    screen,
    desktopCapturer,
    Menu: { buildFromTemplate: () => ({}) },
    dialog: { showErrorBox: (title: string, text: string) => steps.push(`${title}: ${text}`) },
    crashReporter: { start: () => undefined },
  }
  return { app, ipcMain, session: { defaultSession }, Tray, shell, BrowserWindow: FakeWindow, answers, ...rest }
}
let tips: string[] = []
let electron = makeElectron()

async function start(more: Partial<ShellOptions> = {}): Promise<Shell> {
  ;[all, handlers, isFirst, isServerAway] = [[], {}, true, more.folder === 'away']
  electron = makeElectron()
  const shell = await startShell({
    ...{ electron: electron as unknown as ShellOptions['electron'], folder, preload: 'preload.cjs', icon: 'icon.png' },
    ...{ argv: ['cloudoc'], platform: 'win32', exitWaitMs: 20 },
    askMachine: async () => {
      steps.push('machine')
      return '00:1b:44:11:3a:b7'
    },
    askServer: async () => ({ devTools: false }),
    updates: join(folder, 'updates.json'),
    openLocally: (address) => opened.push(address),
    ...more,
    ...(more.folder === 'away' && { folder }),
  })
  if (shell === undefined) throw new Error('runs already')
  return shell
}
const main = (): FakeWindow => all[0] as FakeWindow
const eventOf = (window: FakeWindow, more: object = {}) => ({
  sender: window.webContents,
  senderFrame: { parent: null, url: window.url },
  ...more,
})
const ask = (what: string, event: object = eventOf(main())) => electron.answers.get(fromPage.query)?.(event, what)

describe('the start', () => {
  // [R368] The settings file, the preload scripts that it lists, then the machine address, then the window; a start with
  // the chat alone shows its download page. The page redirects phones before it starts ([R375]).
  test('[R368] goes in the documented order, and on without the machine address', async () => {
    await start()
    const order = steps.filter((step) => !step.startsWith('scheme'))
    expect(order).toEqual(['sandbox', 'preload company.js', 'machine', `load ${server}/`])
    expect(steps.filter((step) => step.startsWith('scheme'))).toHaveLength(Object.keys(localSchemes).length)
    vi.useFakeTimers()
    const late = start({ askMachine: () => new Promise(() => undefined) })
    await vi.advanceTimersByTimeAsync(100)
    vi.useRealTimers()
    void late
  })

  // [R306] With the main window closed, a chat window shows the page from which the main client is opened.
  test('[R306] shows the chat download page where the chat alone is open', async () => {
    await start({ argv: ['cloudoc', '--im'] })
    expect(main().url).toBe(`${server}/doc/im-download`)
    const shell = await start()
    await shell.open('im')
    main().emit('close', { preventDefault: () => steps.push('kept') })
    expect(steps.at(-1)).toBe('kept')
    expect(all[1]?.webContents.sent).toEqual([[toPage.route, '/doc/im-download']])
  })

  test('[R362] an address of the command line reaches the control program at a cold start and in the running instance', async () => {
    await start({ argv: ['cloudoc', '--', link] })
    electron.app.emit('second-instance', {}, ['cloudoc', '--', link])
    electron.app.emit('second-instance', {}, ['cloudoc', '--', link, '--remote-debugging-port=1'])
    expect(opened).toEqual([link, link])
    isFirst = false
    electron = makeElectron()
    const again = startShell({ electron: electron as unknown as ShellOptions['electron'] } as ShellOptions)
    expect(await again).toBeUndefined()
  })

  test('[R369] takes of the settings file what is valid', () => {
    expect(settingsOf({ server: 'https://a.example/', preloads: ['x.js', '/etc/x.js', 1], devTools: 1 }, '/c')).toEqual(
      {
        server: 'https://a.example',
        preloads: [join('/c', 'custom', 'x.js')],
        devTools: false,
        updateKey: '',
      },
    )
    expect(settingsOf('no', '/c').server).toBe('')
  })

  // [R369] The desktop client reads custom/setting.json of its installation, and of its server with a random query.
  test('[R369] asks the server for its settings file with a random query, and takes no script of it', async () => {
    const asked: string[] = []
    const askServer = async (address: string): Promise<unknown> => {
      asked.push(address)
      return { devTools: true, preloads: ['x.js'], server: 'https://evil.example' }
    }
    const shell = await start({ askServer })
    expect(asked).toEqual([expect.stringMatching(/\/custom\/setting\.json\?0\.\d+$/)])
    expect(shell.settings).toMatchObject({ server, devTools: true, preloads: [join(folder, 'custom', 'company.js')] })
    const away = await start({ askServer: () => Promise.reject(new Error('away')) })
    expect(away.settings).toMatchObject({ server, devTools: false })
  })

  test('says that the server is away, in a page of its own', async () => {
    await start({ folder: 'away' })
    expect(steps.at(-1)).toBe('file offline.html')
  })
})

describe('a page', () => {
  // [R001] In part (the desktop shell is proven by its main process, not with a released Electron binary): the web client
  // runs in the desktop shell too, which confines it.
  test('[R001] has nothing of Node, no function of the browser that is not named, and no other origin', async () => {
    await start()
    expect(optionsOf('main', { preload: 'p', platform: 'linux', devTools: false }).webPreferences).toMatchObject({
      ...{ sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true, webviewTag: false },
    })
    for (const address of [
      'file:///etc/passwd',
      'javascript:1',
      'chrome://x',
      'cloudoc-edit://open?x',
      'https://u:p@drive.example.com/',
      'data:text/html,x',
    ]) {
      expect(leadsTo(address, server), address).toBe('nowhere')
    }
    expect([leadsTo(`${server}/x`, server), leadsTo('https://drive.example.com.evil/', server)]).toEqual([
      'here',
      'browser',
    ])
    const event = { url: 'https://evil.example/', preventDefault: vi.fn<() => void>() }
    main().webContents.emit('will-navigate', event)
    expect([event.preventDefault.mock.calls.length, opened]).toEqual([1, ['https://evil.example/']])
    expect(main().webContents.openHandler?.({ url: 'file:///etc/passwd' })).toEqual({ action: 'deny' })
    expect(isPermitted('notifications', `${server}/x`, server)).toBe(true)
    for (const [permission, address] of [
      ['media', `${server}/`],
      ['geolocation', `${server}/`],
      ['notifications', 'https://evil.example/'],
    ] as const) {
      expect(isPermitted(permission, address, server)).toBe(false)
    }
  })

  test('[R370] of a frame or another origin is not heard', async () => {
    await start()
    for (const senderFrame of [
      { parent: {}, url: `${server}/` },
      { parent: null, url: 'https://evil.example/' },
      null,
    ]) {
      await expect(ask('cookies', eventOf(main(), { senderFrame }))).rejects.toThrow('refused')
    }
  })

  // [R363] The desktop client adds the machine address to every request to its
  // server, and to no other.
  test('[R363] sends the machine address to its own server alone', async () => {
    await start()
    const headersFor = (url: string): unknown => {
      let told: unknown
      handlers.headers?.({ url, requestHeaders: {} }, ({ requestHeaders }) => (told = requestHeaders))
      return told
    }
    expect(headersFor(`${server}/services2/x`)).toEqual({ 'x-cloudoc-machine': '00:1b:44:11:3a:b7' })
    expect(headersFor('https://other.example/')).toEqual({})
  })

  // [R370] The main process answers for cookies, whether the main server has account information, and diagnostics: local
  // and session storage and the state store of the page, and the command line.
  test('[R370] asks for cookies, the sign-in and diagnostics; no secret is among them', async () => {
    await start({ argv: ['cloudoc', '--', link] })
    expect(await ask('cookies')).toEqual([{ name: 'cloudoc_account', value: '7' }])
    const answered = async (what: string, value: unknown): Promise<unknown> => {
      const asked = ask(what)
      await vi.waitFor(() => expect(main().webContents.sent.length).toBeGreaterThan(0))
      const [, { id }] = main().webContents.sent.pop() as [string, { id: string }]
      electron.ipcMain.emit(id, { sender: main().webContents }, value)
      return asked
    }
    expect(await answered('authenticated', true)).toBe(true)
    const told = await answered('diagnostics', { localStorage: {}, sessionStorage: {}, state: {} })
    expect(told).toMatchObject({ localStorage: {}, commandLine: ['cloudoc', '--', expect.stringContaining('key=…')] })
  })
})

describe('windows', () => {
  test('[R366] [R367] main and im are pressed from any window; the others act on the window they are in', async () => {
    const shell = await start()
    await shell.open('window', '/window/x')
    const other = all[1] as FakeWindow
    const press = (name: string, button: string) => electron.ipcMain.emit(fromPage.button, eventOf(other), name, button)
    for (const button of ['minimize', 'maximize', 'maximize']) press('', button)
    press('main', 'minimize')
    expect([other.did, main().did]).toEqual([['minimize', 'maximize', 'unmaximize'], ['minimize']])
    press('', 'close')
    expect([other.did.at(-1), other.webContents.sent.at(-1)]).toEqual(['close', [toPage.closing]])
    for (const [name, bar] of [
      ['main', 'main'],
      ['im', 'im'],
      ['progress', 'progress'],
      ['window', 'default'],
    ] as const) {
      const frame = (platform: NodeJS.Platform) => optionsOf(name, { preload: '', platform, devTools: false })
      expect([frame('darwin').titleBarStyle, frame('win32').frame]).toEqual(['hidden', false])
      expect(frame('linux').webPreferences?.additionalArguments).toEqual([`--cloudoc-title-bar=${bar}`])
    }
  })

  // [R062] A message of another window shows the items that an address names in the main window.
  test('[R062] an address with items is shown in the main window, whichever window names it', async () => {
    const shell = await start()
    const im = await shell.open('im')
    const path = '/doc/folder/files?itemIdStr=s0f5,s0f6&focusItemIdStr=s0f5'
    const tell = (one: unknown) => electron.ipcMain.emit(fromPage.openInMain, eventOf(im as unknown as FakeWindow), one)
    for (const other of ['//evil.example.com/', 'https://evil.example.com/', 7]) tell(other)
    expect(main().webContents.sent).toEqual([])
    tell(path)
    expect([main().webContents.sent, main().did]).toEqual([[[toPage.route, path]], ['show', 'focus', 'moveTop']])
  })

  // [R131] A link file that is opened from the disk lists its items, in a window of its own.
  test('[R131] [R132] a file that the system opens lists its items; those of other servers do not', async () => {
    await start()
    const item = { serverId: 0, fType: 1, fId: 5, fName: '合同.docx' } as const
    const write = async (name: string, content: string): Promise<string> => {
      const path = join(folder, name)
      await writeFile(path, content)
      return path
    }
    const told = await write('合同.dmcd', writeCloudLink({ server, items: [item] }))
    const other = await write('other.dmcd', writeCloudLink({ server: 'https://other.example.com', items: [item] }))
    const mac = 'A'.repeat(43)
    const cld = await write('a.cld', `age-encryption.org/v1\n-> cloudoc 1 X fi_7,fo_8 3\nAAAA\n--- ${mac}\n`)
    for (const path of [told, other, 'relative.dmcd', join(folder, 'missing.cld'), cld]) {
      electron.app.emit('second-instance', {}, ['app', path])
    }
    const lists = () => steps.filter((step) => step.includes('cloudoc-dmcdFilelist'))
    await vi.waitFor(() => expect(lists()).toHaveLength(2))
    expect(lists().toSorted()).toEqual([
      `load ${server}/window/cloudoc-dmcdFilelist?itemIdStr=s0f5`,
      `load ${server}/window/cloudoc-dmcdFilelist?itemIdStr=s0f7%2Cs0f-8&version=3`,
    ])
  })

  // [R307] The main process is told when the connection closes: its tray says so.
  test('[R307] the tray says that the connection is closed, which the main window alone can tell', async () => {
    tips = []
    const shell = await start()
    const im = await shell.open('im')
    electron.ipcMain.emit(fromPage.connected, eventOf(im as unknown as FakeWindow), false)
    electron.ipcMain.emit(fromPage.connected, eventOf(main()), false)
    electron.ipcMain.emit(fromPage.connected, eventOf(main()), true)
    expect(tips).toEqual(['企业云文档', '企业云文档（未连接）', '企业云文档'])
  })

  // [R305] With im__screenshotsHideWindow a picture of the screen is taken without the window that asks for it.
  test('[R305] a picture is of the screen of the window, without the window if it is to hide', async () => {
    await start()
    const take = (hides: boolean) => electron.answers.get(fromPage.captureScreen)?.(eventOf(main()), hides)
    expect(await take(false)).toEqual(new Uint8Array([2]))
    expect(main().did).toEqual([])
    await take(true)
    expect(main().did).toEqual(['hide', 'show'])
    expect(steps.filter((step) => step.startsWith('capture'))).toEqual(['capture 8x6', 'capture 8x6'])
  })

  // [R365] The windows of connection diagnostics and of the log report are 470x450 and no smaller, and are one each.
  test('[R365] diagnostics and the log report have their sizes, and are one each', async () => {
    const shell = await start()
    for (const name of ['connection-diagnostics', 'log-report'] as const) {
      const size = optionsOf(name, { preload: '', platform: 'linux', devTools: false })
      expect(size).toMatchObject({ width: 470, height: 450, minWidth: 470, minHeight: 450 })
      electron.ipcMain.emit(fromPage.openWindow, eventOf(main()), name)
      const first = shell.windows.get(name)
      await shell.open(name)
      expect(shell.windows.get(name)).toBe(first)
    }
    expect(all).toHaveLength(3)
  })

  // [R364] A router change with {address}, http:// or https:// navigates the window; any other goes to the in-app router;
  // unless it is /empty the window is shown, focused and raised.
  test.each([
    ['{address}/doc/folder', `load ${server}/doc/folder`, [], true],
    [`${server}/x`, `load ${server}/x`, [], true],
    ['/doc/folder/5', '', [toPage.route, '/doc/folder/5'], true],
    // Items by their ids ([R062]).
    ['/doc/folder/files?itemIdStr=s0d7', '', [toPage.route, '/doc/folder/files?itemIdStr=s0d7'], true],
    ['/empty', '', [toPage.route, '/empty'], false],
  ])('[R364] to %s', async (target, step, sent, front) => {
    const shell = await start()
    const window = shell.windows.get('main')
    steps = []
    if (window !== undefined) shell.changeRoute(window, target)
    expect([steps[0] ?? '', main().webContents.sent[0] ?? [], main().did]).toEqual([
      step,
      sent,
      front ? ['show', 'focus', 'moveTop'] : [],
    ])
    expect(routeTarget('{address}', server)).toEqual({ kind: 'window', address: server })
  })
})

describe('the end', () => {
  // [R038] The main window is asked to take its accounts out of automatic sign-in and
  // to sign out; then, or without an answer, the program quits for the request type login and starts again for others.
  test.each([
    ['login', ['quit']],
    ['account', ['relaunch', 'quit']],
  ] as const)('[R038] for %s', async (reason, end) => {
    const shell = await start()
    steps = []
    const done = shell.exit(reason)
    expect(main().webContents.sent).toEqual([[toPage.exit, reason]])
    electron.ipcMain.emit(fromPage.finishExit, eventOf(main()))
    await done
    expect(steps).toEqual(end)
    steps = []
    await shell.exit(reason)
    expect(steps).toEqual(end)
  })

  test('[R039] only the main window is asked to sign out, and only it may ask for a new start', async () => {
    const shell = await start()
    await shell.open('im')
    shell.logout()
    expect([main().webContents.sent, all[1]?.webContents.sent]).toEqual([[[toPage.logout]], []])
    steps = []
    electron.ipcMain.emit(fromPage.relaunch, eventOf(all[1] as FakeWindow))
    expect(steps).toEqual([])
    electron.ipcMain.emit(fromPage.relaunch, eventOf(main()))
    expect(steps).toEqual(['relaunch', 'quit'])
  })
})

test('the configuration of electron-builder names files that are there, or that the bundle makes', () => {
  const root = join(import.meta.dirname, '..')
  const config = JSON.parse(readFileSync(join(root, 'electron-builder.json'), 'utf8')) as {
    files: string[]
    extraResources: { from: string }[]
    protocols: { schemes: string[] }[]
    win: { icon: string }
    mac: { icon: string }
    linux: { icon: string }
  }
  const named = [...config.extraResources.map(({ from }) => from), config.win.icon, config.mac.icon, config.linux.icon]
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(config.files).toEqual(['main.mjs', 'preload.cjs', 'package.json'])
  expect(config.protocols[0]?.schemes).toEqual(Object.values(localSchemes))
})

describe('a downloaded installer', () => {
  const day = 24 * 60 * 60_000
  const own = generateKeyPairSync('ed25519')
  const pem = (pair: typeof own): string => pair.publicKey.export({ format: 'pem', type: 'spki' })
  const installer = 'installer'
  interface Published {
    readonly generation?: number
    readonly version?: string
    readonly expires?: number
    readonly pair?: typeof own
    readonly content?: string
    readonly id?: number
  }
  const listOf = ({
    generation = 5,
    version = '6.2.0',
    expires = Date.now() + day,
    pair = own,
    ...more
  }: Published) => {
    const { content = installer, id = 7 } = more
    const sha256 = createHash('sha256').update(content).digest('hex')
    const program = { packageId: id, type: 'client', sys: 'windows', cpu: 'x64', version, size: content.length, sha256 }
    const signed = JSON.stringify({ generation, time: Date.now() - day, expires, programs: [program] })
    const signature = sign(null, Buffer.from(signed), pair.privateKey).toString('base64')
    return { result: -1, data: { signed, signature, publicKey: pem(pair) } }
  }
  const path = (): string => join(folder, '客户端 6.2.exe')

  /** Downloads an installer; returns what was said or shown then. */
  async function download(answer: object | undefined, text = installer, of = 'downloadClient/7'): Promise<string> {
    await start({ askServer: async () => answer ?? Promise.reject(new Error('away')) })
    let saved = ''
    const item = Object.assign(new EventEmitter(), {
      getURL: () => `${server}/services2/client/${of}`,
      getFilename: () => '../客户端 6.2.exe',
      setSavePath: (to: string) => {
        saved = to
      },
    })
    ;[steps, opened] = [[], []]
    electron.session.defaultSession.emit('will-download', {}, item)
    if (saved === '') return 'as in a browser'
    expect(saved).not.toBe(path())
    await writeFile(saved, text)
    item.emit('done', {}, 'completed')
    await expect.poll(() => steps.length + opened.length).toBeGreaterThan(0)
    expect(existsSync(saved)).toBe(false)
    expect(existsSync(path())).toBe(opened.length > 0)
    return opened[0] ?? steps[0] ?? ''
  }

  // [R373] An installer that is downloaded in the client counts only if the signed list of the server names it with its
  // length and hash; otherwise it is deleted, the person is told why, and the program works on.
  test('[R373] has its name once the list has been checked, and is deleted with the reason otherwise', async () => {
    expect(await download(listOf({}))).toBe(path())
    await rm(path())
    for (const [answer, why] of [
      [listOf({ pair: generateKeyPairSync('ed25519') }), /wrong signature/],
      [listOf({ generation: 4 }), /older list/],
      [listOf({ generation: 6, version: '6.1.9' }), /older version/],
      [listOf({ expires: Date.now() - 1000 }), /has expired/],
      [listOf({ id: 8 }), /differs/],
      [listOf({ content: 'another one' }), /differs/],
      [{ result: -1, data: { signed: '', signature: '', publicKey: '' } }, /wrong signature/],
      [{}, /wrong signature/],
      [undefined, /could not be checked/],
    ] as const)
      expect(await download(answer)).toMatch(why)
    expect(await download(listOf({}), 'install')).toMatch(/differs/)
    expect(await download(listOf({ generation: 6 }))).toBe(path())
    expect(await download(undefined, installer, 'other/7')).toBe('as in a browser')
  })

  test('[R373] counts by the key of the installation alone, also at the first time', async () => {
    const updateKey = pem(generateKeyPairSync('ed25519'))
    await writeFile(join(folder, 'custom', 'setting.json'), JSON.stringify({ server, updateKey }))
    expect(await download(listOf({}))).toMatch(/wrong signature/)
    await writeFile(join(folder, 'custom', 'setting.json'), JSON.stringify({ server, updateKey: pem(own) }))
    expect(await download(listOf({}))).toBe(path())
  })

  test('[R373] what was seen is not forgotten where its file cannot be read', async () => {
    await writeFile(join(folder, 'updates.json'), '{')
    expect(await download(listOf({}))).toMatch(/could not be checked/)
  })
})
