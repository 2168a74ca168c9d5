// What can be done in the drive's lists. A list offers what names its module; the help and Ctrl+K follow this order.
import type { Action } from '../core/menu/action.ts'
import { editMenu } from '../editing/editors/menu.tsx'
import * as items from '../items/actions/menu.tsx'
import { associatedMenu } from '../items/associated/menu.tsx'
import { conditionMenu } from '../items/conditions/menu.tsx'
import {
  downloadItems,
  downloadSmaller,
  downloadWithMark,
  exportFolders,
  uploadFiles,
  uploadFolder,
} from '../transfer/tasks/menu.tsx'
import { previewFile, print } from '../viewing/preview/menu.tsx'
import { commentMenu } from './comments/menu.tsx'
import { favoriteMenu } from './favorites/menu.tsx'
import * as folder from './files/menu.tsx'
import { followMenu } from './follow/menu.tsx'
import { property } from './property/menu.tsx'
import { recentMenu } from './recent/menu.tsx'
import { bringBack, destroy, refetch } from './recycle/menu.tsx'
import { resultsMenu } from './results/menu.tsx'
import { rightsMenu } from './rights/menu.tsx'
import { tagMenu } from './tags/menu.tsx'

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
