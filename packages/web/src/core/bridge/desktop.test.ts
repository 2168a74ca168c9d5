// @vitest-environment happy-dom
// What the desktop program asks of its page, and what a browser cannot do.
import { afterEach, expect, it, vi } from 'vitest'
import { answerDesktop, beforeClose, openDevTools, openPath, saveFile, showInFolder } from './desktop.ts'

type Told = Record<string, (value?: string) => unknown>

/** A desktop program that keeps what the page does, and calls it back. */
function desktop() {
  const did: string[] = []
  const told: Told = {}
  const on = (name: string) => (back: (value?: string) => unknown) => {
    told[name] = back
    return () => void did.push(`stop ${name}`)
  }
  vi.stubGlobal('cloudocDesktop', {
    platform: 'windows',
    finishExit: (reason: string) => did.push(`exit ${reason}`),
    relaunch: () => did.push('relaunch'),
    ...{ onRoute: on('route'), onClosing: on('closing'), onExit: on('exit'), onLogout: on('logout'), onAsk: on('ask') },
  })
  const step =
    (name: string, fails = false) =>
    async (): Promise<void> => {
      did.push(name)
      if (fails) throw new Error('no answer')
    }
  const stop = answerDesktop({
    navigate: (path) => void did.push(`navigate ${path}`),
    stopAutomaticSignIn: step('no automatic sign-in'),
    signOut: step('sign out', true),
    forgetMainAccount: step('forget'),
    isAuthenticated: () => true,
    state: () => ({ account: 7 }),
  })
  return { did, told, stop }
}

afterEach(() => vi.unstubAllGlobals())

// [R038] The end of the program: all accounts without automatic sign-in, sign-out whatever the server says, then the
// program quits for the request type login, or starts again.
// [R039] A logout request deletes the saved password of the main account and requests a new start.
it('[R038] [R039] signs out before the program ends, whatever the server says', async () => {
  const { did, told } = desktop()
  told['exit']?.('login')
  await vi.waitFor(() => expect(did).toEqual(['no automatic sign-in', 'sign out', 'exit login']), 60_000)
  did.length = 0
  told['logout']?.()
  await vi.waitFor(() => expect(did).toEqual(['forget', 'relaunch']), 60_000)
})

// [R062] The address of a folder and the items to focus also arrives by a message of the desktop program.
it('[R062] opens the items that a message of the program names', () => {
  const { did, told, stop } = desktop()
  told['route']?.('/doc/folder/files?itemIdStr=s0f-5&focusItemIdStr=s0d7,s0d8')
  expect(did).toEqual(['navigate /doc/folder/files?itemIdStr=s0f-5&focusItemIdStr=s0d7,s0d8'])
  stop()
})

it('[R364] [R367] [R370] goes where it is asked to, is told before its window closes, and tells its state', () => {
  const { did, told, stop } = desktop()
  localStorage.setItem('authKey', 'secret')
  told['route']?.('/doc/folder/5')
  const end = beforeClose(() => void did.push('closing'))
  told['closing']?.()
  end()
  told['closing']?.()
  expect(did).toEqual(['navigate /doc/folder/5', 'closing'])
  expect([told['ask']?.('authenticated'), told['ask']?.('diagnostics')]).toEqual([
    true,
    { localStorage: ['authKey'], sessionStorage: [], state: { account: 7 } },
  ])
  stop()
  expect(did.filter((one) => one.startsWith('stop'))).toHaveLength(5)
})

// [R371] In a browser opening a path, showing a folder and saving a file throw “not implemented”, and developer tools
// cannot be opened.
it('[R371] in a browser files of the computer are not opened, shown or saved', async () => {
  await expect(openPath('/a')).rejects.toThrow('not implemented')
  await expect(showInFolder('/a')).rejects.toThrow('not implemented')
  await expect(saveFile('a', new Uint8Array())).rejects.toThrow('not implemented')
  expect(openDevTools).toThrow('not implemented')
})
