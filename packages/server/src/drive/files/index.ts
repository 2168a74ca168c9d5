// Listing, creating, renaming, moving and copying items ([R109]-[R121], [R124]-[R126]).
import { factsOfRecord, features, type ItemRecord, type ItemRef, itemOfIdStr } from '@cloudoc/contract'
import {
  denial,
  fail,
  gates,
  hasStatus,
  type ItemStatus,
  ItemStatusBit,
  isVirtualFolder,
  itemName,
  itemStatus,
  mainServerId,
  parseItemIdStr,
  secretUntil,
  splitName,
} from '@cloudoc/domain'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { acceptsGzip } from '../../core/call/compress.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { emptyDocument } from '../../documents/index.ts'
import { storeNewFile } from '../content/index.ts'
import type { Marks } from '../follow/index.ts'
import { listLibraries } from '../libraries/index.ts'
import { takeMoved } from '../quotas/index.ts'
import {
  accessTo,
  accessToMany,
  type Basis,
  checkBelow,
  checkDepth,
  checkDepthOf,
  checkStillThere,
  type FirstPages,
  foldersWithSubfolders,
  followLinks,
  groupChildren,
  holderOf,
  insertFolder,
  isFolderRow,
  isWithin,
  itemEvent,
  listChildren,
  lockFolderMoves,
  nameColumns,
  newlyStored,
  notEdited,
  recordOf,
  storedItem,
  tally,
  visiblePath,
  withName,
} from '../tree/index.ts'
import { checkControlled } from './controlled.ts'
import { copyItem } from './copy.ts'
import { CopyReporter, copyTokens } from './copy-reporter.ts'
import { makeFolders } from './folder-paths.ts'
import { contentOfFolder, limitsOfFolder, orderOf } from './folder-property.ts'
import { linkItem } from './links.ts'
import { rename } from './rename.ts'

export { checkControlled } from './controlled.ts'
export { copyVersion } from './copy.ts'
export { CopyReporter } from './copy-reporter.ts'
export { makeFolders } from './folder-paths.ts'
export { rename } from './rename.ts'

const file = (fId: number) => ({ fType: 1, fId }) as const
const folder = (fId: number) => ({ fType: 2, fId }) as const
const link = (fId: number) => ({ fType: 0, fId }) as const

/** Identifies an item in the results of a batch: a link by `linkId`, others by `fId`. */
const idOf = (row: ItemRow) => (row.link_to === null ? { fId: row.id } : { linkId: row.id })

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
    async getSubItemList3(context, input) {
      const actor = actorOf(context)
      if (isVirtualFolder(input.folderId)) {
        const page = await listLibraries(context.db, actor, input.folderId, context.now, input)
        return { ...page, list: await marks.on(actor, page.list) }
      }
      const { db, now } = context
      const at = context.item(folder(input.folderId))
      const make = async (basis?: Basis) => {
        // An explicitly requested order is used. Only otherwise is the folder's own order read.
        const own = input.sort === undefined ? await orderOf(db, input.folderId) : undefined
        const order = { sort: input.sort ?? own?.sort ?? 'name', order: input.order ?? own?.order ?? 'asc' }
        const page = await listChildren(db, actor, at, { ...input, ...order }, now, basis)
        const list = await marks.complete(actor, await followLinks(db, actor, page.list, now))
        return { order, page: { ...page, list } }
      }
      if (input.fields === 'sha256') {
        const { page } = await make()
        return { ...page, list: await withHashes(db, actor, await marks.on(actor, page.list)) }
      }
      const { from, rows, sort, order, keyword, after, around, foldersOnly, exts } = input
      const isFirst = from === 0 && after === undefined && around === undefined
      const isPlain = isFirst && keyword === '' && !foldersOnly && exts === ''
      if (!isPlain || (await marks.areIn(actor, input.folderId))) {
        const { page } = await make()
        return { ...page, list: await marks.on(actor, page.list) }
      }
      const compressed = acceptsGzip(context.request.headers['accept-encoding'])
      return firstPages.get({ actor, folder: at, rows, order: { sort, order }, now, compressed }, make)
    },

    async getSubItemGroups(context, input) {
      // Virtual folders are short, so the client groups them itself.
      if (isVirtualFolder(input.folderId)) return { list: [] }
      const at = context.item(folder(input.folderId))
      return { list: await groupChildren(context.db, actorOf(context), at, input, context.now) }
    },

    async getFileInfo(context, { fileId }) {
      const actor = actorOf(context)
      return marks.one(actor, recordOf(context.item(file(fileId)), actor))
    },

    async getFolderInfo(context, { folderId }) {
      const actor = actorOf(context)
      return marks.one(actor, recordOf(context.item(folder(folderId)), actor))
    },

    async getFolderInfo2(context, { folderId }) {
      const actor = actorOf(context)
      const access = context.item(folder(folderId))
      const ancestors = await ancestorsOf(context, access)
      return {
        folder: await marks.one(actor, recordOf(access, actor)),
        ancestors: await marks.complete(
          actor,
          ancestors.map((above) => recordOf(above, actor)),
        ),
        ...(await orderOf(context.db, folderId)),
      }
    },

    async getFoldersWithSubfolders(context, { folderIds }) {
      const ids = [...new Set(folderIds)].filter((id) => !isVirtualFolder(id))
      return { folderIds: await foldersWithSubfolders(context.db, actorOf(context), ids, context.now) }
    },

    async getFolderProperty(context, { folderId }) {
      const { db, now } = context
      const actor = actorOf(context)
      const access = context.item(folder(folderId))
      return {
        folder: await marks.one(actor, recordOf(access, actor)),
        ...(await contentOfFolder(db, actor, access, now)),
        sizeLimit: access.library.quota,
        ...(await limitsOfFolder(db, access)),
        ...(await orderOf(db, folderId)),
      }
    },

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

    async getItemListByItemIdStr(context, { itemIdStrs }) {
      const { db, now } = context
      const actor = actorOf(context)
      const named = [...new Set(itemIdStrs.split(','))].flatMap((each) => parseItemIdStr(each) ?? [])
      const ids = named.filter((id) => id.serverId === mainServerId)
      const found = await Promise.all(ids.map((id) => accessTo(db, actor, id, now)))
      const list = found.flatMap((access) =>
        access !== undefined && denial(gates.see, access.facts) === undefined ? [recordOf(access, actor)] : [],
      )
      return { list: await marks.on(actor, list) }
    },

    async getFileItemId(context, { fType, fId }) {
      return recordOf(context.item({ fType, fId }), actorOf(context)).itemIdStr
    },

    async getFileItemInfo(context, { itemIdStr }) {
      const actor = actorOf(context)
      return marks.one(actor, recordOf(context.item(itemOfIdStr(itemIdStr)), actor))
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

    async fileOrFolderMove(context, input, item) {
      const { tx } = context
      const actor = actorOf(context)
      const { row, library } = context.item(item)
      const target = context.item(folder(input.targetFolderId))
      if (target.library.id !== library.id) {
        return copyItem(context, context.item(item), target, input.conflict, new CopyReporter(db, undefined))
      }
      if (row.parent_id === target.row.id) return fail('sameFolder')
      checkControlled(context.item(item), target)
      checkDepth(target.path.length + 1)
      if (isFolderRow(row)) {
        await lockFolderMoves(tx, library.id)
        if (await isWithin(tx, target.row.id, row.id)) return fail('moveIntoSubfolder')
        await checkDepthOf(tx, target.path.length + 1, row.id)
        await checkBelow(tx, context.item(item), actor)
      }
      await takeMoved(tx, context.item(item), target, context.now)
      const place = { parentId: target.row.id, name: row.name, fType: row.f_type }
      const named = await withName(tx, place, input.conflict, async (name) => {
        await tx
          .updateTable('item')
          .set({ parent_id: target.row.id, ...(name === row.name ? {} : nameColumns(name, row.f_type)) })
          .where('id', '=', row.id)
          .execute()
        return name
      })
      if (named === undefined) return {}
      await checkStillThere(tx, row)
      for (const [folderId, children] of [
        [row.parent_id, -1],
        [target.row.id, 1],
      ] as const) {
        await tally(tx, { libraryId: library.id, accountId: actor.accountId, folderId, bytes: 0, children })
      }
      context.event(
        itemEvent(row, 'move', actor.name, {
          parentId: target.row.id,
          name: named,
          ...(row.parent_id === null ? {} : { beforeParentId: row.parent_id }),
        }),
      )
      const { fName, ...stored } = storedItem(context.item(item), actor, {
        fName: named,
        parentFolderId: target.row.id,
      })
      return { ...idOf(row), name: fName, ...stored }
    },

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

    async getShortcutInfo(context, { linkId }) {
      const actor = actorOf(context)
      const followed = await followLinks(context.db, actor, [recordOf(context.item(link(linkId)), actor)], context.now)
      const [record] = await marks.complete(actor, followed)
      return record ?? fail('notFound')
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

    async checkFileExist(context, { folderId, fileNames }) {
      const actor = actorOf(context)
      const keys = new Map<string, string>()
      for (const fileName of new Set(fileNames)) {
        const checked = itemName(fileName)
        if ('key' in checked) keys.set(fileName, checked.key)
      }
      const holders = await context.db
        .selectFrom('item')
        .select(['id', 'name_key', 'f_type'])
        .where('parent_id', '=', folderId)
        .where('name_key', '=', sql<string>`any(${[...new Set(keys.values())]})`)
        .where('deleted_at', 'is', null)
        .execute()
      const byKey = new Map(holders.map((holder) => [holder.name_key, holder]))
      const found = await accessToMany(
        context.db,
        actor,
        holders.map((holder) => holder.id),
        context.now,
      )
      const hashes = await hashesOf(
        context.db,
        [...found.values()].flatMap(({ facts, row }) => (mayRead(facts) ? row : [])),
      )
      return [...keys].flatMap(([fileName, key]) => {
        const holder = byKey.get(key)
        if (holder === undefined) return []
        const access = found.get(holder.id)
        const seen = access !== undefined && denial(gates.see, access.facts) === undefined ? access.row : undefined
        return [
          {
            fileName,
            fId: seen?.id ?? 0,
            fType: holder.f_type,
            fileSize: seen?.size ?? 0,
            modifyTime: seen?.modified_at ?? 0,
            version: seen?.version ?? 0,
            lastOperatorName: seen?.modifier_outsider?.name ?? seen?.modifier ?? '',
            editorName: seen?.editor_id === actor.accountId ? '' : (seen?.editor ?? ''),
            sha256: seen === undefined ? '' : (hashes.get(seen.id) ?? ''),
          },
        ]
      })
    },
  })
}

/** A user who may read the content may know its hash. */
const mayRead = (facts: Access['facts']): boolean =>
  [gates.preview, gates.download].some((gate) => denial(gate, facts) === undefined)

/** The content hashes of the files' newest versions, by file id. */
async function hashesOf(
  db: Db,
  items: readonly Pick<ItemRow, 'id' | 'f_type' | 'version'>[],
): Promise<ReadonlyMap<number, string>> {
  const files = items.filter(({ f_type: fType }) => fType === 1)
  if (files.length === 0) return new Map()
  const { rows } = await sql<{ id: number; sha256: string }>`
    select v.item_id as id, encode(b.sha256, 'hex') as sha256
    from unnest(${files.map(({ id }) => id)}::bigint[], ${files.map(({ version }) => version)}::int[]) f (id, number)
    join version v on v.item_id = f.id and v.number = f.number
    join blob b on b.id = v.blob_id`.execute(db)
  return new Map(rows.map(({ id, sha256 }) => [id, sha256]))
}

/** Adds hashes to the files of a page that the caller may read. Links are not resolved for that. */
async function withHashes(db: Db, actor: Account, list: readonly ItemRecord[]): Promise<ItemRecord[]> {
  const person = { ...actor, userId: actor.accountId, settings: actor.settings.setting }
  const readable = list.filter((item) => item.fType === 1 && item.linkId === 0 && mayRead(factsOfRecord(item, person)))
  const hashes = await hashesOf(
    db,
    readable.map(({ fId, fType, version }) => ({ id: fId, f_type: fType, version })),
  )
  return list.map((item) => {
    const sha256 = item.linkId === 0 && item.fType === 1 ? hashes.get(item.fId) : undefined
    return sha256 === undefined ? item : { ...item, sha256 }
  })
}

/** The ancestors of a folder below the last hidden one, topmost first. */
async function ancestorsOf(context: Context, access: Access): Promise<Access[]> {
  const visible = visiblePath(access.path).map((step) => step.id)
  const found = await accessToMany(context.db, actorOf(context), visible, context.now)
  return visible.flatMap((id) => found.get(id) ?? [])
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
