// Transfers: uploads and downloads that outlive the page that began them.
import type { AreaSession, FrameParts } from '../core/area/area.ts'
import { mainServer } from '../core/call/api.ts'
import type { Action } from '../core/menu/action.ts'
import { folderPath } from '../items/item/item.ts'
import { TransferSummary } from './screens/transfer-summary.tsx'
import * as actions from './tasks/menu.tsx'
import { startTransfers } from './tasks/transfers.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { rail, routes } from './pages.tsx'
export { transferWindows as windows } from './windows.ts'

export const frame: FrameParts = { status: TransferSummary }

export const menu: readonly Action[] = [
  actions.downloadItems,
  actions.downloadSmaller,
  actions.downloadAsPdf,
  actions.downloadWithMark,
  actions.exportFolders,
  actions.uploadFiles,
  actions.uploadFolder,
]

export function start({ accountId, navigate }: AreaSession): () => void {
  return startTransfers(accountId, (folderId) => navigate(folderPath({ ...mainServer, fId: folderId })))
}
