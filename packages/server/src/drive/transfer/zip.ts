/*
 * Many items as one zip, made while it is sent: names in UTF-8, zip64 where it is needed, contents stored as they are.
 * What lies inside a folder is checked item by item; what may be seen but not downloaded is named in a list at the end of
 * the zip, so that nobody believes to have everything.
 */
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { denial, gates, numberedName } from '@cloudoc/domain'
import { sql } from 'kysely'
import yazl from 'yazl'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Actor } from '../../core/actor.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Context } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { type Above, aboveChildrenOf, factsBelow, itemColumns, ownEntries, unpackEntries } from '../tree/index.ts'
import { userContentHeaders } from './send-content.ts'

const pageSize = 500
/** What the list of left out items is called, in the zip's top. */
const leftOutName = '未包含的文件 (not included).txt'

type Child = ItemRow & { entries: Parameters<typeof unpackEntries>[0]; key: string | null }

interface Walk {
  readonly db: Db
  readonly actor: Actor
  readonly now: number
  readonly add: (path: string, row: ItemRow, key: string) => void
  readonly addFolder: (path: string) => void
  readonly leaveOut: (path: string) => void
}

async function walkFolder(walk: Walk, above: Above, folderId: number, path: string): Promise<void> {
  let after = 0
  let empty = true
  while (true) {
    const { rows } = await sql<Child>`
      select ${itemColumns}, '' as modifier, '' as creator, ${ownEntries(walk.actor)} as entries, b.key
      from item i
      left join version v on v.item_id = i.id and v.number = i.version
      left join blob b on b.id = v.blob_id
      where i.parent_id = ${folderId} and i.deleted_at is null and i.id > ${after}
      order by i.id limit ${pageSize}`.execute(walk.db)
    for (const row of rows) {
      const step = factsBelow(above, row, unpackEntries(row.entries), walk.actor, walk.now)
      if (denial(gates.see, step.facts) !== undefined) continue
      empty = false
      const name = `${path}${row.name}`
      if (denial(gates.download, step.facts) !== undefined) walk.leaveOut(name)
      else if (row.f_type === 1 && row.key !== null) walk.add(name, row, row.key)
      else await walkFolder(walk, { ...above, inForce: step.inForce, restricted: step.restricted }, row.id, `${name}/`)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) break
    after = last.id
  }
  if (empty) walk.addFolder(path)
}

/** Streams the items, which have passed the gate `download`, as one zip. */
export async function sendZip(
  context: Context,
  actor: Actor,
  blobs: BlobStore,
  items: readonly { access: Access; key: string | undefined }[],
): Promise<void> {
  const { request, reply } = context
  const first = items[0]?.access.row.name ?? 'files'
  const name = `${items.length === 1 ? first.replace(/\.[^.]*$/, '') : `${first} 等 ${items.length} 项`}.zip`
  reply.hijack()
  reply.raw.writeHead(200, { ...userContentHeaders(name), 'content-type': 'application/zip' })
  if (request.method === 'HEAD') {
    reply.raw.end()
    return
  }
  const zip = new yazl.ZipFile()
  const output = new PassThrough({ highWaterMark: 512 * 1024 })
  zip.outputStream.pipe(output)
  const broken = (error: unknown): void => void output.destroy(error as Error)
  zip.on('error', broken)
  const sent = pipeline(output, reply.raw)
  const leftOut: string[] = []
  const walk: Walk = {
    db: context.db,
    actor,
    now: context.now,
    add(path, row, key) {
      const options = { compress: false, size: row.size, mtime: new Date(row.modified_at), mode: 0o100644 }
      zip.addReadStreamLazy(path, options, (give) => {
        const bytes = blobs.open(key)
        bytes.once('error', broken)
        give(null, bytes)
      })
    },
    addFolder: (path) => zip.addEmptyDirectory(path, { mode: 0o40755 }),
    leaveOut: (path) => void leftOut.push(path),
  }
  try {
    const names = new Set<string>()
    for (const { access, key } of items) {
      const { row } = access
      let shown = row.name
      for (let n = 2; names.has(shown.toLowerCase()); n += 1) {
        shown = numberedName(row.name, n, { isFolder: row.f_type === 2 })
      }
      names.add(shown.toLowerCase())
      if (row.f_type === 1 && key !== undefined) walk.add(shown, row, key)
      else await walkFolder(walk, aboveChildrenOf(access), row.id, `${shown}/`)
      if (output.destroyed) break
    }
    if (leftOut.length > 0) zip.addBuffer(Buffer.from(`\ufeff${leftOut.join('\r\n')}\r\n`), leftOutName)
    zip.end()
  } catch (error) {
    broken(error)
  }
  await sent.catch(() => reply.raw.destroy())
}
