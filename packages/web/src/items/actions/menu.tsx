// Menu actions that change items in place or move them elsewhere.
import type { ItemRecord } from '@cloudoc/contract'
import { t } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import {
  ClipboardPaste20Regular,
  Copy20Regular,
  Cut20Regular,
  Delete16Regular,
  Delete20Regular,
  FolderArrowRight16Regular,
  FolderArrowRight20Regular,
  Link20Regular,
  LinkAdd20Regular,
  Rename16Regular,
  Rename20Regular,
} from '../../kit/icons.ts'
import { itemPath } from '../item/item.ts'
import { copyAddress, publicAddress } from '../item/public-address.ts'
import { rules } from './actions.ts'
import { clearClipboard, clip, useClipboard } from './clipboard.ts'
import { type ItemAction, itemLists } from './item-action.tsx'
import { makeLinks, makeLinksInFolder } from './links.ts'
import { copy as copyInto, move as moveInto, remove as removeItems } from './operations.ts'
import { redoLast, undoLast } from './undo.ts'

const items = { modules: ['files', 'search'], on: 'items' } as const
/** Actions of every list of items. */
const anywhere = { modules: itemLists, on: 'items' } as const
const folder = { modules: ['files'], on: 'folder' } as const

export const rename: ItemAction<{ readonly rename: (item: ItemRecord) => void }> = {
  ...rules.rename,
  ...items,
  // Items are renamed only in the view of their folder.
  modules: ['files'],
  id: 'rename',
  linked: true,
  label: 'drive.menu.rename',
  icon: <Rename20Regular />,
  keys: ['F2'],
  help: 'acts',
  menu: { group: 'change', place: 50 },
  tool: { icon: <Rename16Regular /> },
  find: true,
  run: ({ items: [item], page }) => item && page.rename(item),
}

export const copy: ItemAction = {
  ...rules.copy,
  ...anywhere,
  id: 'copy',
  linked: true,
  label: 'drive.menu.copy',
  icon: <Copy20Regular />,
  keys: ['Ctrl+C'],
  help: 'acts',
  menu: { group: 'change', place: 20 },
  run: ({ withAll }) => withAll((all) => clip('copy', all)),
}

/** Copies the addresses of the items. They open for everybody who may see the items. */
export const copyLink: ItemAction = {
  ...rules.copyLink,
  ...anywhere,
  id: 'copyLink',
  linked: true,
  label: 'drive.menu.copyLink',
  icon: <Link20Regular />,
  keys: ['Ctrl+Shift+C'],
  help: 'acts',
  menu: { group: 'change', place: 25 },
  find: true,
  run: ({ withAll }) =>
    withAll((all) => {
      const urls = all.map((item) => publicAddress(itemPath(item)))
      return copyAddress(urls[0] ?? '', urls.join('\n'))
    }),
}

export const cut: ItemAction = {
  ...rules.cut,
  ...items,
  modules: ['files'],
  id: 'cut',
  linked: true,
  label: 'drive.menu.cut',
  icon: <Cut20Regular />,
  keys: ['Ctrl+X'],
  help: 'acts',
  menu: { group: 'change', place: 10 },
  run: ({ withAll }) => withAll((all) => clip('cut', all)),
}

export const endCut: ItemAction = {
  id: 'endCut',
  modules: ['files'],
  on: 'page',
  label: 'drive.clipped.end',
  keys: ['Esc'],
  anywhere: true,
  help: 'acts',
  answers: () => useClipboard.getState().mode === 'cut' && useClipboard.getState().items.length > 0,
  run: clearClipboard,
}

export const paste: ItemAction = {
  ...rules.paste,
  ...folder,
  id: 'paste',
  linked: true,
  label: 'drive.menu.paste',
  icon: <ClipboardPaste20Regular />,
  keys: ['Ctrl+V'],
  help: 'acts',
  // Without items on our clipboard, the browser handles the paste, including files from the desktop.
  answers: (_items, { clipboard }) => clipboard,
  menu: { group: 'paste', place: 10 },
  find: true,
  run({ folder: target }) {
    const { mode, items: clipped } = useClipboard.getState()
    if (target === undefined || clipped.length === 0) return undefined
    if (mode === 'copy') return copyInto(clipped, target)
    clearClipboard()
    return moveInto(clipped, target)
  },
}

export const move: ItemAction = {
  ...rules.move,
  ...anywhere,
  id: 'move',
  linked: true,
  label: 'drive.menu.move',
  icon: <FolderArrowRight20Regular />,
  menu: { group: 'change', place: 30 },
  tool: { icon: <FolderArrowRight16Regular /> },
  find: true,
  run: ({ withAll }) =>
    withAll(async (all) => {
      const [first] = all
      const target = await openWindow('drive-folder-pick', {
        title: t('drive.moveTo'),
        hint: '',
        verb: 'move',
        ...(first && { at: first.parentFolderId, serverId: first.serverId }),
        linked: true,
        moving: all,
      })
      if (target !== undefined) await moveInto(all, target)
    }),
}

export const link: ItemAction = {
  ...rules.link,
  ...anywhere,
  id: 'link',
  label: 'drive.menu.link',
  icon: <LinkAdd20Regular />,
  menu: { group: 'more', place: 40 },
  run: ({ withAll }) => withAll(makeLinks),
}

export const linkIntoFolder: ItemAction = {
  ...rules.linkHere,
  ...folder,
  id: 'linkHere',
  label: 'drive.menu.linkHere',
  icon: <LinkAdd20Regular />,
  menu: { group: 'new', place: 60 },
  run: ({ folder: target }) => target && makeLinksInFolder(target),
}

export const remove: ItemAction = {
  ...rules.delete,
  ...anywhere,
  id: 'delete',
  linked: true,
  label: 'drive.menu.delete',
  icon: <Delete20Regular />,
  danger: true,
  keys: ['Del'],
  help: 'acts',
  menu: { group: 'remove', place: 10 },
  tool: { icon: <Delete16Regular /> },
  find: true,
  run: ({ withAll }) => withAll(removeItems),
}

export const removeForGood: ItemAction = {
  ...rules.deleteForGood,
  ...items,
  id: 'deleteForGood',
  linked: true,
  label: 'drive.menu.deleteForGood',
  danger: true,
  keys: ['Shift+Del'],
  help: 'acts',
  run: ({ withAll }) => withAll(async (all) => (await import('./bin-operations.ts')).removeForGood(all)),
}

export const undo: ItemAction = {
  id: 'undo',
  modules: ['files'],
  on: 'page',
  label: 'edit.undo',
  keys: ['Ctrl+Z'],
  anywhere: true,
  help: 'acts',
  run: undoLast,
}

export const redo: ItemAction = {
  id: 'redo',
  modules: ['files'],
  on: 'page',
  label: 'edit.redo',
  keys: ['Ctrl+Shift+Z', 'Ctrl+Y'],
  anywhere: true,
  help: 'acts',
  run: redoLast,
}
