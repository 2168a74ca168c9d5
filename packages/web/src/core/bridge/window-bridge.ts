/*
 * The buttons of title bars ([R366], [R367]) and what is behind them. A page in a browser moves only its own dialogs; the
 * desktop program, which puts `cloudocDesktop` on the window of the pages it shows, moves its windows as well.
 */

/** main and im are the windows of the program; the others act on the window they are part of. */
export type TitleBarVariant = 'main' | 'im' | 'progress' | 'modal' | 'default'
export type TitleButton = 'minimize' | 'maximize' | 'close'

/** What the desktop program offers. */
export interface DesktopProgram {
  readonly platform: 'windows' | 'mac' | 'linux'
  /** A message to its main process about one of its windows. */
  readonly message: (window: 'main' | 'im', button: TitleButton) => void
  /** Acts on the window that the page is in. */
  readonly act: (button: TitleButton) => void
}

/** What stands behind a title bar. */
export interface WindowBridge {
  /** The buttons of a title bar, from left to right. */
  readonly buttons: (variant: TitleBarVariant, resizable: boolean) => readonly TitleButton[]
  /** Presses a button on a window of the program. */
  readonly press: (variant: TitleBarVariant, button: TitleButton) => void
  /** Whether the page fills a window of the program, whose bar it draws. */
  readonly ownsWindow: boolean
}

function everyButton(variant: TitleBarVariant, resizable: boolean): readonly TitleButton[] {
  if (variant === 'main' || variant === 'im') return ['minimize', 'maximize', 'close']
  if (variant === 'progress') return ['minimize', 'close']
  if (variant === 'modal') return ['close']
  return resizable ? ['minimize', 'maximize', 'close'] : ['minimize', 'close']
}

/** In a browser the tab is not ours, and a dialog has nowhere to be minimised to. */
const browserBridge: WindowBridge = {
  buttons: (variant, resizable) =>
    variant === 'modal' || variant === 'default'
      ? everyButton(variant, resizable).filter((button) => button !== 'minimize')
      : [],
  press: () => undefined,
  ownsWindow: false,
}

function desktopBridge({ platform, message, act }: DesktopProgram): WindowBridge {
  return {
    // macOS draws its own.
    buttons: (variant, resizable) => (platform === 'mac' ? [] : everyButton(variant, resizable)),
    press: (variant, button) => (variant === 'main' || variant === 'im' ? message(variant, button) : act(button)),
    ownsWindow: true,
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
