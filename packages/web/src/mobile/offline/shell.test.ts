// @vitest-environment happy-dom
// The notice that the server has a later release than the page.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectionStore } from '../../core/push/connection.ts'
import { toastStore } from '../../core/toast/toast.ts'
import { startShell } from './shell.ts'

let served = ''
let stop: () => void = () => undefined
const reload = vi.fn<() => void>()
const register = vi.fn<(url: string, options: object) => Promise<undefined>>(() => Promise.resolve(undefined))
const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(() =>
  Promise.resolve(new Response(`<script type="module" src="${served}"></script>`)),
)
const notices = () => toastStore.getState().toasts.filter(({ key }) => key === 'mobile updated')

beforeEach(() => {
  vi.stubEnv('DEV', false)
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('fetch', fetched)
  Object.defineProperty(navigator, 'serviceWorker', { value: { register }, configurable: true })
  vi.spyOn(location, 'reload').mockImplementation(reload)
  const script = document.createElement('script')
  script.type = 'module'
  script.setAttribute('src', '/assets/index-1.js')
  vi.spyOn(document, 'querySelector').mockImplementation((query) => (query.startsWith('script') ? script : null))
  served = '/assets/index-1.js'
  connectionStore.setState({ reached: true })
})
afterEach(() => {
  stop()
  toastStore.setState({ toasts: [] })
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.clearAllMocks()
})

/** Starts the shell; resolves when it has compared the releases. */
async function start(): Promise<void> {
  stop = startShell()
  await compared(1)
}
const compared = async (times: number): Promise<void> => {
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(times))
  await Promise.all(fetched.mock.results.map(({ value }) => value as Promise<Response>))
  await vi.waitFor(async () => expect((await lastAnswer()).bodyUsed).toBe(true))
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}
const lastAnswer = (): Promise<Response> => fetched.mock.results.at(-1)?.value as Promise<Response>

test('a page of the release of the server tells nothing', async () => {
  await start()
  expect(notices()).toEqual([])
  expect(register.mock.calls).toEqual([['/m/sw.js', { scope: '/m/' }]])
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ cache: 'no-store' })
})

test('an older page tells once that there is a later release, and is loaded again only when asked to', async () => {
  served = '/assets/index-2.js'
  await start()
  await vi.waitFor(() => expect(notices()).toHaveLength(1))
  expect(reload).not.toHaveBeenCalled()
  connectionStore.setState({ reached: false })
  connectionStore.setState({ reached: true })
  await compared(2)
  expect(notices()).toHaveLength(1)
  expect(reload).not.toHaveBeenCalled()
  notices()[0]?.action?.run()
  expect(reload).toHaveBeenCalledOnce()
})

test('a release in mid-session is noticed when the server is back', async () => {
  await start()
  served = '/assets/index-2.js'
  connectionStore.setState({ reached: false })
  expect(notices()).toEqual([])
  connectionStore.setState({ reached: true })
  await vi.waitFor(() => expect(notices()).toHaveLength(1))
})

test('neither a server that is away nor its error page is a later release', async () => {
  fetched.mockRejectedValueOnce(new TypeError('fetch failed'))
  stop = startShell()
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1))
  served = ''
  fetched.mockResolvedValueOnce(new Response('maintenance', { status: 503 }))
  connectionStore.setState({ reached: false })
  connectionStore.setState({ reached: true })
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2))
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  expect(notices()).toEqual([])
})
