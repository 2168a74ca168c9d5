/*
 * The editors that are open: those of this tab, which can be told something, and that a file is edited in another tab of
 * this browser. Tabs share a session, and with it the lock on the server and the draft of a file; so one of them edits it,
 * the others read (where the browser has no Web Locks, which insecure addresses are denied, that is known of this tab alone).
 */

import type { PushPayload } from '@cloudoc/contract'

/** What an editor of this tab can be told. */
export interface OpenEditor {
  /** Somebody has ended its lock ([R339]): it hands in nothing any more. */
  readonly lockLost: (why: string) => void
  /** Somebody asks for the file ([R179]). */
  readonly asked: (
    by: Pick<PushPayload<'unlockApplied'>, 'fileId' | 'fileName' | 'userId' | 'userName' | 'message'>,
  ) => void
  /** Hands in what stands in it, where it hands in. */
  readonly save?: () => Promise<boolean>
  /** Gives the person what stands in it as a file of their own. */
  readonly saveCopy: () => void
}

const editors = new Map<number, OpenEditor>()
const taken = new Set<string>()

const nameOf = (accountId: number, fileId: number): string => `cloudoc edits ${accountId} ${fileId}`
const webLocks = (): LockManager | undefined => (navigator as Partial<Navigator>).locks ?? undefined

/** The editor of a file in this tab. */
export function editorOf(fileId: number): OpenEditor | undefined {
  return editors.get(fileId)
}

/** From now on the file has an editor in this tab; answers how to end that. */
export function registerEditor(fileId: number, editor: OpenEditor): () => void {
  editors.set(fileId, editor)
  return () => {
    if (editors.get(fileId) === editor) editors.delete(fileId)
  }
}

/** Takes a file for one editor, and answers how to leave it; undefined while it is edited in this browser already. */
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

/** Whether a file is edited in this browser, in whichever tab. */
export async function isEditedInBrowser(accountId: number, fileId: number): Promise<boolean> {
  const name = nameOf(accountId, fileId)
  if (taken.has(name)) return true
  const { held = [] } = (await webLocks()?.query()) ?? {}
  return held.some((lock) => lock.name === name)
}
