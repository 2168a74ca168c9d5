/*
 * What the desktop program does for a page ([R371]), and what it asks of it: other pages ([R364]), its end ([R038]),
 * signing out ([R039]), and its state ([R370]). In a browser nothing is asked, and the functions are not implemented.
 */

/** Thrown where only the desktop program can do something ([R371]). */
export class NotImplemented extends Error {
  override readonly name = 'NotImplemented'
  override readonly message = 'not implemented'
}

const missing = (): never => {
  throw new NotImplemented()
}

/** Opens a local copy with its program. */
export const openPath = async (path: string): Promise<string> => (window.cloudocDesktop?.openPath ?? missing)(path)

/** Shows a local copy in its folder. */
export const showInFolder = async (path: string): Promise<void> =>
  (window.cloudocDesktop?.showInFolder ?? missing)(path)

/** Saves a file where the person chooses; resolves to its path, empty if they did not. */
export const saveFile = async (name: string, bytes: Uint8Array): Promise<string> =>
  (window.cloudocDesktop?.saveFile ?? missing)(name, bytes)

/** Opens the developer tools. A browser does not let a page do that. */
export const openDevTools = (): void => (window.cloudocDesktop?.openDevTools ?? missing)()

/** Shows an address in the main window of the program. Returns whether there is a program. */
export function openInMain(path: string): boolean {
  window.cloudocDesktop?.openInMain?.(path)
  return window.cloudocDesktop?.openInMain !== undefined
}

/** Tells the program whether the page is connected with the server ([R307]). */
export const reportConnected = (isConnected: boolean): void => window.cloudocDesktop?.connected?.(isConnected)

/** Whether the program takes pictures of the screen. */
export const canCaptureScreen = (): boolean => window.cloudocDesktop?.captureScreen !== undefined

/** Takes a picture of the screen, without this window if `hides`; undefined if it cannot. */
export const captureScreen = async (hides: boolean): Promise<Uint8Array | undefined> =>
  (window.cloudocDesktop?.captureScreen ?? missing)(hides)

/** What the page does when the program asks. */
export interface DesktopRequests {
  readonly navigate: (path: string) => void
  /** Takes all accounts out of automatic sign-in. */
  readonly stopAutomaticSignIn: () => Promise<void>
  readonly signOut: () => Promise<void>
  /** Deletes the saved password of the main account. */
  readonly forgetMainAccount: () => Promise<void>
  readonly isAuthenticated: () => boolean
  /** The state store, for diagnostics; without secrets. */
  readonly state: () => unknown
}

/** Callbacks of windows that are being closed, called before they are ([R367]). */
const closing = new Set<() => void>()

/** Calls back before the window of the page closes; returns a function that stops it. */
export function beforeClose(told: () => void): () => void {
  closing.add(told)
  return () => void closing.delete(told)
}

/** Answers the desktop program, if the page runs in it; returns a function that stops it. */
export function answerDesktop(requests: DesktopRequests): () => void {
  const desktop = window.cloudocDesktop
  const stops = [
    desktop?.onRoute?.((target) => requests.navigate(target)),
    desktop?.onClosing?.(() => {
      for (const told of closing) told()
    }),
    desktop?.onExit?.((reason) => void exit(requests, reason)),
    desktop?.onLogout?.(() => void logout(requests)),
    desktop?.onAsk?.((what) => (what === 'authenticated' ? requests.isAuthenticated() : diagnosticsOf(requests))),
  ]
  return () => {
    for (const stop of stops) stop?.()
  }
}

/** All accounts without automatic sign-in, signed out whatever the server says, and then the program ends ([R038]). */
async function exit({ stopAutomaticSignIn, signOut }: DesktopRequests, reason: string): Promise<void> {
  await stopAutomaticSignIn().catch(() => undefined)
  await signOut().catch(() => undefined)
  window.cloudocDesktop?.finishExit?.(reason)
}

/** The saved password of the main account goes, then the program starts again ([R039]). */
async function logout({ forgetMainAccount }: DesktopRequests): Promise<void> {
  await forgetMainAccount().catch(() => undefined)
  window.cloudocDesktop?.relaunch?.()
}

const keysOf = (storage: Storage): readonly string[] => Object.keys(storage).toSorted()

/** Local and session storage by name, and the state store ([R370]). Values may be secret: they are not told. */
const diagnosticsOf = ({ state }: DesktopRequests): object => ({
  localStorage: keysOf(localStorage),
  sessionStorage: keysOf(sessionStorage),
  state: state(),
})
