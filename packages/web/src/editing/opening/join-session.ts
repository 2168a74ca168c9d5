// Joins the co-editing session of a file.
import type { ItemRecord } from '@cloudoc/contract'
import { api, CallError } from '../../core/call/api.ts'
import { sessionStore } from '../../core/session/session.ts'
import { draftsOf } from '../../core/storage/drafts.ts'
import { openWindow } from '../../core/windows/index.ts'

/**
 * Opens the co-editing window. Otherwise returns `alone` if the file cannot be co-edited, or `why` if it can only be
 * read.
 */
export async function joinSession(item: ItemRecord): Promise<'alone' | { readonly why: string } | undefined> {
  const { fId: fileId } = item
  const accountId = sessionStore.getState().session?.account.userId ?? 0
  const { together: kept } = (await draftsOf(accountId).of(fileId)) ?? {}
  const join = (known: { generation?: number; client?: number }) =>
    api.of(item).joinTogether({ fileId, ...known }, { quiet: true })
  try {
    let joined = await join(kept === undefined ? {} : { generation: kept.generation, client: kept.client }).catch(
      (error: unknown) => {
        if (kept !== undefined && error instanceof CallError && error.code === 'fileConflict') return undefined
        throw error
      },
    )
    // The draft in this browser belongs to an earlier generation: it is offered as a separate text.
    joined ??= await join({})
    void openWindow('cloudoc-edit-here', { item, joined })
    return undefined
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.code === 'conversionUnsupported' || error.code === 'fileSizeExceeded') return 'alone'
    if (error.code !== 'fileLocked') throw error
    return { why: error.message }
  }
}
