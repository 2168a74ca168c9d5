// Editing: the editors, co-editing, office servers, and waiting for an edit lock.
import type { AreaSession, PushReactions } from '../core/area/area.ts'
import { setReopenForEditing } from '../transfer/tasks/transfers.ts'
import { onCoeditChanged } from './coedit/open-sessions.ts'
import { watchControlProgram } from './opening/control-program.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const adminPages = () => import('./admin-pages.tsx').then((module) => module.adminPages)
export { editMenu as menu } from './menu.tsx'
export { notices } from './notices.tsx'
export { editingWindows as windows } from './windows.ts'

const turns = () => import('./lock-queue/lock-queue.ts')

export const pushes = {
  fileUnlocked: (turn) => void turns().then(({ onFileUnlocked }) => onFileUnlocked(turn)),
  unlockApplied: (asked) => void turns().then(({ onUnlockApplied }) => onUnlockApplied(asked)),
  togetherChanged: onCoeditChanged,
  fileForceUnlocked: (told) =>
    void import('./recovery/force-unlocked.ts').then(({ onForceUnlocked }) => onForceUnlocked(told)),
} satisfies PushReactions

/** Finds edits that this browser left behind, answers the control program, and lets transfers open a file again. */
export function start({ userId }: AreaSession): () => void {
  setReopenForEditing((fileId) => void import('./opening/retry-edit.ts').then(({ retryEdit }) => retryEdit(fileId)))
  const stops = [
    startWhenLoaded(
      import('./recovery/edit-cleanup.ts').then(
        ({ startEditCleanup }) =>
          () =>
            startEditCleanup(userId),
      ),
    ),
    watchControlProgram(),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/**
 * Starts modules that are loaded after the first screen. Returns a function that stops them, whether they are loaded
 * yet or not.
 */
function startWhenLoaded(loading: Promise<() => () => void>): () => void {
  let isOver = false
  let stop: (() => void) | undefined
  loading
    .then((begin) => {
      if (!isOver) stop = begin()
    })
    // A failed load loses nothing: the next page loads the module again.
    .catch(() => undefined)
  return () => {
    isOver = true
    stop?.()
  }
}
