/*
 * A copy between two servers ([R123], X78). Each side is used with a session of the person who asked for it, so that its
 * rules are checked at every step. What is done is written down item by item, and every step can be repeated:
 *
 * - The name under which a folder will be made is stored first. If the process died in between, an empty folder of that
 *   name which the person has made is that folder.
 * - The number of an upload is stored before its first byte. A repeated end of an upload answers the file that it made,
 *   so no file is made twice. The parts that have arrived are not sent again.
 * - Contents have the hash that the source names, or the upload is refused.
 *
 * A move removes an item from the source after all that is in it has arrived, if nothing in it has changed since.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { type CodeName, fail, mainServerId, numberedName, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import { refusalOf } from '../../core/call/dispatcher.ts'
import type { Db } from '../../core/db/database.ts'
import type { Content, Remote } from '../links/index.ts'
import { storeOrigin } from './origins.ts'
import type { Copy, CopyItem } from './rows.ts'

/** Below the maximum page size: a page with long paths stays within the answer limit. */
const pageRows = 100
/** Maximum number of items per copy, so that an endless folder ends. */
const mostItems = 100_000
/** Files that are sent at the same time. */
const atOnce = 3
const filesPerLook = 60
/** How often an item is tried whose content does not have its hash, or about which the other server talks nonsense. */
const mostTries = 3
/** Numbered names that are tried for a folder. */
const mostNames = 100

/** The states in which a server cannot go on, whichever item is asked for. */
const awayCodes: ReadonlySet<CodeName> = new Set(['interconnectedServerNotResponding', 'interconnectedServerInvalid'])
/** The failures of an item that may have been the network's. */
const passingCodes: ReadonlySet<CodeName> = new Set(['interconnectedServerFaulty', 'uploadInterrupted'])

/** One of the two servers cannot go on now. */
export class ServerAway extends ResultError {
  readonly serverId: number

  constructor(code: CodeName, serverId: number) {
    super(code)
    this.serverId = serverId
  }
}

/** An item is tried again later. */
class TryLater extends Error {
  override name = 'TryLater'
}

/** The servers of a copy, as its person. */
export interface Sides {
  readonly source: Remote
  readonly target: Remote
}

/** A server whose failures say which one it is. */
export function namedSide(side: Remote, serverId: number): Remote {
  const named = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const code = error instanceof ServerAway ? undefined : refusalOf(error)?.code
      throw code !== undefined && awayCodes.has(code) ? new ServerAway(code, serverId) : error
    }
  }
  async function* namedBytes(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const chunks = bytes[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await named(() => chunks.next())
        if (next.done === true) return
        yield next.value
      }
    } finally {
      await chunks.return?.()
    }
  }
  return {
    ...side,
    ask: (name, input) => named(() => side.ask(name, input)),
    content: (fileId, later) =>
      named(async () => {
        const content = await side.content(fileId, later)
        return { ...content, bytes: namedBytes(content.bytes) }
      }),
    sendPart: (part, bytes) => named(() => side.sendPart(part, bytes)),
  }
}

interface Run extends Sides {
  readonly db: Db
  readonly copy: Copy
  readonly signal: AbortSignal
  readonly now: () => number
  /** The name of the server of the source. */
  readonly sourceName: string
  readonly progress: (thousandths: number) => void
  readonly pause: (point: string) => Promise<void>
}

type Change = Partial<Omit<CopyItem, 'id' | 'copy_id' | 'parent_id' | 'f_type' | 'source_id'>>

async function change(db: Db, item: Pick<CopyItem, 'id'>, values: Change): Promise<void> {
  await db.updateTable('server_copy_item').set(values).where('id', '=', item.id).execute()
}

/** Does a step of an item. Refusals are written down; what concerns the whole server, or is our own fault, is thrown. */
async function attempt(run: Run, item: CopyItem, step: () => Promise<void>): Promise<void> {
  const { db, signal } = run
  try {
    await step()
  } catch (error) {
    signal.throwIfAborted()
    const code = error instanceof ServerAway || error instanceof TryLater ? undefined : refusalOf(error)?.code
    if (code === undefined) throw error
    if (passingCodes.has(code) && item.tries + 1 < mostTries) {
      await change(db, item, { tries: item.tries + 1, upload_id: null, sent: 0 })
      throw new TryLater(`${code}: item ${item.id}`)
    }
    await change(db, item, { state: 'refused', code, sent: 0 })
  }
}

const openItems = (db: Db, copy: Copy) =>
  db.selectFrom('server_copy_item').selectAll().where('copy_id', '=', copy.id).orderBy('id')

/** The folder at the target into which an item comes. */
async function placeOf(db: Db, copy: Copy, item: CopyItem): Promise<number> {
  if (item.parent_id === null) return copy.target_folder
  const parent = await db
    .selectFrom('server_copy_item')
    .select('target_id')
    .where('id', '=', item.parent_id)
    .executeTakeFirstOrThrow()
  return parent.target_id ?? fail('notFound')
}

/** What is remembered of an item when it is found. */
const foundOf = (record: ItemRecord) => ({
  ...{ name: record.fName, version: record.version, size: record.fileSize, secret_level: record.secretLevel },
  // A file that has never been on a disk has the time of its last change.
  disk_time: record.diskTime > 0 ? record.diskTime : record.modifyTime,
  ...{ author: record.creatorName, created_at: record.createTime },
})

/** Reads the items that were asked for. */
async function readWanted(run: Run): Promise<void> {
  const { db, copy, source } = run
  for (const item of await openItems(db, copy)
    .where('parent_id', 'is', null)
    .where('name', '=', '')
    .where('state', '=', 'waiting')
    .execute()) {
    run.signal.throwIfAborted()
    await attempt(run, item, async () => {
      const record =
        item.f_type === 1
          ? await source.ask('getFileInfo', { fileId: item.source_id })
          : await source.ask('getFolderInfo', { folderId: item.source_id })
      await change(db, item, foundOf(record))
    })
  }
}

/** The folder of a name in a folder of the target, if it is empty and the person has made it. */
async function ownEmpty({ target }: Run, parentId: number, name: string): Promise<number | undefined> {
  const { list } = await target.ask('getSubItemList3', { folderId: parentId, keyword: name, rows: pageRows })
  const found = list.find(({ fType, fName, linkId }) => fType === 2 && fName === name && linkId === 0)
  if (found === undefined || found.creatorName !== target.accountName) return undefined
  const inside = await target.ask('getSubItemList3', { folderId: found.fId, rows: 1 })
  return inside.list.length === 0 ? found.fId : undefined
}

/** Makes a folder at the target. */
async function makeFolder(run: Run, item: CopyItem): Promise<number> {
  const { db, copy, target, pause } = run
  const parentId = await placeOf(db, copy, item)
  const mayNumber = item.parent_id === null && copy.conflict === 'keepBoth'
  // A process that has died may have made it under the name that it had stored.
  if (item.state === 'making') {
    const made = await ownEmpty(run, parentId, item.made_name)
    if (made !== undefined) return made
  }
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? item.name : numberedName(item.name, n, { isFolder: true })
    await change(db, item, { state: 'making', made_name: name })
    try {
      const { folderId } = await target.ask('folderCreate', { parentId, folderName: name })
      await pause('server copy folder made')
      return folderId
    } catch (error) {
      if (refusalOf(error)?.code !== 'alreadyExists' || !mayNumber || n === mostNames) throw error
    }
  }
}

/** Writes down what is in a folder of the source, page by page. */
async function listFolder(run: Run, folder: CopyItem): Promise<void> {
  const { db, copy, source, signal } = run
  let after = folder.list_after
  let read = 0
  for (;;) {
    signal.throwIfAborted()
    const page = await source.ask('getSubItemList3', {
      ...{ folderId: folder.source_id, rows: pageRows },
      ...(after !== null && { after }),
    })
    const isEndless = page.list.length === 0 && page.next !== null
    read += page.list.length
    if (isEndless || page.list.length > pageRows || read > mostItems) return fail('interconnectedServerFaulty')
    // The target of a shortcut is not in the folder.
    const found = page.list.filter(({ linkId }) => linkId === 0)
    after = page.next
    const next = after
    await db.transaction().execute(async (tx) => {
      if (found.length > 0)
        await tx
          .insertInto('server_copy_item')
          .values(
            found.map((record) => ({
              ...{ copy_id: copy.id, parent_id: folder.id, f_type: record.fType, source_id: record.fId },
              ...foundOf(record),
            })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      await change(tx, folder, { list_after: next, ...(next === null && { state: 'done' as const }) })
    })
    const { items } = await db
      .selectFrom('server_copy_item')
      .select(sql<number>`count(*)::int`.as('items'))
      .where('copy_id', '=', copy.id)
      .executeTakeFirstOrThrow()
    if (items > mostItems) return fail('interconnectedServerFaulty')
    if (next === null) return
  }
}

/** Makes the folders from the top down and writes down what is in them. */
async function makeFolders(run: Run): Promise<void> {
  const { db, copy, signal } = run
  for (;;) {
    signal.throwIfAborted()
    const folder = await openItems(db, copy)
      .where('f_type', '=', 2)
      .where('name', '<>', '')
      .where('state', 'in', ['waiting', 'making', 'listing'])
      .limit(1)
      .executeTakeFirst()
    if (folder === undefined) return
    await attempt(run, folder, async () => {
      if (folder.target_id === null) {
        const made = await makeFolder(run, folder)
        await change(db, folder, { target_id: made, state: 'listing' })
      } else if (folder.state !== 'listing') await change(db, folder, { state: 'listing' })
      await listFolder(run, folder)
    })
  }
}

/** The upload of an item: where it goes on, with the content from there on. */
interface Upload {
  readonly uploadId: string
  readonly partSize: number
  /** The number of parts that have arrived. */
  readonly parts: number
  readonly content: Content
}

/** Begins or resumes the upload of a file. Undefined if it has come to its end before. */
async function openUpload(run: Run, item: CopyItem, folderId: number): Promise<Upload | undefined> {
  const { db, copy, source, target, pause } = run
  if (item.upload_id !== null && item.sha256 !== null) {
    const uploadId = item.upload_id
    const known = await target.ask('uploadStatus', { uploadId }).catch((error: unknown) => {
      if (refusalOf(error)?.code === 'notFound') return undefined
      throw error
    })
    if (known?.fileId !== undefined) return undefined
    if (known !== undefined) {
      let parts = 0
      while (known.parts[parts] === parts + 1) parts += 1
      const from = parts * known.partSize
      // Everything is there but the last step.
      if (from >= known.fileSize) return undefined
      const content = await source.content(item.source_id, { from, sha256: item.sha256.toString('hex') })
      if (content.sha256 === item.sha256.toString('hex') && content.from === from)
        return { uploadId, partSize: known.partSize, parts, content }
      // It has changed at the source.
      content.drop()
      await target.ask('uploadAbort', { uploadId }).catch(() => {})
    }
  }
  const content = await source.content(item.source_id)
  try {
    const { uploadId, partSize } = await target.ask('uploadOpen', {
      ...{ folderId, fileName: item.name, fileSize: content.size, sha256: content.sha256 },
      ...{ conflict: item.parent_id === null ? copy.conflict : ('refuse' as const), secretLevel: item.secret_level },
      // A clock that is ahead makes nothing look newer than it is.
      ...(item.disk_time > 0 && { lastModified: Math.min(item.disk_time, run.now()) }),
    })
    const sha256 = Buffer.from(content.sha256, 'hex')
    await change(db, item, { upload_id: uploadId, sha256, size: content.size, sent: 0 })
    await pause('server copy upload opened')
    return { uploadId, partSize, parts: 0, content }
  } catch (error) {
    content.drop()
    throw error
  }
}

/** Cuts a stream into pieces. Each piece is read to its end before the next one begins. */
function piecesOf(bytes: AsyncIterable<Uint8Array>) {
  const chunks = bytes[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)
  return {
    async *take(size: number): AsyncIterable<Uint8Array> {
      for (let left = size; left > 0; ) {
        if (rest.length === 0) {
          const next = await chunks.next()
          if (next.done === true) return fail('uploadInterrupted')
          rest = next.value
        }
        const piece = rest.subarray(0, left)
        rest = rest.subarray(piece.length)
        left -= piece.length
        yield piece
      }
    },
    end: async (): Promise<void> => void (await chunks.return?.()),
  }
}

/** Keeps the author and the time of creation at the target, as information. */
async function keepOrigin({ db, copy, sourceName, target }: Run, item: CopyItem, fileId: number): Promise<void> {
  const origin = { server: sourceName, author: item.author, createTime: item.created_at }
  if (copy.target_server === mainServerId) return storeOrigin(db, fileId, origin)
  // A server of an earlier release does not know the call.
  await target.ask('noteFileOrigin', { fileId, ...origin }).catch((error: unknown) => {
    if (refusalOf(error)?.code !== 'interconnectedServerFaulty') throw error
  })
}

async function copyFile(run: Run, item: CopyItem): Promise<void> {
  const { db, copy, target, signal, pause } = run
  const folderId = await placeOf(db, copy, item)
  const upload = await openUpload(run, item, folderId)
  if (upload !== undefined) {
    const { uploadId, partSize, content } = upload
    const pieces = piecesOf(content.bytes)
    try {
      for (let part = upload.parts; part * partSize < content.size; part += 1) {
        signal.throwIfAborted()
        const size = Math.min(partSize, content.size - part * partSize)
        await target.sendPart({ uploadId, partNumber: part + 1, size }, pieces.take(size))
        await change(db, item, { sent: part * partSize + size })
        await pause('server copy part sent')
      }
    } finally {
      await pieces.end().catch(() => {})
      content.drop()
    }
  }
  const { upload_id: uploadId, sha256 } = await db
    .selectFrom('server_copy_item')
    .select(['upload_id', 'sha256'])
    .where('id', '=', item.id)
    .executeTakeFirstOrThrow()
  if (uploadId === null || sha256 === null) return fail('uploadInterrupted')
  const stored = await target.ask('uploadComplete', { uploadId })
  await pause('server copy file made')
  if (stored.sha256 !== sha256.toString('hex')) return fail('uploadInterrupted')
  await keepOrigin(run, item, stored.fileId)
  await change(db, item, { state: 'done', target_id: stored.fileId, sent: 0 })
}

/** Copies the files, a few at a time. */
async function copyFiles(run: Run): Promise<void> {
  const { db, copy, signal, progress } = run
  for (;;) {
    const files = await openItems(db, copy)
      .where('f_type', '=', 1)
      .where('name', '<>', '')
      .where('state', '=', 'waiting')
      .limit(filesPerLook)
      .execute()
    if (files.length === 0) return
    const waiting = files.values()
    let failure: { readonly error: unknown } | undefined
    const worker = async (): Promise<void> => {
      for (const file of waiting) {
        if (failure !== undefined) return
        signal.throwIfAborted()
        await attempt(run, file, () => copyFile(run, file)).catch((error: unknown) => {
          failure ??= { error }
        })
      }
    }
    const workers = await Promise.allSettled(Array.from({ length: atOnce }, worker))
    signal.throwIfAborted()
    if (failure !== undefined) throw failure.error
    const broken = workers.find((one) => one.status === 'rejected')
    if (broken !== undefined) throw broken.reason
    const { part } = await db
      .selectFrom('server_copy_item')
      .select(sql<number>`coalesce(1000 * count(*) filter (where state <> 'waiting') / count(*), 0)::int`.as('part'))
      .where('copy_id', '=', copy.id)
      .executeTakeFirstOrThrow()
    progress(part)
  }
}

/** Whether an item at the source is what was copied, with nothing added to it, changed or removed. */
async function isUnchanged({ db, source, signal }: Run, item: CopyItem): Promise<boolean> {
  if (item.f_type === 1) {
    const { version } = await source.ask('getFileInfo', { fileId: item.source_id })
    return version === item.version
  }
  const folders = [item]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const copied = await db.selectFrom('server_copy_item').selectAll().where('parent_id', '=', folder.id).execute()
    const left = new Map(copied.map((one) => [`${one.f_type} ${one.source_id}`, one]))
    let after: string | null = null
    let read = 0
    do {
      signal.throwIfAborted()
      const page: { list: ItemRecord[]; next: string | null } = await source.ask('getSubItemList3', {
        ...{ folderId: folder.source_id, rows: pageRows },
        ...(after !== null && { after }),
      })
      read += page.list.length
      if ((page.list.length === 0 && page.next !== null) || read > mostItems) return false
      for (const record of page.list) {
        if (record.linkId !== 0) continue
        const key = `${record.fType} ${record.fId}`
        const known = left.get(key)
        if (known === undefined || (known.f_type === 1 && known.version !== record.version)) return false
        left.delete(key)
      }
      after = page.next
    } while (after !== null)
    if (left.size > 0) return false
    folders.push(...copied.filter((one) => one.f_type === 2))
  }
  return true
}

/** Removes what has been moved from the source. */
async function removeMoved(run: Run): Promise<void> {
  const { db, copy, source, signal, pause } = run
  const { rows: whole } = await sql<CopyItem>`
    with recursive below as (
      select id, id as top, state, target_id from server_copy_item where copy_id = ${copy.id} and parent_id is null
      union all
      select i.id, b.top, i.state, i.target_id from server_copy_item i join below b on i.parent_id = b.id)
    select i.* from server_copy_item i
    where i.copy_id = ${copy.id} and i.parent_id is null and i.removal <> 'done' and i.code = ''
      and not exists (select 1 from below where top = i.id and (state <> 'done' or target_id is null))
    order by i.id`.execute(db)
  for (const item of whole) {
    signal.throwIfAborted()
    await attempt(run, item, async () => {
      if (item.removal === '' && !(await isUnchanged(run, item))) return fail('fileConflict')
      await change(db, item, { removal: 'begun' })
      const ids = item.f_type === 1 ? { fileIdArray: [item.source_id] } : { folderIdArray: [item.source_id] }
      await source.ask('fileOrFolderDelete', ids).catch((error: unknown) => {
        // A process that has died had removed it.
        if (item.removal !== 'begun' || refusalOf(error)?.code !== 'notFound') throw error
      })
      await pause('server copy source removed')
      await change(db, item, { removal: 'done' })
    })
  }
}

/** Carries out what is left of a copy. */
export async function carryOut(run: Run): Promise<void> {
  const { db, copy, target } = run
  if (copy.target_name === '') {
    const { fName } = await target.ask('getFolderInfo', { folderId: copy.target_folder })
    await db.updateTable('server_copy').set({ target_name: fName }).where('id', '=', copy.id).execute()
  }
  await readWanted(run)
  await makeFolders(run)
  await copyFiles(run)
  if (copy.is_move) await removeMoved(run)
}
