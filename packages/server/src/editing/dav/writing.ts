// PUT, MKCOL, DELETE, COPY and MOVE: each by the calls that the page uses, and as one change.
import { createHash } from 'node:crypto'
import { fail, itemName, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import { readRaw } from '../../core/call/bodies.ts'
import type { Tx } from '../../core/db/database.ts'
import { isEditor } from '../../drive/tree/index.ts'
import { type CurrentContent, type DavExchange, DavRefusal, type JoinedCalls, refuse, type Sight } from './exchange.ts'
import { locksAt, shareEditLock } from './locks.ts'
import { copyStored, etagOf } from './properties.ts'
import { findResource, isFolder, type Resource } from './resources.ts'

/** Stores the body as a file, or as the next version of one. */
export async function put(exchange: DavExchange): Promise<void> {
  if (exchange.header('content-range') !== undefined) refuse(400)
  const free = await freeTargetOf(exchange)
  const repeated = free === undefined ? await repeatedOf(exchange) : undefined
  if (repeated !== undefined) return sendStored(exchange, repeated, exchange.header('if-none-match') !== undefined)
  const { folderId, existing, isLocked, isShared } = free ?? (await targetOf(exchange))
  if (existing !== undefined && isShared)
    await exchange.write(({ tx }, { accountId }) => shareEditLock(tx, existing.id, accountId))
  const { request } = exchange
  const upload = { fileName: '', content: checkedBody(exchange) }
  const time = modifiedOf(exchange)
  const isConditional = ['if', 'if-match'].some((name) => request.headers[name] !== undefined)
  const storing =
    existing !== undefined && (isLocked || isShared)
      ? exchange.call('submitFile', { fileId: existing.id, version: existing.version, ...time }, upload)
      : exchange.call(
          'uploadRaw',
          {
            ...{ folderId, fileName: exchange.names.at(-1) ?? '', ...time },
            ...(existing === undefined || request.headers['if-none-match'] === '*'
              ? { conflict: request.headers['if-none-match'] === '*' ? 'refuse' : 'version' }
              : isConditional
                ? { expectedVersion: existing.version }
                : { conflict: 'version' }),
          },
          upload,
        )
  const stored = await (free === undefined ? storing : storing.catch(asWithoutFolder))
  await sendStored(exchange, stored, existing === undefined)
}

async function sendStored(
  exchange: DavExchange,
  { fileId, sha256 }: Pick<CurrentContent, 'fileId' | 'sha256'>,
  isNew: boolean,
): Promise<void> {
  const { reply } = exchange
  const etag = etagOf(sha256)
  reply.header('etag', etag).header('oc-etag', etag).header('oc-fileid', String(fileId))
  if (modifiedOf(exchange).lastModified !== undefined) reply.header('x-oc-mtime', 'accepted')
  await reply.status(isNew ? 201 : 204).send()
}

/**
 * What a PUT has stored that is sent again because its answer was lost: its condition has become false by itself. The
 * request has a checksum; its body is read and compared. Undefined where the condition is not the obstacle.
 */
async function repeatedOf(exchange: DavExchange): Promise<CurrentContent | undefined> {
  if (exchange.header('oc-checksum') === undefined || exchange.header('if') !== undefined) return undefined
  const current = await exchange.currentContent()
  if (current === undefined || current.size !== Number(exchange.header('content-length'))) return undefined
  if (exchange.permits(true, etagOf(current.sha256))) return undefined
  const hash = createHash('sha256')
  try {
    for await (const chunk of checkedBody(exchange)) hash.update(chunk)
  } catch (error) {
    if (error instanceof ResultError) exchange.refuseFor(error.code)
    throw error
  }
  return hash.digest('hex') === current.sha256 ? current : exchange.refuseFor('fileConflict')
}

/** A folder that the caller may not see is one that is not there. */
function asWithoutFolder(error: unknown): never {
  throw error instanceof DavRefusal && error.status === 404 ? new DavRefusal(409) : error
}

/** Where a body goes. */
interface UploadTarget {
  readonly folderId: number
  /** What stands there now. */
  readonly existing: ItemRow | undefined
  /** The caller holds its edit lock. */
  readonly isLocked: boolean
  /** The caller holds its edit lock in another session, in the page, and a lock of this drive beside it. */
  readonly isShared: boolean
}

const conditions = ['if', 'if-match', 'if-none-match', 'lock-token'] as const

/** The target of a new file without conditions, if it is known at once that nothing stands there or is locked. */
async function freeTargetOf({ parts, request, names }: DavExchange): Promise<UploadTarget | undefined> {
  if (conditions.some((name) => request.headers[name] !== undefined)) return undefined
  const folderId = await parts.uploadTargets.folderFor(request.headers.authorization ?? '', names)
  return folderId === undefined ? undefined : { folderId, existing: undefined, isLocked: false, isShared: false }
}

function targetOf(exchange: DavExchange): Promise<UploadTarget> {
  return exchange.look(async (sight) => {
    const { context, target, actor } = sight
    if (target.isRoot || isFolder(target)) return refuse(405)
    const parent = target.parent ?? refuse(409)
    await exchange.assertUnlocked(sight, target, target.item === undefined ? { memberOf: parent } : {})
    const [library = ''] = target.names
    exchange.parts.uploadTargets.learn(exchange.header('authorization') ?? '', library, parent.library.id)
    const existing = target.item?.row
    const isOwn = existing !== undefined && existing.editor_id === actor.accountId
    const isLocked = isOwn && isEditor(existing, actor)
    // A lock that is not the caller's own has refused the request.
    const isShared = isOwn && !isLocked && (await locksAt(context.db, [existing.id], context.now)).has(existing.id)
    return { existing, folderId: parent.row.id, isLocked, isShared }
  })
}

/** The disk time that clients of ownCloud send, in seconds since 1970. */
function modifiedOf(exchange: DavExchange): { lastModified?: number } {
  const header = exchange.header('x-oc-mtime') ?? ''
  return /^\d{1,11}(?:\.\d+)?$/.test(header) ? { lastModified: Math.round(Number(header) * 1000) } : {}
}

const algorithms: Readonly<Record<string, string>> = { SHA1: 'sha1', SHA256: 'sha256', MD5: 'md5' }

/**
 * The body, which fails at its end if its length or its hash is not what the client announced. A failed body stores
 * nothing.
 */
async function* checkedBody(exchange: DavExchange): AsyncIterable<Uint8Array> {
  const announced = ['x-expected-entity-length', 'oc-total-length']
    .map((name) => exchange.header(name))
    .filter((value) => value !== undefined)
    .map(Number)
  const [kind = '', digest = ''] = (exchange.header('oc-checksum') ?? '').split(':')
  const algorithm = algorithms[kind.toUpperCase()]
  const hash = algorithm === undefined ? undefined : createHash(algorithm)
  let length = 0
  for await (const chunk of readRaw(exchange.request.raw)) {
    length += chunk.length
    hash?.update(chunk)
    yield chunk
  }
  if (announced.some((expected) => expected !== length)) fail('uploadInterrupted', 'length')
  if (hash !== undefined && hash.digest('hex') !== digest.trim().toLowerCase()) fail('uploadInterrupted', kind)
}

/** Makes a folder. */
export async function mkcol(exchange: DavExchange): Promise<void> {
  if (exchange.hasBody()) refuse(415)
  const parentId = await exchange.look(async (sight) => {
    const { target } = sight
    if (target.isRoot || target.item !== undefined) return refuse(405)
    if (target.names.length === 1) return refuse(403)
    const parent = target.parent ?? refuse(409)
    await exchange.assertUnlocked(sight, target, { memberOf: parent })
    return parent.row.id
  })
  await exchange.call('folderCreate', { parentId, folderName: exchange.names.at(-1) ?? '' })
  await exchange.reply.status(201).send()
}

/** Moves a file or a folder to the recycle bin. */
export async function remove(exchange: DavExchange): Promise<void> {
  const { item, isOwnLock } = await exchange.look(async (sight) => {
    const item = ofLibrary(sight.target)
    // The address of a fragment is no resource.
    if ((exchange.request.raw.url ?? '').includes('#')) return refuse(400)
    await exchange.assertUnlocked(sight, sight.target, { memberOf: sight.target.parent, withInside: true })
    return { item, isOwnLock: item.row.editor_id !== null && isEditor(item.row, sight.actor) }
  })
  await exchange.inOneTransaction(async (joined) => {
    if (isOwnLock) await joined.call('fileEditUnlock', { fileId: item.row.id })
    await joined.batch('fileOrFolderDelete', idsOf(item))
  })
  await exchange.reply.status(204).send()
}

/** The item of a resource that may be moved or removed: it exists and is no library. */
function ofLibrary(resource: Resource): Access {
  if (resource.isRoot) return refuse(403)
  const item = resource.item ?? refuse(404)
  return resource.parent === undefined ? refuse(403) : item
}

const idsOf = ({ row }: Access) => (row.f_type === 1 ? { fileIdArray: [row.id] } : { folderIdArray: [row.id] })

/** Where a COPY or a MOVE leads. */
interface Transfer {
  readonly source: Access
  readonly isOwnLock: boolean
  readonly target: Access
  readonly name: string
  /** What stands there now. */
  readonly replaced: Access | undefined
}

async function transferOf(exchange: DavExchange, kind: 'copy' | 'move'): Promise<Transfer> {
  const names = exchange.destination()
  const overwrites = (exchange.header('overwrite') ?? 'T').toUpperCase() !== 'F'
  return exchange.look(async (sight: Sight) => {
    const { context, actor, target: from } = sight
    const source = kind === 'move' ? ofLibrary(from) : (from.item ?? refuse(from.isRoot ? 403 : 404))
    const to = await findResource(exchange.parts, actor, names, context.now)
    if (to.isRoot || names.length === 1) return refuse(403)
    const target = to.parent ?? refuse(409)
    const name = names.at(-1) ?? ''
    const checked = itemName(name)
    if ('code' in checked) exchange.refuseFor(checked.code)
    const isSame = to.item?.row.id === source.row.id
    if (isSame && (kind === 'copy' || source.row.name === name)) return refuse(403)
    if (target.row.id === source.row.id || target.path.some(({ id }) => id === source.row.id)) return refuse(403)
    // The source would vanish with the folder that it replaces.
    if (!isSame && from.parent?.path.some(({ id }) => id === to.item?.row.id)) return refuse(403)
    if (from.parent !== undefined && to.item !== undefined && from.parent.row.id === to.item.row.id) return refuse(403)
    const replaced = isSame ? undefined : to.item
    if (replaced !== undefined && !overwrites) return refuse(412)
    if (kind === 'move') await exchange.assertUnlocked(sight, from, { memberOf: from.parent, withInside: true })
    await exchange.assertUnlocked(sight, to, { memberOf: target, withInside: true })
    const isOwnLock = source.row.editor_id !== null && isEditor(source.row, actor)
    return { source, target, name, replaced, isOwnLock }
  })
}

const renameTo = async (joined: JoinedCalls, isFile: boolean, id: number, name: string): Promise<void> => {
  if (isFile) await joined.call('renameFile', { fileId: id, fileName: name })
  else await joined.call('renameFolder', { folderId: id, folderName: name })
}

/** Moves and renames, as one change. What stood at the destination goes to the recycle bin. */
export async function move(exchange: DavExchange): Promise<void> {
  const transfer = await transferOf(exchange, 'move')
  await exchange.inOneTransaction((joined) => moveIn(joined, transfer))
  await exchange.reply.status(transfer.replaced === undefined ? 201 : 204).send()
}

async function moveIn(joined: JoinedCalls, transfer: Transfer): Promise<void> {
  const { source, target, name, replaced, isOwnLock } = transfer
  const { id, f_type, library_id, parent_id } = source.row
  const { tx } = joined.context
  // A lock does not move with what it is on.
  if (isOwnLock) await joined.call('fileEditUnlock', { fileId: id })
  if (replaced !== undefined) await joined.batch('fileOrFolderDelete', idsOf(replaced))
  const isRenamed = source.row.name !== name
  let moved = id
  if (parent_id !== target.row.id) {
    // An item of the target folder may have the name that it has until it is renamed.
    const conflict = isRenamed ? 'keepBoth' : 'refuse'
    const to = { targetFolderId: target.row.id, conflict, ...idsOf(source) } as const
    moved = (await joined.batch('fileOrFolderMove', to)) || id
  }
  if (isRenamed) await renameTo(joined, f_type === 1, moved, name)
  if (moved !== id) await copyStored(tx, id, moved)
  await tx.deleteFrom('dav_lock').where('item_id', '=', id).execute()
  if (library_id === target.row.library_id) return
  // A move to another library copies and leaves the source ([R124]). With the source would go what is not in the copy:
  // what the person may not have, and what has come meanwhile.
  if ((await countFrom(tx, id)) !== (await countFrom(tx, moved))) return refuse(403)
  await joined.batch('fileOrFolderDelete', idsOf(source))
}

/** The number of items from one on downwards. */
async function countFrom(tx: Tx, id: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with recursive down as (
      select ${id}::bigint as id
      union all
      select c.id from down d
      cross join lateral (select id from item where parent_id = d.id and deleted_at is null offset 0) c
    ) select count(*)::int as n from down`.execute(tx)
  return rows[0]?.n ?? 0
}

/**
 * Copies a file or a folder, as one change; with depth 0 the folder alone. What stood at the destination goes to the
 * recycle bin.
 */
export async function copy(exchange: DavExchange): Promise<void> {
  const transfer = await transferOf(exchange, 'copy')
  const depth = exchange.header('depth') ?? 'infinity'
  if (depth !== '0' && depth !== 'infinity') refuse(400)
  await exchange.inOneTransaction((joined) => copyIn(joined, transfer, depth === '0'))
  await exchange.reply.status(transfer.replaced === undefined ? 201 : 204).send()
}

async function copyIn(joined: JoinedCalls, transfer: Transfer, isAlone: boolean): Promise<void> {
  const { source, target, name, replaced } = transfer
  if (replaced !== undefined) await joined.batch('fileOrFolderDelete', idsOf(replaced))
  const isFile = source.row.f_type === 1
  let made: number
  if (!isFile && isAlone) {
    made = (await joined.call('folderCreate', { parentId: target.row.id, folderName: name })).folderId
  } else {
    const isRenamed = source.row.name !== name
    made = await joined.batch('fileOrFolderCopy', {
      ...{ targetFolderId: target.row.id, ...idsOf(source) },
      conflict: isRenamed ? 'keepBoth' : 'refuse',
    })
    if (isRenamed) await renameTo(joined, isFile, made, name)
  }
  await copyStored(joined.context.tx, source.row.id, made)
}
