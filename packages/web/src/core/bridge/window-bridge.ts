/*
 * The buttons of title bars ([R366], [R367]) and their effects. A page in a browser only moves its own dialogs. The
 * desktop program sets `cloudocDesktop` on the window object of its pages; its windows can be moved as well.
 */

/** main and im are windows of the desktop program. The others act on the window that contains them. */
export type TitleBarVariant = 'main' | 'im' | 'progress' | 'modal' | 'default'
export type TitleButton = 'minimize' | 'maximize' | 'close'

/** The interface of the desktop program. */
export interface DesktopProgram {
  readonly platform: 'windows' | 'mac' | 'linux'
  /** Which of its windows the page is in. */
  readonly window?: TitleBarVariant
  /** Sends a message to its main process about one of its windows. */
  readonly message: (window: 'main' | 'im', button: TitleButton) => void
  /** Acts on the window that contains the page. */
  readonly act: (button: TitleButton) => void
  /** What it does with files and with itself; see desktop.ts. */
  readonly openPath?: (path: string) => Promise<string>
  readonly showInFolder?: (path: string) => Promise<void>
  readonly saveFile?: (name: string, bytes: Uint8Array) => Promise<string>
  readonly openDevTools?: () => void
  /** Shows an address of the page in the main window ([R062]). */
  readonly openInMain?: (path: string) => void
  /** Says whether the page is connected with the server ([R307]). */
  readonly connected?: (isConnected: boolean) => void
  /** Takes a picture of the screen ([R305]), without this window if `hides`; undefined if it cannot. */
  readonly captureScreen?: (hides: boolean) => Promise<Uint8Array | undefined>
  readonly finishExit?: (reason: string) => void
  readonly relaunch?: () => void
  /** Each calls back until the returned function is called. */
  readonly onRoute?: (told: (target: string) => void) => () => void
  readonly onClosing?: (told: () => void) => () => void
  readonly onExit?: (told: (reason: string) => void) => () => void
  readonly onLogout?: (told: () => void) => () => void
  readonly onAsk?: (answer: (what: 'authenticated' | 'diagnostics') => unknown) => () => void
}

/** The actions behind a title bar. */
export interface WindowBridge {
  /** The buttons of a title bar, from left to right. */
  readonly buttons: (variant: TitleBarVariant, resizable: boolean) => readonly TitleButton[]
  /** Presses a button on a window of the desktop program. */
  readonly press: (variant: TitleBarVariant, button: TitleButton) => void
  /** Whether the page fills a window of the desktop program and draws its title bar. */
  readonly ownsWindow: boolean
  /** The title bar of the window that the page is in. */
  readonly variant: TitleBarVariant
  /** The system of the desktop program; undefined in a browser. */
  readonly platform: DesktopProgram['platform'] | undefined
}

function everyButton(variant: TitleBarVariant, resizable: boolean): readonly TitleButton[] {
  if (variant === 'main' || variant === 'im') return ['minimize', 'maximize', 'close']
  if (variant === 'progress') return ['minimize', 'close']
  if (variant === 'modal') return ['close']
  return resizable ? ['minimize', 'maximize', 'close'] : ['minimize', 'close']
}

/** A web page cannot control its browser tab, and a dialog cannot be minimised. */
const browserBridge: WindowBridge = {
  buttons: (variant, resizable) =>
    variant === 'modal' || variant === 'default'
      ? everyButton(variant, resizable).filter((button) => button !== 'minimize')
      : [],
  press: () => undefined,
  ownsWindow: false,
  variant: 'default',
  platform: undefined,
}

function desktopBridge({ platform, message, act, window: variant = 'default' }: DesktopProgram): WindowBridge {
  return {
    // macOS draws its own buttons.
    buttons: (variant, resizable) => (platform === 'mac' ? [] : everyButton(variant, resizable)),
    press: (variant, button) => (variant === 'main' || variant === 'im' ? message(variant, button) : act(button)),
    ownsWindow: true,
    variant,
    platform,
  }
}

declare global {
  interface Window {
    readonly cloudocDesktop?: DesktopProgram
  }
}

/** The bridge of the page. */
export function windowBridge(): WindowBridge {
  return window.cloudocDesktop === undefined ? browserBridge : desktopBridge(window.cloudocDesktop)
}
