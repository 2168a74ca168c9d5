// The drive: the files of the company, and the only door to them for the rest of the page.
import './drive.css'

import type * as TransferPages from './transfer/screens/transfer-page.tsx'

export { shareClipboard } from './actions/clipboard.ts'
export { FilesView } from './files/files-view.tsx'
export { folderPath } from './item/item.ts'
export { forgetDrive, onItemChange, refreshDrive, retryFailed } from './lists/lists.ts'
export { RecycleView } from './recycle/recycle-view.tsx'
export { SearchBox } from './search/search-box.tsx'
export { TransferSummary } from './transfer/screens/transfer-summary.tsx'
export { startTransfers } from './transfer/transfers.ts'
export { TreePane } from './tree/tree-pane.tsx'
export { driveWindows } from './windows.ts'

/** The pages of transfers, which come when they are opened. */
export function loadTransferPages(): Promise<typeof TransferPages> {
  return import('./transfer/screens/transfer-page.tsx')
}
