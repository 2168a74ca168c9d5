// What nobody caught. A refused call is shown as a warning ([R379], [R380]); a part of the program that did not come says
// so, and offers to reload where the server is there ([R066]); everything else is a fault of ours and stays in the console.
import { CallError } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import { ChunkError } from '../core/page/chunks.tsx'
import { reachServer } from '../core/push/connection.ts'
import { messageBox } from '../core/windows/boxes.ts'

/** Says what went wrong, unless nobody is to be told. */
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
  // Without a server the part is no older than the page, and reloading would lose what is on it.
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

/** Shows what no code caught. */
export function showUncaught(): void {
  window.addEventListener('unhandledrejection', (event) => {
    if (!(event.reason instanceof CallError || event.reason instanceof ChunkError)) return
    event.preventDefault()
    reportError(event.reason)
  })
  // A part that the browser preloads for an import: vite tells of it before the import itself fails.
  window.addEventListener('vite:preloadError', (event) => {
    event.preventDefault()
    reportError(new ChunkError(event.payload))
  })
}
