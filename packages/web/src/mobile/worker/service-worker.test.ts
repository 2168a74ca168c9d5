// What the service worker does with a push, and with a click on what it has shown.
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'

vi.mock('workbox-core', () => ({
  cacheNames: { prefix: 'cloudoc-shell', precache: 'cloudoc-shell-precache' },
  setCacheNameDetails: () => undefined,
}))
vi.mock('workbox-precaching', () => ({
  addRoute: () => undefined,
  cleanupOutdatedCaches: () => undefined,
  getCacheKeyForURL: (url: string) => `${url}?revision`,
  matchPrecache: (url: string) => Promise.resolve(url === '/assets/kept-1.js' ? new Response() : undefined),
  precache: () => undefined,
}))
vi.mock('workbox-routing', () => ({ NavigationRoute: function NavigationRoute() {}, registerRoute: () => undefined }))
vi.mock('workbox-strategies', () => ({ CacheFirst: function CacheFirst() {}, NetworkOnly: function NetworkOnly() {} }))

const listeners = new Map<string, (event: object) => void>()
const showNotification = vi.fn<(title: string, options: object) => Promise<void>>(() => Promise.resolve())
const openWindow = vi.fn<(url: string) => Promise<undefined>>(() => Promise.resolve(undefined))
const open: { focus: () => Promise<void> }[] = []
let release = '1'
const fetched = vi.fn<(url: string) => Promise<Response>>((url) =>
  Promise.resolve(
    new Response(url === '/m/index.html' ? `<script src="/assets/index-${release}.js"></script>` : 'code'),
  ),
)
const put = vi.fn<(key: string, answer: Response) => Promise<void>>(() => Promise.resolve())

beforeAll(async () => {
  vi.stubGlobal('self', {
    addEventListener: (name: string, run: (event: object) => void) => void listeners.set(name, run),
    registration: { showNotification },
    clients: { matchAll: () => Promise.resolve(open), openWindow },
  })
  vi.stubGlobal('shellFiles', [
    { url: '/m/index.html', revision: '1' },
    { url: '/assets/index-1.js', revision: null },
    { url: '/assets/kept-1.js', revision: null },
  ])
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('caches', { open: () => Promise.resolve({ put }) })
  vi.stubGlobal('optionalFiles', [])
  vi.stubGlobal('buildId', '1')
  await import('./service-worker.ts')
})
beforeEach(() => {
  vi.clearAllMocks()
  open.splice(0)
})

/** Dispatches an event as the browser does; resolves when the worker may be ended. */
async function dispatch(name: string, event: object): Promise<void> {
  const waited: Promise<unknown>[] = []
  listeners.get(name)?.({ ...event, waitUntil: (work: Promise<unknown>) => void waited.push(work) })
  await Promise.all(waited)
}

const words = { title: '林夏 请你审批', body: '展位清单.txt', path: '/m/approvals' }

test('a push is shown with its words, in place of the one before', async () => {
  await dispatch('push', { data: { json: () => words } })
  expect(showNotification.mock.calls).toEqual([[words.title, { body: words.body, tag: 'notices', data: words.path }]])
})

test('the worker is not ended before the notice is shown', async () => {
  let shown = (): void => undefined
  showNotification.mockReturnValueOnce(new Promise((resolve) => (shown = resolve)))
  let isOver = false
  const over = dispatch('push', { data: { json: () => words } }).then(() => (isOver = true))
  await Promise.resolve()
  expect(isOver).toBe(false)
  shown()
  await over
})

test('a push without words shows nothing', async () => {
  await dispatch('push', { data: null })
  expect(showNotification).not.toHaveBeenCalled()
})

test('a click closes the notice and opens what it is about where no page is open', async () => {
  const close = vi.fn<() => void>()
  await dispatch('notificationclick', { notification: { close, data: words.path } })
  expect(close).toHaveBeenCalledOnce()
  expect(openWindow.mock.calls).toEqual([[words.path]])
})

test('a click shows the page that is open, and leads it nowhere: it may hold a draft', async () => {
  const focus = vi.fn<() => Promise<void>>(() => Promise.resolve())
  open.push({ focus })
  await dispatch('notificationclick', { notification: { close: () => undefined, data: words.path } })
  expect(focus).toHaveBeenCalledOnce()
  expect(openWindow).not.toHaveBeenCalled()
})

test('what is missing of the shell is fetched again, and the page only if it is of the release of the worker', async () => {
  const stored = (): string[] => put.mock.calls.map(([key]) => key).toSorted()
  await dispatch('message', { data: 'fill' })
  expect(stored()).toEqual(['/assets/index-1.js?revision', '/m/index.html?revision'])
  put.mockClear()
  release = '2'
  await dispatch('message', { data: 'fill' })
  expect(stored()).toEqual(['/assets/index-1.js?revision'])
  put.mockClear()
  await dispatch('message', { data: 'other' })
  expect(stored()).toEqual([])
})
