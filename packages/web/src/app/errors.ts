// Handles uncaught errors. A refused call is shown as a warning ([R379], [R380]). For a code chunk that failed to load,
// a message says so and offers a reload if the server is reachable ([R066]). Every other error is a bug and is left to
// the console.
import { CallError } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import { ChunkError } from '../core/page/chunks.tsx'
import { reachServer } from '../core/push/connection.ts'
import { messageBox } from '../core/windows/boxes.ts'

/** Shows the error, unless it is marked quiet. */
export function reportError(error: unknown): void {
  if (error instanceof CallError) {
    const title = error.code === 'network' ? t('box.network') : t('box.warning')
    if (!error.quiet) void messageBox({ icon: 'warning', title, text: error.message })
  } else if (error instanceof ChunkError) void offerReload(error)
  else console.error(error)
}

let offering = false

async function offerReload(error: ChunkError): Promise<void> {
  if (offering) return
  offering = true
  // If the server is unreachable, the failure does not mean that the page is outdated, and a reload would lose its
  // state.
  if (!(await reachServer())) {
    await messageBox({ icon: 'warning', title: t('box.network'), text: t('api.network'), detail: error.message })
    offering = false
    return
  }
  const { button } = await messageBox({
    icon: 'warning',
    title: t('chunk.title'),
    text: error.message,
    detail: error.code,
    buttons: [
      { id: 'later', text: t('box.cancel') },
      { id: 'reload', text: t('chunk.reload'), kind: 'primary' },
    ],
  })
  offering = false
  if (button === 'reload') location.reload()
}

/** Shows uncaught errors. */
export function showUncaught(): void {
  window.addEventListener('unhandledrejection', (event) => {
    if (!(event.reason instanceof CallError || event.reason instanceof ChunkError)) return
    event.preventDefault()
    reportError(event.reason)
  })
  // A chunk preloaded for an import: Vite fires this event before the import itself fails.
  window.addEventListener('vite:preloadError', (event) => {
    event.preventDefault()
    reportError(new ChunkError(event.payload))
  })
}
