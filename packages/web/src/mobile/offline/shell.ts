/*
 * Installs the pages below /m: the manifest, and the service worker that opens them without a network. Both need a
 * secure context. The worker keeps the files of the build only, nothing of an account.
 *
 * A page is loaded from the network whenever there is one. If it came from the worker nevertheless, because the network
 * was slow or away, it may be older than the server: this is checked at its start and when the server is back, and the
 * user is told once. Nothing is loaded again by itself, because there may be drafts.
 */
import { create } from 'zustand'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import { connectionStore } from '../../core/push/connection.ts'
import { toast } from '../../core/toast/toast.ts'

const scope = '/m/'
const noticeMs = 24 * 3600_000

/** What is missing for installing and for reading without a network. */
export type Missing = 'secure' | 'browser'

/** What this browser lacks; undefined if nothing. */
export function missingForOffline(): Missing | undefined {
  if (!isSecureContext) return 'secure'
  return 'serviceWorker' in navigator ? undefined : 'browser'
}

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

/** The browser's offer to install the pages; undefined if it makes none, or they are installed. */
export const installStore = create<{ readonly offer: InstallPrompt | undefined }>(() => ({ offer: undefined }))

window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  installStore.setState({ offer: event as InstallPrompt })
})

/** Shows the browser's own question. */
export async function install(): Promise<void> {
  const { offer } = installStore.getState()
  installStore.setState({ offer: undefined })
  await offer?.prompt()
}

function addManifest(): void {
  if (document.querySelector('link[rel=manifest]') !== null) return
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = currentLocale() === 'en' ? '/m/manifest.en.webmanifest' : '/m/manifest.webmanifest'
  document.head.append(link)
}

/** The registered worker; undefined where there is none. */
let registered: Promise<ServiceWorkerRegistration | undefined> = Promise.resolve(undefined)

export const registration = (): Promise<ServiceWorkerRegistration | undefined> => registered

const script = (): string | null => document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null

/** Whether the server has another release of the page than this one. */
async function isOld(): Promise<boolean> {
  const own = script()
  const response = await fetch('/m/index.html', { cache: 'no-store', headers: { accept: 'text/html' } })
  return own !== null && response.ok && !(await response.text()).includes(`"${own}"`)
}

async function tellIfOld(): Promise<void> {
  const old = await isOld().catch(() => false)
  if (!old) return
  toast({
    key: 'mobile updated',
    text: t('mobile.updated'),
    durationMs: noticeMs,
    action: { text: t('mobile.reload'), run: () => location.reload() },
  })
}

/** Starts the worker and the check for later releases. Returns the function that stops the check. */
export function startShell(): () => void {
  if (import.meta.env.DEV || missingForOffline() !== undefined) return () => undefined
  addManifest()
  registered = navigator.serviceWorker.register('/m/sw.js', { scope }).catch(() => undefined)
  // A page that did not start has dropped the files of the shell (index.html).
  void registered.then((made) => made?.active?.postMessage('fill'))
  void tellIfOld()
  return connectionStore.subscribe((now, before) => {
    if (now.reached && !before.reached) void tellIfOld()
  })
}
