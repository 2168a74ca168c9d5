// All actions in the lists of the drive. A list offers the actions that name its module. The help and Ctrl+K use this
// order.
import type { Action } from '../core/menu/action.ts'
import { commentMenu } from './comments/menu.tsx'
import { favoriteMenu } from './favorites/menu.tsx'
import * as folder from './files/menu.tsx'
import { followMenu } from './follow/menu.tsx'
import { propertyAction } from './property/menu.tsx'
import { recentMenu } from './recent/menu.tsx'
import { bringBack, destroy, refetch } from './recycle/menu.tsx'
import { resultsMenu } from './results/menu.tsx'
import { rightsMenu } from './rights/menu.tsx'
import { rollbackMenu } from './rollback/menu.tsx'
import { tagMenu } from './tags/menu.tsx'

export const menu: readonly Action[] = [
  folder.open,
  folder.create,
  ...folder.createFiles,
  ...rightsMenu,
  ...followMenu,
  ...commentMenu,
  ...tagMenu,
  ...favoriteMenu,
  ...recentMenu,
  ...rollbackMenu,
  propertyAction,
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
