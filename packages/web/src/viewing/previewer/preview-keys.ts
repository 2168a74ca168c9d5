// The keys of the previewer.
import type { KeyboardEvent } from 'react'
import { t } from '../../core/i18n/i18n.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import type { PreviewFile } from '../../items/actions/preview-file.ts'
import { isPrintable } from '../shared/printable.ts'
import type { Printing } from './use-printing.ts'

interface PreviewKeys {
  readonly root: HTMLElement | null
  readonly file: PreviewFile
  /** The position of the file, and the number of files. */
  readonly at: number
  readonly total: number
  readonly printing: Printing
  readonly onTurn: (at: number) => void
  readonly onFind: () => void
  readonly onLeave: () => void
}

export function onPreviewKey(event: KeyboardEvent, { root, file, at, total, ...keys }: PreviewKeys): void {
  const { printing, onTurn, onFind, onLeave } = keys
  // Keys in a comment field are text input.
  if (event.target instanceof HTMLTextAreaElement || (event.target as HTMLElement).isContentEditable) return
  // Audio, video and sliders have their own keys.
  const inMedia = event.target instanceof HTMLMediaElement || event.target instanceof HTMLInputElement
  const isSpace = event.key === ' ' && !inMedia && !(event.target instanceof HTMLButtonElement)
  const player = root?.querySelector<HTMLMediaElement>('.pv-body :is(video, audio)')
  if (isSpace && player) void turnPlaying(player)
  else if (event.key === 'Escape' || isSpace) onLeave()
  else if (event.key === 'ArrowLeft' && !inMedia && at > 0) onTurn(at - 1)
  else if (event.key === 'ArrowRight' && !inMedia && at < total - 1) onTurn(at + 1)
  else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') onFind()
  else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'p') {
    if (printing.isAllowed && !printing.isBusy) void printing.print()
    else if (printing.isSecure) notifyFailure(t('drive.preview.secureWhy'))
    else if (!printing.isAllowed)
      notifyFailure(t(isPrintable(file.fName) ? 'drive.preview.noPrint' : 'drive.preview.noPrintKind'))
  } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
    const key = event.key === '=' ? '+' : event.key.toLowerCase()
    if (inMedia || (ways.has(key) && (event.defaultPrevented || isWithin(event.target as Element)))) return
    const button = root?.querySelector<HTMLButtonElement>(`[data-key="${CSS.escape(key)}"]`)
    if (button) button.click()
    else if (!ways.has(key)) return
    else if (root?.querySelector('.pv-image')) {
      if (key === 'home' || key === 'end') onTurn(key === 'home' ? 0 : total - 1)
    } else leadWithin(root, event.key)
  } else return
  event.preventDefault()
  event.stopPropagation()
}

async function turnPlaying(player: HTMLMediaElement): Promise<void> {
  if (player.paused) await player.play().catch(() => undefined)
  else player.pause()
}

/** The navigation keys of a viewer. */
const ways: ReadonlySet<string> = new Set(['arrowup', 'arrowdown', 'pageup', 'pagedown', 'home', 'end'])

/** The focused element handles navigation keys itself. */
const isWithin = (target: Element): boolean =>
  target.closest('.pv-body, .pv-side') !== null && target.closest('[role="toolbar"], .pv-next') === null

/** Passes a navigation key to the viewer if the focus is on a button outside of it, and focuses the viewer. */
function leadWithin(root: HTMLElement | null, key: string): void {
  const room = root?.querySelector<HTMLElement>('.rd-slide-room, .pv-scroll[tabindex]')
  if (!room) return
  room.focus({ preventScroll: true })
  const page = room.clientHeight * 0.9
  const by: Readonly<Record<string, number>> = {
    ArrowUp: -48,
    ArrowDown: 48,
    PageUp: -page,
    PageDown: page,
    Home: -room.scrollHeight,
    End: room.scrollHeight,
  }
  // The slide viewer handles these keys itself.
  const isTaken = !room.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  if (!isTaken) room.scrollBy({ top: by[key] ?? 0 })
}
