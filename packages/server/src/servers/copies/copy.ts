/*
 * Copies from a linked server ([R123]). Every file arrives like an upload: it is staged, compared with the hash that
 * the other server names, then committed in a transaction of its own, in which the target folder's gate is checked
 * again. Folders are created top-down. An interrupted copy leaves complete files.
 */
import type { BatchAnswer, ItemRecord, ItemRef } from '@cloudoc/contract'
import { codeMessage, codes, denial, fail, formatBatchId, gates, type Locale } from '@cloudoc/domain'
import type { Access } from '../../core/access.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import { actorOf, type Context, commitAlone, type StagedContext } from '../../core/call/context.ts'
import { refusalOf } from '../../core/call/dispatcher.ts'
import type { Db } from '../../core/db/database.ts'
import { storeNewFile } from '../../drive/content/index.ts'
import {
  accessTo,
  checkDepth,
  insertFolder,
  itemEvent,
  lockItem,
  type NameConflict,
  withName,
} from '../../drive/tree/index.ts'
import type { Remote } from '../links/index.ts'

/** Below the maximum page size: a page with long paths stays within the answer limit. */
const pageRows = 100
/** Maximum number of items per copy, so that an endless folder ends. */
const mostItems = 100_000

/** The call's context for a folder that its input does not name, with the same gate as the named one. */
async function into(context: StagedContext, folderId: number): Promise<StagedContext> {
  const folder = { fType: 2, fId: folderId } as const
  const isFolder = (ref: ItemRef): boolean => ref.fType === 2 && ref.fId === folderId
  const gated = async (db: Db, on: Context): Promise<Access> => {
    const access = (await accessTo(db, actorOf(on), folder, on.now)) ?? fail('notFound')
    const refusal = denial(gates.upload, access.facts)
    return refusal === undefined ? access : fail(refusal)
  }
  const before = await gated(context.db, context)
  const commit: StagedContext['commit'] = (work) =>
    context.commit(async (write) => {
      await lockItem(write.tx, folderId, 'hold')
      const access = await gated(write.tx, write)
      return work({ ...write, item: (ref) => (isFolder(ref) ? access : write.item(ref)) })
    })
  return {
    ...context,
    item: (ref) => (isFolder(ref) ? before : context.item(ref)),
    commit,
    commitShared: (work, input) => commitAlone({ commit }, work, input),
  }
}

interface Place {
  readonly folderId: number
  readonly conflict: NameConflict
}

async function copyFile(context: StagedContext, blobs: BlobStore, remote: Remote, source: ItemRecord, place: Place) {
  const content = await remote.content(source.fId)
  try {
    const { fileId } = await storeNewFile(await into(context, place.folderId), blobs, {
      ...place,
      name: source.fName,
      ...(source.diskTime > 0 && { diskTime: source.diskTime }),
      content: content.bytes,
      atLeast: content.size,
      sha256: content.sha256,
    })
    return fileId
  } finally {
    content.drop()
  }
}

async function makeFolder(context: StagedContext, name: string, { folderId, conflict }: Place): Promise<number> {
  return (await into(context, folderId)).commit(async (write) => {
    const { tx, now } = write
    const actor = actorOf(write)
    const parent = write.item({ fType: 2, fId: folderId })
    checkDepth(parent.path.length + 1)
    const libraryId = parent.library.id
    const made = await withName(tx, { parentId: folderId, name, fType: 2 }, conflict, async (free) => {
      const id = await insertFolder(tx, { libraryId, parentId: folderId, name: free, accountId: actor.accountId, now })
      return { id, name: free }
    })
    if (made === undefined) return fail('alreadyExists')
    const row = { id: made.id, library_id: libraryId, parent_id: folderId, f_type: 2, name: made.name } as const
    write.event(itemEvent({ ...row, version: 0, size: 0, created_by: actor.accountId }, 'copy', actor.name))
    return made.id
  })
}

async function copyFolder(
  context: StagedContext,
  blobs: BlobStore,
  remote: Remote,
  source: ItemRecord,
  place: Place,
): Promise<number> {
  const top = await makeFolder(context, source.fName, place)
  const waiting = [{ from: source.fId, to: top }]
  let items = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    let after: string | undefined
    do {
      const page = await remote.ask('getSubItemList3', {
        folderId: folder.from,
        rows: pageRows,
        ...(after === undefined ? {} : { after }),
      })
      items += page.list.length
      const isEndless = page.list.length === 0 && page.next !== null
      if (isEndless || page.list.length > pageRows || items > mostItems) return fail('interconnectedServerFaulty')
      for (const item of page.list) {
        // The target of a link is not in the folder.
        if (item.linkId !== 0) continue
        const inside = { folderId: folder.to, conflict: 'refuse' } as const
        if (item.fType === 1) await copyFile(context, blobs, remote, item, inside)
        else waiting.push({ from: item.fId, to: await makeFolder(context, item.fName, inside) })
      }
      after = page.next ?? undefined
    } while (after !== undefined)
  }
  return top
}

/** Copies items of the other server into a folder, one after another, with one answer per item. */
export async function copyFrom(
  context: StagedContext,
  blobs: BlobStore,
  remote: Remote,
  wanted: readonly { readonly fType: 1 | 2; readonly fId: number }[],
  place: Place,
  locale: Locale,
): Promise<BatchAnswer> {
  const answers: BatchAnswer = []
  for (const { fType, fId } of wanted) {
    const id = formatBatchId({ fType, fId })
    let name = ''
    try {
      const source =
        fType === 1
          ? await remote.ask('getFileInfo', { fileId: fId })
          : await remote.ask('getFolderInfo', { folderId: fId })
      name = source.fName
      const made =
        fType === 1
          ? await copyFile(context, blobs, remote, source, place)
          : await copyFolder(context, blobs, remote, source, place)
      answers.push({ id, fType, name, result: codes.success.code, msg: '', fId: made })
    } catch (error) {
      const code = refusalOf(error)?.code
      if (code === undefined) throw error
      answers.push({ id, fType, name, result: codes[code].code, msg: codeMessage(code, locale) })
    }
  }
  return answers
}
