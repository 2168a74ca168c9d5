/*
 * The main process of the desktop client: start-up in the documented order ([R368]), windows with their title bars
 * ([R366], [R367]), router changes ([R364]), questions ([R370]), and the ends of the program ([R038], [R039]). Electron
 * is handed in, so that the same code runs in tests.
 */
import { randomUUID } from 'node:crypto'
import { open as openFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { controlWaitMs, localSchemes, longestEncryptedHeader, machineAddressHeader } from '@cloudoc/domain'
import type Electron from 'electron'
import { type ExitReason, fromPage, mainOnly, type ShellQuery, type TitleButton, toPage } from './bridge.ts'
import {
  comesToFront,
  deepLinkOf,
  isDeepLink,
  isPermitted,
  leadsTo,
  listAddressOf,
  openedFileOf,
  routeTarget,
} from './rules.ts'
import { readSettings, type ShellSettings, withServerSettings } from './settings.ts'
import { acceptInstaller, installerOf, refusalText, unchecked } from './updates.ts'
import { optionsOf, type ShellWindow, shapeOf } from './windows.ts'

type Window = Electron.BrowserWindow

export interface ShellOptions {
  readonly electron: Pick<
    typeof Electron,
    | 'app'
    | 'BrowserWindow'
    | 'ipcMain'
    | 'session'
    | 'shell'
    | 'dialog'
    | 'Tray'
    | 'Menu'
    | 'crashReporter'
    | 'desktopCapturer'
    | 'screen'
  >
  /** The folder of the installation, with `custom/setting.json`. */
  readonly folder: string
  readonly preload: string
  readonly icon: string
  readonly argv: readonly string[]
  readonly platform: NodeJS.Platform
  /** Asks the device socket for the machine address. */
  readonly askMachine: () => Promise<string>
  /** Reads a JSON file of the server. */
  readonly askServer: (address: string) => Promise<unknown>
  /** The file with what was seen of earlier lists of updates. */
  readonly updates: string
  /** Hands an address to the control program. */
  readonly openLocally: (address: string) => void
  /** Milliseconds that the page has to sign out before the program ends. */
  readonly exitWaitMs?: number
}

export interface Shell {
  readonly settings: ShellSettings
  readonly windows: ReadonlyMap<ShellWindow, Window>
  readonly open: (name: ShellWindow, path?: string) => Promise<Window>
  /** Asks a window for another page ([R364]). */
  readonly changeRoute: (window: Window, target: string) => void
  /** Ends the program ([R038]). */
  readonly exit: (reason: ExitReason) => Promise<void>
  /** Asks the main window to sign out, which then asks for a new start ([R039]). */
  readonly logout: () => void
}

const trayName = '企业云文档'
/** Milliseconds until the system has taken a hidden window off the screen. */
const hiddenMs = 300
/** The page that a chat window shows while the main window is closed ([R306], X81). */
const chatDownloadPath = '/doc/im-download'

/** Starts the client. Undefined where it runs already: that instance comes to the front and takes the address. */
export async function startShell(options: ShellOptions): Promise<Shell | undefined> {
  const { app, crashReporter } = options.electron
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return undefined
  }
  crashReporter.start({ uploadToServer: false })
  app.enableSandbox()
  for (const scheme of Object.values(localSchemes)) app.setAsDefaultProtocolClient(scheme, process.execPath, ['--'])
  await app.whenReady()
  const own = await readSettings(options.folder)
  const settings = await within(controlWaitMs, withServerSettings(own, options.askServer), own)
  const shell = new RunningShell(options, settings)
  await shell.start()
  return shell
}

class RunningShell implements Shell {
  readonly settings: ShellSettings
  readonly windows = new Map<ShellWindow, Window>()
  readonly #options: ShellOptions
  readonly #electron: ShellOptions['electron']
  #machine = ''
  #tray: Electron.Tray | undefined
  #exitDone: (() => void) | undefined
  #isEnding = false

  constructor(options: ShellOptions, settings: ShellSettings) {
    this.#options = options
    this.#electron = options.electron
    this.settings = settings
  }

  async start(): Promise<void> {
    const { app } = this.#electron
    const { argv, askMachine } = this.#options
    app.on('second-instance', (_, args) => this.#arrive(args))
    app.on('open-url', (event, address) => {
      event.preventDefault()
      if (isDeepLink(address)) this.#options.openLocally(address)
    })
    app.on('open-file', (event, path) => {
      event.preventDefault()
      void this.#list(path)
    })
    app.on('window-all-closed', () => undefined)
    app.on('activate', () => void this.open('main'))
    app.on('render-process-gone', () => void this.open('log-report'))
    this.#guard()
    this.#listen()
    for (const filePath of this.settings.preloads) {
      this.#electron.session.defaultSession.registerPreloadScript({ type: 'frame', filePath })
    }
    this.#machine = await within(controlWaitMs, askMachine(), '')
    this.#showTray()
    // Only the chat was started: without the main window it says where the files are.
    if (argv.includes('--im') && !argv.includes('--')) await this.open('im', chatDownloadPath)
    else await this.open('main')
    const link = deepLinkOf(argv)
    if (link !== undefined) this.#options.openLocally(link)
    const file = openedFileOf(argv)
    if (file !== undefined) await this.#list(file)
  }

  #arrive(args: readonly string[]): void {
    const link = deepLinkOf(args)
    const file = openedFileOf(args)
    if (file !== undefined) return void this.#list(file)
    if (link !== undefined) this.#options.openLocally(link)
    else void this.open('main')
  }

  async open(name: ShellWindow, path: string = shapeOf(name).path): Promise<Window> {
    const known = this.windows.get(name)
    if (known !== undefined && !known.isDestroyed() && shapeOf(name).single) {
      if (known.isMinimized()) known.restore()
      known.show()
      known.focus()
      return known
    }
    const { preload, platform } = this.#options
    const window = new this.#electron.BrowserWindow(
      optionsOf(name, { preload, platform, devTools: this.settings.devTools }),
    )
    this.windows.set(name, window)
    window.once('ready-to-show', () => window.show())
    window.on('close', (event) => this.#closing(name, event))
    window.on('closed', () => {
      if (this.windows.get(name) === window) this.windows.delete(name)
    })
    await window.loadURL(`${this.settings.server}${path}`).catch(() => this.#offline(window))
    return window
  }

  /** Without the server a page of the program says so, and tries again. */
  async #offline(window: Window): Promise<void> {
    await window.loadFile(join(this.#options.folder, 'offline.html'), { query: { server: this.settings.server } })
  }

  /** Closing the main window leaves the program in the tray; a chat window then says where the files are. */
  #closing(name: ShellWindow, event: Electron.Event): void {
    if (name !== 'main' || this.#isEnding) return
    event.preventDefault()
    this.windows.get('main')?.hide()
    const im = this.windows.get('im')
    if (im !== undefined) this.changeRoute(im, chatDownloadPath)
  }

  changeRoute(window: Window, target: string): void {
    const { server } = this.settings
    const leads = routeTarget(target, server)
    if (leads.kind === 'route') window.webContents.send(toPage.route, leads.path)
    else if (leadsTo(leads.address, server) === 'here') void window.loadURL(leads.address)
    else if (leadsTo(leads.address, server) === 'browser') void this.#electron.shell.openExternal(leads.address)
    if (!comesToFront(target)) return
    window.show()
    window.focus()
    window.moveTop()
  }

  /** Lists the items of a link file or an encrypted download. A file that is none of this server says nothing. */
  async #list(path: string): Promise<void> {
    const address = listAddressOf(path, await startOf(path), this.settings.server)
    if (address !== undefined) await this.open('window', address)
    else await this.open('main')
  }

  /** Shows an address in the main window, which is opened if it is not there ([R062]). */
  async #showInMain(path: string): Promise<void> {
    const known = this.windows.get('main')
    if (known === undefined) await this.open('main', path)
    else this.changeRoute(known, path)
  }

  /** A picture of the screen on which the window is, without it if it hides; undefined if the system gives none. */
  async #capture(window: Window, hides: boolean): Promise<Uint8Array | undefined> {
    const { desktopCapturer, screen } = this.#electron
    const { id, size, scaleFactor } = screen.getDisplayMatching(window.getBounds())
    const thumbnailSize = { width: size.width * scaleFactor, height: size.height * scaleFactor }
    try {
      if (hides) {
        window.hide()
        await within(hiddenMs, new Promise<undefined>(() => undefined), undefined)
      }
      const sources = await desktopCapturer.getSources({ types: ['screen'], thumbnailSize })
      const source = sources.find(({ display_id: display }) => display === String(id)) ?? sources[0]
      return source?.thumbnail.toPNG()
    } finally {
      if (hides) window.show()
    }
  }

  async exit(reason: ExitReason): Promise<void> {
    const { app } = this.#electron
    const done = Promise.withResolvers<void>()
    this.#exitDone = done.resolve
    this.windows.get('main')?.webContents.send(toPage.exit, reason)
    // The server or the page may not answer: the program ends all the same.
    const waited = this.windows.has('main') ? done.promise : Promise.resolve()
    await within(this.#options.exitWaitMs ?? 5000, waited, undefined)
    this.#isEnding = true
    if (reason !== 'login') app.relaunch()
    app.quit()
  }

  logout(): void {
    this.windows.get('main')?.webContents.send(toPage.logout)
  }

  /** What pages may do: nothing but their own server, and no function of the browser that is not named. */
  #guard(): void {
    const { app, session, shell } = this.#electron
    const { server } = this.settings
    const lead = (address: string): void => {
      if (leadsTo(address, server) === 'browser') void shell.openExternal(address)
    }
    app.on('web-contents-created', (_, contents) => {
      contents.on('will-navigate', (event) => {
        if (leadsTo(event.url, server) === 'here') return
        event.preventDefault()
        lead(event.url)
      })
      contents.on('will-redirect', (event) => {
        if (leadsTo(event.url, server) !== 'here') event.preventDefault()
      })
      contents.on('will-attach-webview', (event) => event.preventDefault())
      contents.setWindowOpenHandler(({ url }) => {
        if (isDeepLink(url)) this.#options.openLocally(url)
        else lead(url)
        return { action: 'deny' }
      })
    })
    const own = session.defaultSession
    own.setPermissionRequestHandler((contents, permission, answer) =>
      answer(isPermitted(permission, contents.getURL(), server)),
    )
    own.on('will-download', (_, item) => this.#download(item))
    own.setPermissionCheckHandler((_, permission, origin) => isPermitted(permission, origin, server))
    own.webRequest.onBeforeSendHeaders(({ url, requestHeaders }, answer) => {
      const isOwn = this.#machine !== '' && leadsTo(url, server) === 'here'
      answer({ requestHeaders: isOwn ? { ...requestHeaders, [machineAddressHeader]: this.#machine } : requestHeaders })
    })
  }

  /** Installers come into the folder of downloads, and are checked there; other files are downloaded as in a browser. */
  #download(item: Electron.DownloadItem): void {
    const packageId = installerOf(item.getURL(), this.settings.server)
    if (packageId === undefined) return
    const path = join(this.#electron.app.getPath('downloads'), basename(item.getFilename()))
    item.setSavePath(`${path}${unchecked}`)
    item.once('done', (_, state) => {
      if (state === 'completed') void this.#accept(packageId, path)
    })
  }

  async #accept(packageId: number, path: string): Promise<void> {
    const { app, dialog, shell } = this.#electron
    const { server, updateKey } = this.settings
    const { updates: file, askServer } = this.#options
    try {
      const source = { server, updateKey, file, askServer, now: Date.now }
      shell.showItemInFolder(await acceptInstaller(source, packageId, path))
    } catch (error) {
      const { title, text } = refusalText(error, app.getLocale())
      dialog.showErrorBox(title, text)
    }
  }

  /** Answers pages. A message of a frame or of another origin is not heard. */
  #listen(): void {
    const { ipcMain, shell, dialog } = this.#electron
    const on = (channel: string, heard: (window: Window, ...told: unknown[]) => void): void => {
      ipcMain.on(channel, (event, ...told: unknown[]) => {
        const window = this.#senderOf(event, channel)
        if (window !== undefined) heard(window, ...told)
      })
    }
    const handle = (channel: string, answer: (window: Window, ...told: unknown[]) => unknown): void => {
      ipcMain.handle(channel, async (event, ...told: unknown[]) => {
        const window = this.#senderOf(event, channel)
        if (window === undefined) throw new Error('refused')
        return answer(window, ...told)
      })
    }
    on(fromPage.button, (window, name, button) => this.#press(this.#windowOf(name) ?? window, button as TitleButton))
    on(fromPage.openWindow, (_, name) => {
      if (name === 'connection-diagnostics' || name === 'log-report' || name === 'im') void this.open(name)
    })
    on(fromPage.openDevTools, (window) => {
      if (this.settings.devTools) window.webContents.openDevTools()
    })
    on(fromPage.openInMain, (_, path) => {
      if (typeof path === 'string' && /^\/(?!\/)/.test(path)) void this.#showInMain(path)
    })
    on(fromPage.connected, (_, isConnected) => {
      this.#tray?.setToolTip(isConnected === true ? trayName : `${trayName}（未连接）`)
    })
    on(fromPage.finishExit, () => this.#exitDone?.())
    on(fromPage.relaunch, () => {
      this.#isEnding = true
      this.#electron.app.relaunch()
      this.#electron.app.quit()
    })
    handle(fromPage.openPath, (_, path) => (isLocalEdit(path) ? shell.openPath(path) : 'refused'))
    handle(fromPage.showInFolder, (_, path) => {
      if (isLocalEdit(path)) shell.showItemInFolder(path)
    })
    handle(fromPage.saveFile, async (window, name, bytes) => {
      if (typeof name !== 'string' || !(bytes instanceof Uint8Array)) throw new Error('refused')
      const { filePath } = await dialog.showSaveDialog(window, { defaultPath: name.replace(/[\\/:*?"<>|]/g, '_') })
      if (filePath === '') return ''
      await writeFile(filePath, bytes)
      return filePath
    })
    handle(fromPage.captureScreen, (window, hides) => this.#capture(window, hides === true))
    handle(fromPage.query, (_, what) => this.#answer(what as ShellQuery))
  }

  /** The window of a message of its own page; undefined for frames, other origins, and what only the main one says. */
  #senderOf(event: Electron.IpcMainEvent | Electron.IpcMainInvokeEvent, channel: string): Window | undefined {
    const window = this.#electron.BrowserWindow.fromWebContents(event.sender)
    const frame = event.senderFrame
    if (window === null || frame === null || frame.parent !== null) return undefined
    if (leadsTo(frame.url, this.settings.server) !== 'here') return undefined
    if (mainOnly.includes(channel) && this.windows.get('main') !== window) return undefined
    return window
  }

  #windowOf(name: unknown): Window | undefined {
    return name === 'main' || name === 'im' ? this.windows.get(name) : undefined
  }

  #press(window: Window, button: TitleButton): void {
    if (button === 'minimize') window.minimize()
    else if (button === 'maximize' && window.isMaximized()) window.unmaximize()
    else if (button === 'maximize') window.maximize()
    else if (button === 'close') {
      window.webContents.send(toPage.closing)
      window.close()
    }
  }

  async #answer(what: ShellQuery): Promise<unknown> {
    const { server } = this.settings
    const all = await this.#electron.session.defaultSession.cookies.get({ url: server })
    // The session cookie is what HttpOnly keeps from pages: it stays there.
    const cookies = all.filter(({ httpOnly }) => httpOnly !== true).map(({ name, value }) => ({ name, value }))
    if (what === 'cookies') return cookies
    if (what === 'machine') return this.#machine
    if (what === 'authenticated') return (await this.#ask('authenticated')) === true
    const commandLine = this.#options.argv.map((one) => one.replace(/([?&](key|token)=)[^&]*/g, '$1…'))
    return { ...((await this.#ask('diagnostics')) as object | undefined), commandLine }
  }

  /** Asks the main window, which alone answers ([R039]). */
  async #ask(what: 'authenticated' | 'diagnostics'): Promise<unknown> {
    const main = this.windows.get('main')
    if (main === undefined) return undefined
    const id = `shell:answer:${randomUUID()}`
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#electron.ipcMain.once(id, (event, value) => {
      resolve(event.sender === main.webContents ? value : undefined)
    })
    main.webContents.send(toPage.ask, { id, what })
    const answer = await within(2000, promise, undefined)
    this.#electron.ipcMain.removeAllListeners(id)
    return answer
  }

  #showTray(): void {
    const { app, Tray, Menu } = this.#electron
    this.#tray = new Tray(this.#options.icon)
    this.#tray.setToolTip(trayName)
    const { openAtLogin } = app.getLoginItemSettings()
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: '打开企业云文档', click: () => void this.open('main') },
        { label: '消息', click: () => void this.open('im') },
        { label: '连接诊断', click: () => void this.open('connection-diagnostics') },
        {
          ...{ label: '开机时启动', type: 'checkbox', checked: openAtLogin },
          click: ({ checked }) => app.setLoginItemSettings({ openAtLogin: checked }),
        },
        { type: 'separator' },
        { label: '退出', click: () => void this.exit('login') },
      ]),
    )
    this.#tray.on('click', () => void this.open('main'))
  }
}

/** Pages may open only what local editing has put on the disk. */
const isLocalEdit = (path: unknown): path is string =>
  typeof path === 'string' && /[\\/]edit_files[\\/]\d+-\d+[\\/][\w-]+[\\/][^\\/]+$/.test(path) && !path.includes('..')

/** The value, or another one once the time is over. */
async function within<T>(ms: number, value: Promise<T>, otherwise: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => resolve(otherwise), ms)
  try {
    return await Promise.race([value.catch(() => otherwise), promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The beginning of a file; empty if it cannot be read. */
async function startOf(path: string): Promise<Uint8Array> {
  try {
    await using file = await openFile(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestEncryptedHeader))
    return buffer.subarray(0, bytesRead)
  } catch {
    return new Uint8Array()
  }
}
