// Lists and properties of items ([R109]-[R121]).
import { factsOfRecord, type features, type ItemRecord, itemOfIdStr } from '@cloudoc/contract'
import { denial, fail, gates, isVirtualFolder, itemName, mainServerId, parseItemIdStr } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { acceptsGzip } from '../../core/call/compress.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Marks } from '../follow/index.ts'
import { listLibraries } from '../libraries/index.ts'
import {
  accessTo,
  accessToMany,
  type Basis,
  type FirstPages,
  foldersWithSubfolders,
  followLinks,
  groupChildren,
  listChildren,
  recordOf,
  visiblePath,
} from '../tree/index.ts'
import { contentOfFolder, limitsOfFolder, orderOf } from './folder-property.ts'

const file = (fId: number) => ({ fType: 1, fId }) as const
const folder = (fId: number) => ({ fType: 2, fId }) as const
const link = (fId: number) => ({ fType: 0, fId }) as const

type Reading = Pick<
  Handlers<typeof features.files.calls>,
  | 'getSubItemList3'
  | 'getSubItemGroups'
  | 'getFileInfo'
  | 'getFolderInfo'
  | 'getFolderInfo2'
  | 'getFoldersWithSubfolders'
  | 'getFolderProperty'
  | 'getItemListByItemIdStr'
  | 'getFileItemId'
  | 'getFileItemInfo'
  | 'getShortcutInfo'
  | 'checkFileExist'
>

/** The handlers of the calls that list and describe items. */
export function readingHandlers({ firstPages, marks }: { firstPages: FirstPages; marks: Marks }): Reading {
  return {
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

    async getShortcutInfo(context, { linkId }) {
      const actor = actorOf(context)
      const followed = await followLinks(context.db, actor, [recordOf(context.item(link(linkId)), actor)], context.now)
      const [record] = await marks.complete(actor, followed)
      return record ?? fail('notFound')
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
  }
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
