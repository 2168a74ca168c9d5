// What every list of items has: actions that change items where they are, conditions, associated folders.
import type { AreaSession, PushReactions } from '../core/area/area.ts'
import { mainServer } from '../core/call/api.ts'
import type { Action } from '../core/menu/action.ts'
import { connectionStore } from '../core/push/connection.ts'
import { stored } from '../core/storage/storage.ts'
import { shareClipboard } from './actions/clipboard.ts'
import * as items from './actions/menu.tsx'
import { associatedMenu } from './associated/menu.tsx'
import { conditionMenu } from './conditions/menu.tsx'
import { forgetTags, onTagsChanged } from './labels/item-tags.ts'
import {
  onFavoritesChanged,
  onFileLock,
  onFollowsChanged,
  onItemChange,
  onTaggedChanged,
  refreshDrive,
  retryFailed,
} from './lists/lists.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { itemsWindows as windows } from './windows.ts'

export const menu: readonly Action[] = [
  items.rename,
  items.copy,
  items.copyLink,
  items.cut,
  items.endCut,
  items.paste,
  items.remove,
  items.removeForGood,
  ...associatedMenu,
  items.undo,
  items.redo,
  items.move,
  items.link,
  items.linkIntoFolder,
  ...conditionMenu,
]

export const pushes = {
  fileChange: onItemChange,
  folderChange: onItemChange,
  followsChanged: (item) => onFollowsChanged({ ...mainServer, ...item }),
  favoritesChanged: (item) => onFavoritesChanged({ ...mainServer, ...item }),
  tagsChanged: (item) => {
    onTagsChanged({ ...mainServer, ...item })
    onTaggedChanged()
  },
  fileLock: onFileLock,
} satisfies PushReactions

/** Reads again what the lists show: pushes were missed. */
export function refetch(): void {
  forgetTags()
  refreshDrive()
}

/** Shares the clipboard between tabs, and reads failed lists again when the server is reached. */
/** Where the numbers of running copies between servers are stored (actions/across-servers.ts). */
const copiesKey = 'drive.serverCopies'

export function start({ userId }: AreaSession): () => void {
  forgetTags()
  if ((stored(copiesKey) ?? '[]') !== '[]')
    void import('./actions/across-servers.ts').then(({ followRunning }) => followRunning())
  const stops = [
    shareClipboard(userId),
    connectionStore.subscribe((now, before) => {
      if ((now.reached && !before.reached) || now.caughtUp > before.caughtUp) retryFailed()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
