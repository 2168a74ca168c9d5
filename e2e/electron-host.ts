/*
 * A host for the desktop client where no Electron binary is: it offers the part of Electron that the client uses, over
 * Chromium. The bundled main process and preload script run on it as they are. It does not isolate the preload script
 * from the page; that is Electron's own work.
 */
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext, Page, Request, Route } from 'playwright-core'

interface WindowOptions {
  readonly width?: number
  readonly height?: number
  readonly webPreferences?: { readonly preload?: string; readonly additionalArguments?: readonly string[] }
}
interface MenuEntry {
  readonly label?: string
  readonly click?: (entry: { readonly checked: boolean }) => void
}
interface Said {
  readonly channel: string
  readonly args: readonly unknown[]
}
type Answer = (event: object, ...args: readonly unknown[]) => unknown
type OpenHandler = (told: { readonly url: string }) => unknown
type HeaderHandler = (
  told: { readonly url: string; readonly requestHeaders: Record<string, string> },
  answer: (told: { readonly requestHeaders: Record<string, string> }) => void,
) => void

/** What a page is opened with: the preload script, with the two objects of Electron that it asks for. */
const preloadOf = (source: string, args: readonly string[]): string => `(() => {
  if (window !== window.top || location.protocol === 'about:') return
  const heard = new Map()
  const told = (channel) => heard.get(channel) ?? heard.set(channel, []).get(channel)
  window.shellTold = (channel, args) => told(channel).forEach((back) => back({}, ...args))
  window.open = (address) => (window.shellSaid({ channel: 'open', args: [new URL(address, location.href).href] }), null)
  const ipcRenderer = {
    on: (channel, back) => void told(channel).push(back),
    removeListener: (channel, back) => void heard.set(channel, told(channel).filter((one) => one !== back)),
    send: (channel, ...args) => void window.shellSaid({ channel, args }),
    invoke: (channel, ...args) => window.shellSaid({ channel, args }),
  }
  const contextBridge = { exposeInMainWorld: (name, value) => Object.defineProperty(window, name, { value: Object.freeze(value) }) }
  const require = (name) => { if (name === 'electron') return { contextBridge, ipcRenderer }; throw new Error(name) }
  const process = { platform: 'win32', argv: ${JSON.stringify(args)} }
  const module = { exports: {} }
  ;((require, module, exports, process) => { ${source}\n })(require, module, module.exports, process)
})()`

/** The host: Electron for the client, and what a test sees and does. */
export class ElectronHost {
  /** What was asked of the system: addresses that were opened, windows that were minimised, the end. */
  readonly did: string[] = []
  readonly pages = new Map<string, Page>()
  readonly #context: BrowserContext
  readonly #folder: string
  readonly #answers = new Map<string, Answer>()
  #menu: readonly MenuEntry[] = []
  #headers: HeaderHandler | undefined
  readonly electron: Readonly<Record<string, unknown>>

  constructor(context: BrowserContext, folder: string) {
    this.#context = context
    this.#folder = folder
    this.electron = this.#electron()
  }

  /** Runs the main process of a folder, in which the module of Electron is this host. */
  async run(): Promise<void> {
    const module = join(this.#folder, 'node_modules', 'electron')
    await mkdir(module, { recursive: true })
    await writeFile(
      join(module, 'package.json'),
      JSON.stringify({ name: 'electron', type: 'module', main: 'index.js' }),
    )
    const names = Object.keys(this.electron).join(', ')
    await writeFile(join(module, 'index.js'), `export const { ${names} } = globalThis.electronHost\n`)
    Object.assign(globalThis, { electronHost: this.electron })
    await import(pathToFileURL(join(this.#folder, 'main.mjs')).href)
  }

  /** Chooses an entry of the tray's menu. */
  choose(label: string): void {
    const entry = this.#menu.find((one) => one.label === label)
    if (entry?.click === undefined) throw new Error(`the menu has no ${label}`)
    entry.click({ checked: true })
  }

  #electron() {
    const { did: done, pages } = this
    const did = (what: string) => (): void => void done.push(what)
    const openPage: ElectronHost['open'] = (...about) => this.open(...about)
    const app = Object.assign(new EventEmitter(), {
      isPackaged: false,
      getAppPath: () => this.#folder,
      getPath: () => this.#folder,
      getLocale: () => 'zh-CN',
      requestSingleInstanceLock: () => true,
      enableSandbox: did('sandbox'),
      whenReady: () => Promise.resolve(),
      setAsDefaultProtocolClient: () => true,
      getLoginItemSettings: () => ({ openAtLogin: false }),
      setLoginItemSettings: ({ openAtLogin }: { openAtLogin: boolean }) => this.did.push(`at login ${openAtLogin}`),
      quit: did('quit'),
      relaunch: did('relaunch'),
    })
    const ipcMain = Object.assign(new EventEmitter(), {
      handle: (channel: string, answer: Answer) => this.#answers.set(channel, answer),
    })
    const defaultSession = Object.assign(new EventEmitter(), {
      setPermissionRequestHandler: () => undefined,
      setPermissionCheckHandler: () => undefined,
      registerPreloadScript: () => undefined,
      webRequest: {
        onBeforeSendHeaders: (handler: HeaderHandler) => {
          this.#headers = handler
        },
      },
      cookies: { get: ({ url }: { url: string }) => this.#context.cookies(url) },
    })

    class WebContents extends EventEmitter {
      openHandler: OpenHandler | undefined
      readonly window: BrowserWindow
      constructor(window: BrowserWindow) {
        super()
        this.window = window
      }
      getURL(): string {
        return this.window.page?.url() ?? ''
      }
      setWindowOpenHandler(handler: OpenHandler): void {
        this.openHandler = handler
      }
      openDevTools(): void {
        done.push('developer tools')
      }
      send(channel: string, ...args: readonly unknown[]): void {
        const tell = ([to, values]: readonly [string, readonly unknown[]]): void =>
          (globalThis as unknown as { shellTold: (to: string, values: readonly unknown[]) => void }).shellTold(
            to,
            values,
          )
        // A page that is not there yet, or not any more, does not hear it.
        this.window.opened.then((page) => page.evaluate(tell, [channel, args] as const)).catch(() => undefined)
      }
    }

    class BrowserWindow extends EventEmitter {
      readonly webContents = new WebContents(this)
      readonly opened: Promise<Page>
      page: Page | undefined
      readonly #name: string
      #isMaximized = false
      #isGone = false

      constructor({ width = 800, height = 600, webPreferences = {} }: WindowOptions) {
        super()
        const { preload, additionalArguments = [] } = webPreferences
        this.#name = additionalArguments.join(' ').replace(/.*=/, '')
        app.emit('web-contents-created', {}, this.webContents)
        const source = preload === undefined ? '' : readFileSync(preload, 'utf8')
        this.opened = openPage(this.webContents, preloadOf(source, additionalArguments), { width, height })
        this.opened.then(
          (page) => {
            this.page = page
          },
          () => undefined,
        )
      }
      async loadURL(url: string): Promise<void> {
        const page = await this.opened
        pages.set(this.#name, page)
        await page.goto(url)
        this.emit('ready-to-show')
      }
      loadFile = (path: string): Promise<void> => this.loadURL(pathToFileURL(path).href)
      isDestroyed = (): boolean => this.#isGone
      isMinimized = (): boolean => false
      isMaximized = (): boolean => this.#isMaximized
      maximize(): void {
        this.#isMaximized = true
        this.#act('maximize')
      }
      unmaximize(): void {
        this.#isMaximized = false
        this.#act('restore')
      }
      minimize = (): void => this.#act('minimize')
      hide = (): void => this.#act('hide')
      show = (): void => undefined
      restore = (): void => undefined
      focus = (): void => undefined
      moveTop = (): void => undefined
      getBounds = (): object => ({})
      close(): void {
        let isKept = false
        this.emit('close', {
          preventDefault: () => {
            isKept = true
          },
        })
        if (isKept) return
        this.#isGone = true
        pages.delete(this.#name)
        this.emit('closed')
        void this.opened.then((page) => page.close())
      }
      #act(what: string): void {
        done.push(`${what} ${this.#name}`)
      }
      static fromWebContents = ({ window }: WebContents): BrowserWindow => window
    }

    class Tray extends EventEmitter {
      setToolTip = (text: string): void => void done.push(text)
      setContextMenu = (): void => undefined
    }
    return {
      ...{ app, ipcMain, BrowserWindow, Tray, session: { defaultSession } },
      Menu: {
        buildFromTemplate: (entries: readonly MenuEntry[]) => {
          this.#menu = entries
        },
      },
      shell: {
        openExternal: (url: string) => this.did.push(`browser ${url}`),
        openPath: () => Promise.resolve(''),
        showItemInFolder: (path: string) => this.did.push(`folder ${path}`),
      },
      dialog: { showErrorBox: (title: string, text: string) => this.did.push(`${title} ${text}`) },
      crashReporter: { start: () => undefined },
      net: { fetch },
      desktopCapturer: { getSources: () => Promise.resolve([]) },
      screen: { getDisplayMatching: () => ({ id: 1, size: { width: 1, height: 1 }, scaleFactor: 1 }) },
    }
  }

  /** Opens the page of a window. */
  async open(
    contents: EventEmitter & { readonly openHandler: OpenHandler | undefined },
    preload: string,
    viewport: { readonly width: number; readonly height: number },
  ): Promise<Page> {
    const { ipcMain, session } = this.electron as {
      ipcMain: EventEmitter
      session: { defaultSession: EventEmitter }
    }
    const page = await this.#context.newPage()
    await page.setViewportSize(viewport)
    await page.exposeBinding('shellSaid', ({ frame }, { channel, args }: Said) => {
      if (channel === 'open') return void contents.openHandler?.({ url: String(args[0]) })
      const senderFrame = { url: frame.url(), parent: frame.parentFrame() }
      const event = { sender: contents, senderFrame }
      const answer = this.#answers.get(channel)
      return answer === undefined ? void ipcMain.emit(channel, event, ...args) : answer(event, ...args)
    })
    await page.addInitScript(preload)
    await page.route('**/*', (route) => this.#request(page, contents, route))
    page.on('download', (download) => {
      const item = Object.assign(new EventEmitter(), {
        getURL: () => download.url(),
        getFilename: () => download.suggestedFilename(),
        setSavePath: (path: string) => void download.saveAs(path).then(() => item.emit('done', {}, 'completed')),
      })
      session.defaultSession.emit('will-download', {}, item)
    })
    return page
  }

  /** A navigation of a page is first told to the main process, which may prevent it; so are the headers. */
  async #request(page: Page, contents: EventEmitter, route: Route): Promise<void> {
    const request: Request = route.request()
    let isPrevented = false
    if (request.isNavigationRequest() && request.frame() === page.mainFrame() && page.url() !== 'about:blank')
      contents.emit('will-navigate', {
        url: request.url(),
        preventDefault: () => {
          isPrevented = true
        },
      })
    if (isPrevented) return route.abort('aborted')
    let headers = request.headers()
    this.#headers?.({ url: request.url(), requestHeaders: headers }, ({ requestHeaders }) => {
      headers = requestHeaders
    })
    return route.continue({ headers })
  }
}
