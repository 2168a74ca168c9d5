/*
 * The service worker of the pages below /m. It keeps the files of one build, which hold nothing of anybody, and answers
 * for the page only where the network does not: a page from the network always is of the server's release. Calls and
 * contents are never answered here.
 */
import { cacheNames, setCacheNameDetails } from 'workbox-core'
import { addRoute, cleanupOutdatedCaches, getCacheKeyForURL, matchPrecache, precache } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkOnly } from 'workbox-strategies'

/** Filled in by the build: what the shell needs, and what is kept if it can be fetched. */
declare const shellFiles: readonly { readonly url: string; readonly revision: string | null }[]
declare const optionalFiles: readonly string[]
declare const buildId: string

const page = '/m/index.html'
const networkTimeoutSeconds = 5
/** Answers of a proxy whose server is away. */
const serverAway: readonly number[] = [502, 503, 504]

setCacheNameDetails({ prefix: 'cloudoc-shell', suffix: '' })
const optionalCache = `${cacheNames.prefix}-more-${buildId}`

precache([...shellFiles])
cleanupOutdatedCaches()

const network = new NetworkOnly({ networkTimeoutSeconds })
registerRoute(
  new NavigationRoute(
    async (asked) => {
      const answer = await network.handle(asked).catch(() => undefined)
      if (answer !== undefined && !serverAway.includes(answer.status)) return answer
      return (await matchPrecache(page)) ?? answer ?? Response.error()
    },
    { allowlist: [/^\/m\//] },
  ),
)
// Pages ask for the page of the server to compare their release with it.
registerRoute(({ url }) => url.pathname === page, new NetworkOnly())
// The files of the shell. Behind the routes of the page, which is one of them: it would be answered from the cache.
addRoute({ cleanURLs: false })
registerRoute(({ url }) => url.pathname.startsWith('/assets/'), new CacheFirst({ cacheName: optionalCache }))

interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

/** A file that cannot be fetched does not keep the worker from being installed. */
async function keepOptional(): Promise<void> {
  const cache = await caches.open(optionalCache)
  await Promise.allSettled(optionalFiles.map((file) => cache.add(file)))
}

async function dropOfOtherBuilds(): Promise<void> {
  const others = (await caches.keys()).filter(
    (name) => name.startsWith(`${cacheNames.prefix}-more-`) && name !== optionalCache,
  )
  await Promise.all(others.map((name) => caches.delete(name)))
}

/** Whether the page of the server is of the release of this worker. */
const isOwnRelease = (html: string): boolean => shellFiles.some(({ url }) => html.includes(`src="${url}"`))

/** Fetches what is missing of the shell: a page that did not start has dropped it. */
async function fillShell(): Promise<void> {
  const cache = await caches.open(cacheNames.precache)
  const fill = async (url: string): Promise<void> => {
    const key = getCacheKeyForURL(url)
    if (key === undefined || (await matchPrecache(url)) !== undefined) return
    const answer = await fetch(url, { cache: 'no-cache' })
    if (answer.ok && (url !== page || isOwnRelease(await answer.clone().text()))) await cache.put(key, answer)
  }
  await Promise.allSettled(shellFiles.map(({ url }) => fill(url)))
}

self.addEventListener('message', (event) => {
  if (event.data === 'fill') (event as unknown as WaitingEvent).waitUntil(fillShell())
})
self.addEventListener('install', (event) => (event as WaitingEvent).waitUntil(keepOptional()))
self.addEventListener('activate', (event) => (event as WaitingEvent).waitUntil(dropOfOtherBuilds()))

/** What the server sends (people/web-push). */
interface Words {
  readonly title: string
  readonly body: string
  readonly path: string
}
interface PushEvent extends WaitingEvent {
  readonly data: { json(): unknown } | null
}
interface Worker {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    matchAll(): Promise<readonly { focus(): Promise<unknown> }[]>
    openWindow(url: string): Promise<unknown>
  }
}
interface ClickEvent extends WaitingEvent {
  readonly notification: Notification
}
const worker = self as unknown as Worker

self.addEventListener('push', (event) => {
  const { data } = event as PushEvent
  if (data === null) return
  const { title, body, path } = data.json() as Words
  const shown = worker.registration.showNotification(title, { body, tag: 'notices', data: path })
  ;(event as WaitingEvent).waitUntil(shown)
})

/** A page that is open is shown; its drafts stay, so it is not led elsewhere. */
async function show(path: string): Promise<void> {
  const [open] = await worker.clients.matchAll()
  await (open === undefined ? worker.clients.openWindow(path) : open.focus())
}

self.addEventListener('notificationclick', (event) => {
  const { notification } = event as ClickEvent
  notification.close()
  ;(event as ClickEvent).waitUntil(show(String(notification.data)))
})
