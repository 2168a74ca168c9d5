// Viewing: the previewer, comparing versions, watermarks.
import type { AreaSession, PushReactions } from '../core/area/area.ts'
import type { Action } from '../core/menu/action.ts'
import { previewFile, print } from './menu.tsx'
import { offlineCopiesChanged, recheckOfflineCopies, startOfflineCopies } from './offline/offline-copies.ts'
import { onFileChange } from './shared/file-changes.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const adminPages = () => import('./admin-pages.tsx').then((module) => module.adminPages)
export { routes } from './pages.tsx'
export { viewingWindows as windows } from './windows.ts'

export const menu: readonly Action[] = [previewFile, print]

export const pushes = {
  fileChange(change) {
    offlineCopiesChanged(change)
    onFileChange(change)
  },
  folderChange: offlineCopiesChanged,
} satisfies PushReactions

/** Asks again for what is kept offline: pushes were missed. */
export function refetch(): void {
  recheckOfflineCopies()
}

export function start({ accountId }: AreaSession): () => void {
  return startOfflineCopies(accountId)
}
