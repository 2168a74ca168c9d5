// What can be done in the drive's lists. A list offers what names its module; the help and Ctrl+K follow this order.
import type { Action } from '../core/menu/action.ts'
import * as items from './actions/menu.tsx'
import { associatedMenu } from './associated/menu.tsx'
import { commentMenu } from './comments/menu.tsx'
import { conditionMenu } from './conditions/menu.tsx'
import { editMenu } from './edit/menu.tsx'
import { favoriteMenu } from './favorites/menu.tsx'
import * as folder from './files/menu.tsx'
import { followMenu } from './follow/menu.tsx'
import { previewFile, print } from './preview/menu.tsx'
import { property } from './property/menu.tsx'
import { recentMenu } from './recent/menu.tsx'
import { bringBack, destroy, refetch } from './recycle/menu.tsx'
import { resultsMenu } from './results/menu.tsx'
import { rightsMenu } from './rights/menu.tsx'
import { tagMenu } from './tags/menu.tsx'
import {
  downloadItems,
  downloadSmaller,
  downloadWithMark,
  exportFolders,
  uploadFiles,
  uploadFolder,
} from './transfer/menu.tsx'

export const menu: readonly Action[] = [
  folder.open,
  ...editMenu,
  previewFile,
  items.rename,
  items.copy,
  items.cut,
  items.endCut,
  items.paste,
  items.remove,
  items.removeForGood,
  downloadItems,
  downloadSmaller,
  downloadWithMark,
  exportFolders,
  print,
  uploadFiles,
  uploadFolder,
  folder.create,
  ...folder.createFiles,
  ...associatedMenu,
  items.undo,
  items.redo,
  items.move,
  items.link,
  items.linkHere,
  ...rightsMenu,
  ...followMenu,
  ...commentMenu,
  ...tagMenu,
  ...favoriteMenu,
  ...recentMenu,
  ...conditionMenu,
  property,
  ...resultsMenu,
  folder.panel,
  folder.up,
  folder.back,
  folder.forward,
  folder.path,
  folder.filter,
  folder.refresh,
  ...folder.views,
  folder.arrange,
  bringBack,
  destroy,
  refetch,
]
