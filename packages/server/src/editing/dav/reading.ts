// PROPFIND, GET and HEAD.
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { ItemRecord } from '@cloudoc/contract'
import { rights } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { acceptsGzip } from '../../core/call/compress.ts'
import type { Db } from '../../core/db/database.ts'
import { needsEncryption } from '../../drive/transfer/index.ts'
import { hrefOf } from './addresses.ts'
import { type DavExchange, refuse, refuseBy, type Sight } from './exchange.ts'
import { locksAt } from './locks.ts'
import { type Asked, askedOf, type Described, type Quota, responseOf, storedAt } from './properties.ts'
import { isFolder, mayRead, namedLibraries } from './resources.ts'
import { isWindowsDrive, notifyOfLimit, windowsLimit } from './windows-limit.ts'
import { xmlHead } from './xml.ts'

/** Items of a folder that are read at a time. */
const pageSize = 1000

/** Answers PROPFIND, page after page, so that a large folder needs no more memory than a small one. */
export async function propfind(exchange: DavExchange): Promise<void> {
  const asked = askedOf(await exchange.body())
  const depth = exchange.header('depth') ?? 'infinity'
  if (depth !== '0' && depth !== '1') refuseBy(403, 'propfind-finite-depth')
  const first = await exchange.look(async (sight) => {
    const { context, actor, target } = sight
    const { names } = exchange
    if (target.isRoot) {
      const libraries = depth === '0' ? [] : await namedLibraries(context.db, actor, context.now)
      const inside = libraries.map(({ name, access }) => describe([name], access, name))
      return { isFolder: false, id: 0, text: await write(sight, [rootEntry, ...inside], asked) }
    }
    const item = target.item ?? refuse(404)
    const content = item.row.f_type === 1 && mayRead(item) ? await exchange.contentOf(item.row) : undefined
    const one = { ...describe(names, item, target.name), sha256: content?.sha256 }
    const text = await write(sight, [one], asked, wantsQuota(asked) ? await quotaOf(context.db, item) : undefined)
    await noteSizes(exchange, sight, [one])
    return { isFolder: isFolder(target), id: item.row.id, text }
  })
  await send(exchange, depth === '1' && first.isFolder ? withInside(exchange, asked, first) : alone(first))
}

/** Tells the owner of a Windows drive of its limit where a file is above it. */
async function noteSizes(
  { parts, request }: DavExchange,
  { context, actor }: Sight,
  entries: readonly Described[],
): Promise<void> {
  if (!isWindowsDrive(request.headers['user-agent'])) return
  if (entries.some(({ isFolder: isDirectory, size }) => !isDirectory && size > windowsLimit))
    await notifyOfLimit(parts.db, actor, context.now)
}

interface Written {
  readonly id: number
  /** Its response as XML. */
  readonly text: string
}

async function* alone({ text }: Written): AsyncIterable<string> {
  yield text
}

/** The response about a folder, and those about what it holds. */
async function* withInside(exchange: DavExchange, asked: Asked, { id, text }: Written): AsyncIterable<string> {
  yield text
  for (let after: string | null | undefined; after !== null; ) {
    const page = await exchange.call('getSubItemList3', {
      ...{ folderId: id, rows: pageSize, sort: 'name', order: 'asc', fields: 'sha256' },
      ...(after === undefined ? {} : { after }),
    })
    const entries = page.list.filter(({ linkId }) => linkId === 0).map((record) => entryOf(exchange.names, record))
    yield await exchange.look(async (sight) => {
      await noteSizes(exchange, sight, entries)
      return write(sight, entries, asked)
    })
    after = page.next
  }
}

/** Sends the responses as they are written, compressed if the client accepts that: they repeat a lot. */
async function send({ request, reply }: DavExchange, responses: AsyncIterable<string>): Promise<void> {
  const isCompressed = acceptsGzip(request.headers['accept-encoding'])
  reply.hijack()
  const { raw } = reply
  raw.writeHead(207, {
    ...{ 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'no-store', dav: '1, 2, 3' },
    ...{ vary: 'accept-encoding', ...(isCompressed && { 'content-encoding': 'gzip' }) },
  })
  async function* body(): AsyncIterable<string> {
    yield `${xmlHead}<d:multistatus xmlns:d="DAV:">`
    yield* responses
    yield '</d:multistatus>'
  }
  const steps = isCompressed ? [createGzip({ level: constants.Z_BEST_SPEED })] : []
  try {
    await pipeline([body(), ...steps, raw])
  } catch (error) {
    // The client has gone.
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

/** Answers GET and HEAD of a file as a download, with its rights, limits and watermark. */
export async function get(exchange: DavExchange): Promise<void> {
  const fileId = await exchange.look(async ({ context, target }) => {
    if (target.isRoot || isFolder(target)) return 0
    const item = target.item ?? refuse(404)
    // A network drive has the size of the plain content, and nobody who could decrypt it ([R205]).
    if (needsEncryption(context, [item])) refuse(403)
    const { id } = item.row
    // Office opens what it has locked for reading only if it is told that its copy is current.
    const isEdited =
      exchange.header('translate')?.toLowerCase() === 'f' && (await locksAt(context.db, [id], context.now)).has(id)
    if (isEdited) delete exchange.request.raw.headers['if-none-match']
    return id
  })
  if (fileId === 0) refuse(405)
  await exchange.call('downloadServlet', { fileId })
}

const rootEntry: Described = {
  ...{ href: hrefOf([], true), isFolder: true, name: 'Cloudoc', id: 0 },
  ...{ size: 0, modifiedAt: 0, createdAt: 0, rights: rights(0) },
}

function describe(names: readonly string[], { row, facts }: Access, name: string): Described {
  const isFolderRow = row.f_type === 2
  return {
    ...{ href: hrefOf(names, isFolderRow), isFolder: isFolderRow, name, id: row.id, size: row.size },
    ...{ modifiedAt: row.modified_at, createdAt: row.created_at, rights: facts.rights },
  }
}

function entryOf(above: readonly string[], record: ItemRecord): Described {
  const isFolderRecord = record.fType === 2
  return {
    ...{ href: hrefOf([...above, record.fName], isFolderRecord), isFolder: isFolderRecord, name: record.fName },
    ...{ id: record.fId, size: record.fileSize, modifiedAt: record.modifyTime, createdAt: record.createTime },
    ...{ rights: rights(record.rights), sha256: record.sha256 },
  }
}

const wantsQuota = (asked: Asked): boolean =>
  asked.kind === 'some' && asked.names.some(({ name }) => name.startsWith('quota-'))

async function quotaOf(db: Db, { library }: Access): Promise<Quota> {
  const { rows } = await sql<{ used: number }>`
    select coalesce(sum(bytes), 0)::bigint as used from usage_total where library_id = ${library.id}`.execute(db)
  const used = rows[0]?.used ?? 0
  return { used, available: library.quota === 0 ? undefined : Math.max(0, library.quota - used) }
}

async function write({ context }: Sight, entries: readonly Described[], asked: Asked, quota?: Quota): Promise<string> {
  const ids = entries.map(({ id }) => id)
  const [stored, locks] = [await storedAt(context.db, ids), await locksAt(context.db, ids, context.now)]
  const storedById = Map.groupBy(stored, ({ item_id }) => item_id)
  return entries
    .map((one) =>
      responseOf(one, asked, {
        ...{ stored: storedById.get(one.id) ?? [], locks: locks.get(one.id) ?? [], quota, now: context.now },
      }),
    )
    .join('')
}
