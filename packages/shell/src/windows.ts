// The windows of the desktop client, with their documented sizes and title bars ([R078], [R365], [R366]).
import type { BrowserWindowConstructorOptions } from 'electron'
import { type TitleBar, titleBarArgument } from './bridge.ts'

export type ShellWindow = 'main' | 'im' | 'progress' | 'connection-diagnostics' | 'log-report' | 'window'

interface WindowShape {
  readonly path: string
  readonly width: number
  readonly height: number
  readonly minWidth?: number
  readonly minHeight?: number
  readonly resizable: boolean
  /** A second request shows the window that is there. */
  readonly single: boolean
}

const shapes: Readonly<Record<ShellWindow, WindowShape>> = {
  main: { path: '/', width: 1180, height: 760, minWidth: 1030, minHeight: 690, resizable: true, single: true },
  im: { path: '/im', width: 960, height: 680, minWidth: 760, minHeight: 520, resizable: true, single: true },
  progress: { path: '/progress', width: 450, height: 180, resizable: false, single: true },
  'connection-diagnostics': {
    ...{ path: '/window/connection-diagnostics', width: 470, height: 450, minWidth: 470, minHeight: 450 },
    ...{ resizable: true, single: true },
  },
  'log-report': {
    ...{ path: '/window/log-report', width: 470, height: 450, minWidth: 470, minHeight: 450 },
    ...{ resizable: true, single: true },
  },
  window: { path: '', width: 900, height: 640, resizable: true, single: false },
}

export const shapeOf = (name: ShellWindow): WindowShape => shapes[name]

/** macOS draws its buttons over every page; elsewhere pages draw the title bar. */
const barOf = (platform: NodeJS.Platform): BrowserWindowConstructorOptions =>
  platform === 'darwin' ? { titleBarStyle: 'hidden' } : { frame: false }

/** The title bar that the page of a window draws. */
const variantOf = (name: ShellWindow): TitleBar =>
  name === 'main' || name === 'im' || name === 'progress' ? name : 'default'

/** The options of a window. Its page is confined: no Node, no access to the objects of the preload script. */
export function optionsOf(
  name: ShellWindow,
  { preload, platform, devTools }: { preload: string; platform: NodeJS.Platform; devTools: boolean },
): BrowserWindowConstructorOptions {
  const { path: _, single: __, ...size } = shapes[name]
  return {
    ...size,
    show: false,
    backgroundColor: '#1f2329',
    ...barOf(platform),
    webPreferences: {
      preload,
      additionalArguments: [`${titleBarArgument}${variantOf(name)}`],
      devTools,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
    },
  }
}
