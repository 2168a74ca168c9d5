/*
 * The preload script: the only seam between the page and the main process. It offers the page named messages with plain
 * data; the page gets no object of Electron or Node. It is bundled as CommonJS, since a sandboxed preload script has no
 * modules.
 */
import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import { type ExitReason, fromPage, type ShellQuery, type TitleButton, titleBarArgument, toPage } from './bridge.ts'

const platforms: Partial<Record<NodeJS.Platform, 'windows' | 'mac'>> = { win32: 'windows', darwin: 'mac' }

/** Calls back with the contents of a message; returns a function that stops it. */
function on(channel: string, told: (value: never) => void): () => void {
  // What a channel carries is known by its name alone.
  const listener = (_: IpcRendererEvent, value: unknown): void => told(value as never)
  ipcRenderer.on(channel, listener)
  return () => ipcRenderer.removeListener(channel, listener)
}

contextBridge.exposeInMainWorld('cloudocDesktop', {
  platform: platforms[process.platform] ?? 'linux',
  window: process.argv.find((one) => one.startsWith(titleBarArgument))?.slice(titleBarArgument.length) ?? 'default',
  message: (window: string, button: TitleButton) => ipcRenderer.send(fromPage.button, window, button),
  act: (button: TitleButton) => ipcRenderer.send(fromPage.button, '', button),
  openWindow: (name: string) => ipcRenderer.send(fromPage.openWindow, name),
  openPath: (path: string) => ipcRenderer.invoke(fromPage.openPath, path),
  showInFolder: (path: string) => ipcRenderer.invoke(fromPage.showInFolder, path),
  saveFile: (name: string, bytes: Uint8Array) => ipcRenderer.invoke(fromPage.saveFile, name, bytes),
  openInMain: (path: string) => ipcRenderer.send(fromPage.openInMain, path),
  connected: (isConnected: boolean) => ipcRenderer.send(fromPage.connected, isConnected),
  captureScreen: (hides: boolean) => ipcRenderer.invoke(fromPage.captureScreen, hides),
  openDevTools: () => ipcRenderer.send(fromPage.openDevTools),
  query: (what: ShellQuery) => ipcRenderer.invoke(fromPage.query, what),
  finishExit: (reason: ExitReason) => ipcRenderer.send(fromPage.finishExit, reason),
  relaunch: () => ipcRenderer.send(fromPage.relaunch),
  ready: () => ipcRenderer.send(fromPage.ready),
  routed: (target: string) => ipcRenderer.send(fromPage.routed, target),
  onRoute: (told: (target: string) => void) => on(toPage.route, told),
  onClosing: (told: () => void) => on(toPage.closing, told),
  onExit: (told: (reason: ExitReason) => void) => on(toPage.exit, told),
  onLogout: (told: () => void) => on(toPage.logout, told),
  onAsk: (answer: (what: 'authenticated' | 'diagnostics') => unknown) =>
    on(toPage.ask, ({ id, what }: { readonly id: string; readonly what: 'authenticated' | 'diagnostics' }) => {
      ipcRenderer.send(id, answer(what))
    }),
})
