// Creating, renaming, moving, copying and deleting items ([R114]-[R126]).
import { features, type ItemRecord, type ItemRef } from '@cloudoc/contract'
import { fail, hasStatus, type ItemStatus, ItemStatusBit, itemStatus, secretUntil, splitName } from '@cloudoc/domain'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { emptyDocument } from '../../documents/index.ts'
import { storeNewFile } from '../content/index.ts'
import type { Marks } from '../follow/index.ts'
import {
  accessTo,
  checkBelow,
  checkDepth,
  type FirstPages,
  holderOf,
  insertFolder,
  itemEvent,
  newlyStored,
  notEdited,
  recordOf,
  tally,
} from '../tree/index.ts'
import { copyItem } from './copy.ts'
import { CopyReporter, copyTokens } from './copy-reporter.ts'
import { makeFolders } from './folder-paths.ts'
import { linkItem } from './links.ts'
import { idOf, moveItem } from './move.ts'
import { readingHandlers } from './reading.ts'
import { rename } from './rename.ts'

const file = (fId: number) => ({ fType: 1, fId }) as const
const folder = (fId: number) => ({ fType: 2, fId }) as const
const link = (fId: number) => ({ fType: 0, fId }) as const

/** The new item as a list record, unless it has been removed meanwhile. */
async function made(db: Db, actor: Account, item: ItemRef, now: number): Promise<{ item?: ItemRecord }> {
  const access = await accessTo(db, actor, item, now)
  return access === undefined ? {} : { item: recordOf(access, actor) }
}

const isWithinAssociated = (status: ItemStatus): boolean =>
  hasStatus(status, 'associateFolder') || hasStatus(status, 'inheritAssociationFolder')

/** The unique index refuses two associated folders of one library with the same name with -223 ([R248]). */
async function setAssociated(tx: Tx, id: number, isOn: boolean): Promise<void> {
  const bit = sql.lit(ItemStatusBit.associateFolder)
  await sql`
    update item set status = ${isOn ? sql`status | ${bit}` : sql`status & ~${bit}`} where id = ${id}`.execute(tx)
}

/** The call handlers of files and folders. */
export function fileHandlers({
  blobs,
  db,
  firstPages,
  marks,
}: Pick<Services, 'blobs' | 'db'> & { firstPages: FirstPages; marks: Marks }) {
  /** State shared by the items of each running copy call. */
  const copies = new WeakMap<FastifyRequest, CopyReporter>()
  return implement(features.files.calls, {
    ...readingHandlers({ firstPages, marks }),

    async setFolderOrder(context, { folderId, sort, order }) {
      const { tx } = context
      const actor = actorOf(context)
      const row = { sort, descending: order === 'desc' }
      await tx
        .insertInto('folder_order')
        .values({ folder_id: folderId, ...row })
        .onConflict((conflict) => conflict.column('folder_id').doUpdateSet(row))
        .execute()
      context.event(itemEvent(context.item(folder(folderId)).row, 'edit', actor.name))
      context.audit({ sort, order })
      return {}
    },

    async folderCreate(context, { parentId, folderName, isAssociateFolder = false, isPushNotify = true }) {
      const { tx, now } = context
      const actor = actorOf(context)
      const parent = context.item(folder(parentId))
      checkDepth(parent.path.length + 1)
      const libraryId = parent.library.id
      const isBound = isAssociateFolder || isWithinAssociated(parent.facts.status)
      if (isBound && (await holderOf(tx, parentId, folderName)) !== undefined) return fail('associatedSameName')
      const id = await insertFolder(tx, { libraryId, parentId, name: folderName, accountId: actor.accountId, now })
      if (isAssociateFolder) await setAssociated(tx, id, true)
      const event = itemEvent(newRow(id, libraryId, parentId, 2, folderName, actor.accountId), 'add', actor.name)
      context.event(isPushNotify ? event : { ...event, isQuiet: true })
      const item = await made(tx, actor, folder(id), now)
      return { folderId: id, ...newlyStored(folderName, parentId, 0, now), ...item }
    },

    async setFolderAssociate(context, { associate }, item) {
      const { row } = context.item(item)
      if (hasStatus(itemStatus(row.status), 'associateFolder') === associate) return { fId: row.id }
      await setAssociated(context.tx, row.id, associate)
      context.event(itemEvent(row, 'rights', actorOf(context).name))
      context.audit({ associate })
      return { fId: row.id }
    },

    async fileCreate(context, { folderId, fileName, secretLevel, duration, unit }) {
      const content = emptyDocument(splitName(fileName).ext.toLowerCase()) ?? fail('typeRestricted')
      const {
        fileSize: _size,
        sha256: _sha256,
        ...stored
      } = await storeNewFile(context, blobs, {
        folderId,
        name: fileName,
        conflict: 'refuse',
        content: [content],
        secretLevel,
        secretUntil: secretUntil(context.now, duration, unit),
      })
      return { ...stored, ...(await made(context.db, actorOf(context), file(stored.fileId), context.now)) }
    },

    async renameFile(context, { fileId, fileName }) {
      return rename(context, context.item(file(fileId)), fileName)
    },

    async renameFolder(context, { folderId, folderName }) {
      return rename(context, context.item(folder(folderId)), folderName)
    },

    fileOrFolderMove: (context, input, item) => moveItem(context, context.item(item), input, db),

    async fileOrFolderCopy(context, input, item) {
      const { request } = context
      const told = copies.get(request) ?? new CopyReporter(db, input.copyId)
      copies.set(request, told)
      return copyItem(context, context.item(item), context.item(folder(input.targetFolderId)), input.conflict, told)
    },

    async getCopyProgress(context, { copyId }) {
      const known = await copyTokens.peek(context.db, copyId, context.now)
      if (known !== undefined && known.accountId !== actorOf(context).accountId) fail('notFound')
      return { copied: known?.copied ?? 0 }
    },

    async cancelCopy(context, { copyId }) {
      const known = await copyTokens.consume(context.tx, copyId, context.now)
      if (known !== undefined && known.accountId !== actorOf(context).accountId) fail('notFound')
      return {}
    },

    async fileOrFolderLink(context, input, item) {
      return linkItem(context, context.item(item), context.item(folder(input.targetFolderId)), input.conflict)
    },

    async shortcutRename(context, { linkId, linkName }) {
      return rename(context, context.item(link(linkId)), linkName)
    },

    async fileOrFolderDelete(context, _input, item) {
      const { tx, now } = context
      const actor = actorOf(context)
      const { row } = context.item(item)
      await checkBelow(tx, context.item(item), actor)
      await tx
        .updateTable('item')
        // Clears the user's own edit lock, so a restored file is not locked.
        .set({ deleted_at: now, deleted_by: actor.accountId, ...notEdited })
        .where('id', '=', row.id)
        .execute()
      await tally(tx, {
        libraryId: row.library_id,
        accountId: actor.accountId,
        folderId: row.parent_id,
        bytes: 0,
        children: -1,
      })
      context.event(itemEvent(row, 'delete', actor.name))
      return idOf(row)
    },

    async createFolderByPathList(context, { folderId, pathList }) {
      return makeFolders(context, context.item(folder(folderId)), pathList)
    },
  })
}

/** The fields of a new item's row that its event needs. */
function newRow(id: number, libraryId: number, parentId: number, fType: 1 | 2, name: string, createdBy: number) {
  return {
    id,
    library_id: libraryId,
    parent_id: parentId,
    f_type: fType,
    name,
    version: 0,
    size: 0,
    created_by: createdBy,
  }
}
