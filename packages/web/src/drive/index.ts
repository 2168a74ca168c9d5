// The drive: the files of the company, and the only door to them for the rest of the page.
export { type ItemAction, itemLists } from './actions/item-action.ts'
export { FileIcon, FolderIcon } from './item/file-icon.tsx'
export { folderPath, itemIdStr, nameInText } from './item/item.ts'
export { WatermarkOver } from './preview/watermark.tsx'
export { Effect as RightsEffect } from './rights/effect.tsx'
export { givingOptions as givingRights, maskText as rightsText } from './rights/words.ts'
export { SearchBox } from './search/search-box.tsx'
export { TransferSummary } from './transfer/screens/transfer-summary.tsx'
