// What the drive adds to the product.
import type { ItemChange } from '@cloudoc/contract'
import type { PushReactions, StartedFor } from '../core/area/area.ts'
import { queryClient } from '../core/call/query.ts'
import { connectionStore } from '../core/push/connection.ts'
import { startControl } from '../editing/editors/control.ts'
import { onTogetherChanged } from '../editing/editors/here/open-here.ts'
import { shareClipboard } from '../items/actions/clipboard.ts'
import { folderPath } from '../items/item/item.ts'
import { forgetTags, onTagsChanged } from '../items/labels/item-tags.ts'
import {
  onFavoritesChanged,
  onFileLock,
  onFollowsChanged,
  onItemChange,
  onTaggedChanged,
  refreshDrive,
  retryFailed,
} from '../items/lists/lists.ts'
import { startTransfers } from '../transfer/tasks/transfers.ts'
import { checkKept, keptChanged, startKeeping } from '../viewing/preview/keeping.ts'
import { onCommentsChanged } from './comments/live.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { menu } from './menu.ts'
export { notices } from './notices.tsx'
export { rail, routes, sides } from './pages.tsx'
export { driveWindows as windows } from './windows.ts'

function onChange(change: ItemChange): void {
  onItemChange(change)
  keptChanged(change)
}

const turns = () => import('../editing/editors/turns.ts')

export const pushes = {
  fileChange: onChange,
  folderChange: onChange,
  followsChanged: onFollowsChanged,
  favoritesChanged: onFavoritesChanged,
  tagsChanged: (item) => {
    onTagsChanged(item)
    onTaggedChanged()
  },
  commentsChanged: onCommentsChanged,
  fileLock: onFileLock,
  fileUnlocked: (turn) => void turns().then(({ onFileUnlocked }) => onFileUnlocked(turn)),
  unlockApplied: (asked) => void turns().then(({ onUnlockApplied }) => onUnlockApplied(asked)),
  togetherChanged: onTogetherChanged,
  fileForceUnlocked: (told) =>
    void import('../editing/editors/forced.ts').then(({ onForceUnlocked }) => onForceUnlocked(told)),
  spaceRefresh: (space) => queryClient.setQueryData(['drive', 'space'], space),
} satisfies PushReactions

/** Pushes were missed. */
export function refetch(): void {
  forgetTags()
  refreshDrive()
  checkKept()
}

/** The clipboard of the person, their transfers, and what could not be fetched while the server was away. */
export function start({ userId, accountId, navigate }: StartedFor): () => void {
  forgetTags()
  const stops = [
    shareClipboard(userId),
    startKeeping(accountId),
    startWhenLoaded(
      import('../editing/editors/left-here.ts').then(
        ({ startLeftHere }) =>
          () =>
            startLeftHere(userId),
      ),
    ),
    startControl(),
    startTransfers(accountId, {
      toFolder: (folderId) => navigate(folderPath(folderId)),
      editAgain: (fileId) => void import('../editing/editors/again.ts').then(({ editAgain }) => editAgain(fileId)),
    }),
    connectionStore.subscribe((now, before) => {
      if ((now.reached && !before.reached) || now.caughtUp > before.caughtUp) retryFailed()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Starts what is loaded behind the first screen; answers how to end it, loaded or not. */
function startWhenLoaded(loading: Promise<() => () => void>): () => void {
  let isOver = false
  let stop: (() => void) | undefined
  loading
    .then((begin) => {
      if (!isOver) stop = begin()
    })
    // Without it nothing is lost: the next page asks for it again.
    .catch(() => undefined)
  return () => {
    isOver = true
    stop?.()
  }
}
