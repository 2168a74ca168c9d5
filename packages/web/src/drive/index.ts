// The drive: the files of the company, and the only door to them for the rest of the page.
import './drive.css'

export { shareClipboard } from './clipboard.ts'
export { FilesView } from './files/files-view.tsx'
export { forgetDrive, onItemChange, refreshDrive } from './lists.ts'
export { RecycleView } from './recycle/recycle-view.tsx'
export { SearchBox } from './search/search-box.tsx'
export { TransferSummary } from './transfer/transfer-summary.tsx'
export { TreePane } from './tree/tree-pane.tsx'
export { driveWindows } from './windows.ts'
