// The preview and print actions of item lists.
import type { ItemRecord } from '@cloudoc/contract'
import { rules } from '../items/actions/actions.ts'
import { flatLists, type ItemAction, itemLists } from '../items/actions/item-action.tsx'
import { notifyFailure } from '../items/actions/operations.ts'
import { isFolder } from '../items/item/item.ts'
import { Eye20Regular, Print20Regular } from '../kit/icons.ts'
import { isPrintable } from './shared/printable.ts'

export const previewFile: ItemAction<{ readonly preview: (item: ItemRecord) => void }> = {
  ...rules.preview,
  id: 'preview',
  linked: true,
  modules: ['files', 'search', ...flatLists],
  on: 'items',
  label: 'drive.menu.preview',
  icon: <Eye20Regular />,
  keys: ['Space'],
  help: 'acts',
  answers: ([item, ...more]) => item !== undefined && more.length === 0 && !isFolder(item),
  menu: { group: 'open', place: 20 },
  run: ({ items: [file], page }) => file && page.preview(file),
}

export const print: ItemAction = {
  ...rules.print,
  id: 'print',
  linked: true,
  modules: itemLists,
  on: 'items',
  label: 'drive.menu.print',
  icon: <Print20Regular />,
  show: ({ fName }) => isPrintable(fName),
  menu: { group: 'more', place: 10 },
  run: ({ items: [file] }) => file && loadAndPrint(file).catch(notifyFailure),
}

async function loadAndPrint(file: ItemRecord): Promise<void> {
  const { printFile } = await import('./print/print.ts')
  await printFile(file)
}
