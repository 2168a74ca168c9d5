// Viewing: the previewer, comparing versions, watermarks.
import type { PushReactions, StartedFor } from '../core/area/area.ts'
import type { Action } from '../core/menu/action.ts'
import { previewFile, print } from './menu.tsx'
import { checkKept, keptChanged, startKeeping } from './offline/offline-copies.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { adminPages, routes } from './pages.tsx'
export { viewingWindows as windows } from './windows.ts'

export const menu: readonly Action[] = [previewFile, print]

export const pushes = { fileChange: keptChanged, folderChange: keptChanged } satisfies PushReactions

/** Asks again for what is kept offline: pushes were missed. */
export function refetch(): void {
  checkKept()
}

export function start({ accountId }: StartedFor): () => void {
  return startKeeping(accountId)
}
