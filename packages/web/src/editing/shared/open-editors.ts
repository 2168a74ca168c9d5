/*
 * The open editors of this tab, and the files that other tabs of this browser edit. Tabs share a login session, and
 * therefore the lock on the server and the draft of a file. Only one tab edits a file; the others are read-only.
 * Without Web Locks, which browsers deny to insecure origins, only this tab is known.
 */

import type { PushPayload } from '@cloudoc/contract'

/** The callbacks of an open editor. */
export interface OpenEditor {
  /** Its lock was forcibly ended ([R339]): it uploads nothing more. */
  readonly lockLost: (why: string) => void
  /** Another user requests the file ([R179]). */
  readonly asked: (
    by: Pick<PushPayload<'unlockApplied'>, 'fileId' | 'fileName' | 'userId' | 'userName' | 'message'>,
  ) => void
  /** Uploads the content, if the editor uploads. */
  readonly save?: () => Promise<boolean>
  /** Saves the content as a separate file of the user. */
  readonly saveCopy: () => void
}

const editors = new Map<number, OpenEditor>()
const taken = new Set<string>()

const nameOf = (accountId: number, fileId: number): string => `cloudoc edits ${accountId} ${fileId}`
const webLocks = (): LockManager | undefined => (navigator as Partial<Navigator>).locks ?? undefined

/** Returns the editor of a file in this tab. */
export function editorOf(fileId: number): OpenEditor | undefined {
  return editors.get(fileId)
}

/** Registers the editor of a file; returns a function that unregisters it. */
export function registerEditor(fileId: number, editor: OpenEditor): () => void {
  editors.set(fileId, editor)
  return () => {
    if (editors.get(fileId) === editor) editors.delete(fileId)
  }
}

/**
 * Acquires the tab lock of a file; returns a function that releases it, or undefined if this browser already edits the
 * file.
 */
export async function claimFile(accountId: number, fileId: number): Promise<(() => void) | undefined> {
  const name = nameOf(accountId, fileId)
  if (taken.has(name)) return undefined
  taken.add(name)
  const leave = (): void => void taken.delete(name)
  const locks = webLocks()
  if (locks === undefined) return leave
  return new Promise((resolve, reject) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          leave()
          resolve(undefined)
          return undefined
        }
        return new Promise<void>((release) =>
          resolve(() => {
            leave()
            release()
          }),
        )
      })
      .catch(reject)
  })
}

/** Whether any tab of this browser edits a file. */
export async function isEditedInBrowser(accountId: number, fileId: number): Promise<boolean> {
  const name = nameOf(accountId, fileId)
  if (taken.has(name)) return true
  const { held = [] } = (await webLocks()?.query()) ?? {}
  return held.some((lock) => lock.name === name)
}
