// What was cut or copied in this page and waits for a paste.
import type { ItemRecord } from '@cloudoc/contract'
import { create } from 'zustand'

type Clipped = Pick<ItemRecord, 'fId' | 'fType' | 'fName' | 'parentFolderId'>

interface Clipboard {
  readonly mode: 'cut' | 'copy'
  readonly items: readonly Clipped[]
}

/** The clipboard of the drive. */
export const useClipboard = create<Clipboard>(() => ({ mode: 'copy', items: [] }))

/** Puts items on the clipboard. */
export function clip(mode: Clipboard['mode'], items: readonly Clipped[]): void {
  useClipboard.setState({ mode, items: [...items] })
}

/** Forgets what was cut or copied. */
export function clearClipboard(): void {
  useClipboard.setState({ mode: 'copy', items: [] })
}
