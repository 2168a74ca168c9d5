// Editing: the editors, co-editing, office servers, and waiting for an edit lock.
import type { PushReactions, StartedFor } from '../core/area/area.ts'
import { setEditAgain } from '../transfer/tasks/transfers.ts'
import { startControl } from './editors/control.ts'
import { onTogetherChanged } from './editors/here/open-here.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { editMenu as menu } from './editors/menu.tsx'
export { notices } from './notices.tsx'
export { adminPages } from './pages.tsx'
export { editingWindows as windows } from './windows.ts'

const turns = () => import('./editors/turns.ts')

export const pushes = {
  fileUnlocked: (turn) => void turns().then(({ onFileUnlocked }) => onFileUnlocked(turn)),
  unlockApplied: (asked) => void turns().then(({ onUnlockApplied }) => onUnlockApplied(asked)),
  togetherChanged: onTogetherChanged,
  fileForceUnlocked: (told) => void import('./editors/forced.ts').then(({ onForceUnlocked }) => onForceUnlocked(told)),
} satisfies PushReactions

/** Finds edits that this browser left behind, answers the control program, and lets transfers open a file again. */
export function start({ userId }: StartedFor): () => void {
  setEditAgain((fileId) => void import('./editors/again.ts').then(({ editAgain }) => editAgain(fileId)))
  const stops = [
    startWhenLoaded(
      import('./editors/left-here.ts').then(
        ({ startLeftHere }) =>
          () =>
            startLeftHere(userId),
      ),
    ),
    startControl(),
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
