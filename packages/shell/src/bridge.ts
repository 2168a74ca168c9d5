// What the main process and the page say to each other: the names of the messages, and their contents.

/** Messages of the page. Only the main window may send those of `mainOnly`. */
export const fromPage = {
  button: 'shell:button',
  routed: 'shell:routed',
  ready: 'shell:ready',
  openPath: 'shell:open-path',
  showInFolder: 'shell:show-in-folder',
  saveFile: 'shell:save-file',
  openDevTools: 'shell:open-dev-tools',
  query: 'shell:query',
  finishExit: 'shell:finish-exit',
  relaunch: 'shell:relaunch',
  openWindow: 'shell:open-window',
  openInMain: 'shell:open-in-main',
  connected: 'shell:connected',
  captureScreen: 'shell:capture-screen',
} as const

/** Messages of the main process. */
export const toPage = {
  route: 'shell:route',
  closing: 'shell:closing',
  exit: 'shell:exit',
  logout: 'shell:logout',
  ask: 'shell:ask',
} as const

/** The title bar of a window, and the argument by which its preload script knows it ([R366]). */
export type TitleBar = 'main' | 'im' | 'progress' | 'default'
export const titleBarArgument = '--cloudoc-title-bar='

/** Buttons of title bars ([R366]). */
export type TitleButton = 'minimize' | 'maximize' | 'close'

/** Questions to the main process ([R370]). */
export type ShellQuery = 'cookies' | 'authenticated' | 'diagnostics' | 'machine'

/** Why the program ends: `login` quits, anything else starts it again ([R038]). */
export type ExitReason = 'login' | 'account' | 'cache'

/** What only the main window says and is asked ([R039]). */
export const mainOnly: readonly string[] = [fromPage.finishExit, fromPage.relaunch, fromPage.connected]
