/*
 * Many items as one zip, made while it is sent: names in UTF-8, zip64 where it is needed, contents stored as they are, one
 * object open at a time and nothing read ahead of the receiver.
 * What lies inside a folder is checked item by item; what may be seen but not downloaded is named in a list at the end of
 * the zip, so that nobody believes to have everything.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { PassThrough, Readable, type Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { denial, type Facts, fail, gates, ResultError, splitName } from '@cloudoc/domain'
import { sql } from 'kysely'
import yazl from 'yazl'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Content, Contents } from '../../core/blobs/contents.ts'
import type { Context } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import {
  type Above,
  aboveChildrenOf,
  factsBelow,
  itemColumns,
  noPeople,
  ownEntries,
  unpackEntries,
} from '../tree/index.ts'
import { type Choose, canBeMarked, markedContent } from '../watermarks/index.ts'
import { userContentHeaders } from './send-content.ts'

const pageSize = 500
/** What the list of left out items is called, in the zip's top. */
const skippedListName = '未包含的文件 (not included).txt'

type Child = ItemRow & { entries: Parameters<typeof unpackEntries>[0] } & (
    | { blobId: null }
    | { blobId: number; key: string; sha256: Buffer }
  )

/** A zip being written to a sink; every part waits for its turn and for the sink. */
export interface ZipStream {
  file(path: string, bytes: Readable, about: { size: number; modifiedAt: number }): Promise<void>
  folder(path: string): void
  text(path: string, text: string): void
  /** Writes the directory; resolves when the sink has everything. */
  end(): Promise<void>
}

/** Begins a zip. When the sink is gone, the object that is being read is let go and the part fails. */
export function openZip(sink: Writable, forceZip64Format = false): ZipStream {
  const zip = new yazl.ZipFile()
  const output = new PassThrough({ highWaterMark: 512 * 1024 })
  let reading: Readable | undefined
  zip.on('error', (error: Error) => output.destroy(error))
  zip.outputStream.pipe(output)
  const sent = pipeline(output, sink)
  sent.catch(() => {})
  output.once('close', () => reading?.destroy())
  return {
    async file(path, bytes, { size, modifiedAt }) {
      if (output.destroyed) {
        bytes.destroy()
        return sent
      }
      reading = bytes
      const options = { compress: false, size, mtime: new Date(modifiedAt), mode: 0o100644, forceZip64Format }
      zip.addReadStream(bytes, path, options)
      await finished(bytes).catch((error: unknown) => {
        output.destroy(error as Error)
        throw error
      })
    },
    folder: (path) => zip.addEmptyDirectory(path, { mode: 0o40755 }),
    text: (path, text) => zip.addBuffer(Buffer.from(text), path, { forceZip64Format }),
    end() {
      zip.end({ forceZip64Format, comment: '' })
      return sent
    },
  }
}

/** Of a file: where it lies, and whether it may be taken with a watermark alone. */
interface Placed {
  readonly libraryId: number
  readonly level: number
  readonly isRestricted: boolean
}

interface ZipTraversal {
  /** Restricted documents are given as copies with a watermark. [R281] */
  readonly givesMarked: boolean
  readonly db: Db
  readonly actor: Account
  readonly now: number
  readonly addFile: (path: string, row: ItemRow, content: Content, at: Placed) => Promise<void>
  readonly addFolder: (path: string) => void
  readonly leaveOut: (path: string) => void
  /** Whether it is there at all, for whoever the zip is for. */
  readonly isThere: (facts: Facts) => boolean
}

/** The longest name that the file systems of Linux take, in bytes. */
const longestName = 255
/** Names that were cut are longer than this, so only longer ones can be equal to one of them. */
const cutAreLonger = longestName - 16

/** Names as they can be unpacked, told apart in one folder; of its shorter names it keeps none. */
function createUnpackable(): (name: string, isFolder: boolean) => string {
  const long = new Set<string>()
  return (name, isFolder) => {
    if (Buffer.byteLength(name) <= cutAreLonger) return name
    for (let n = 1; ; n += 1) {
      const shown = cutToBytes(name, n === 1 ? '' : ` (${n})`, isFolder)
      const key = shown.toLowerCase()
      if (long.has(key)) continue
      long.add(key)
      return shown
    }
  }
}

/** A name with a number behind its base, cut there to what can be unpacked. */
function cutToBytes(name: string, number: string, isFolder: boolean): string {
  const { base, ext } = isFolder ? { base: name, ext: '' } : splitName(name)
  const tail = `${number}${ext === '' ? '' : `.${ext}`}`
  const room = longestName - Buffer.byteLength(tail)
  let [kept, size] = ['', 0]
  for (const { segment } of characters.segment(base)) {
    size += Buffer.byteLength(segment)
    if (size > room) break
    kept += segment
  }
  return `${kept}${tail}`
}

const characters = new Intl.Segmenter()

async function addFolder(walk: ZipTraversal, above: Above, folderId: number, path: string): Promise<void> {
  let after = 0
  let empty = true
  const unpackable = createUnpackable()
  while (true) {
    const { rows } = await sql<Child>`
      select ${itemColumns}, ${noPeople}, ${ownEntries(walk.actor)} as entries, b.id as "blobId", b.key, b.sha256
      from item i
      left join version v on v.item_id = i.id and v.number = i.version
      left join blob b on b.id = v.blob_id
      where i.parent_id = ${folderId} and i.deleted_at is null and i.id > ${after}
      order by i.id limit ${pageSize}`.execute(walk.db)
    for (const row of rows) {
      const step = factsBelow(above, row, unpackEntries(row.entries), walk.actor, walk.now)
      if (denial(gates.see, step.facts) !== undefined || !walk.isThere(step.facts)) continue
      const name = `${path}${unpackable(row.name, row.f_type === 2)}`
      // What a link leads to lies elsewhere.
      if (row.link_to !== null) {
        walk.leaveOut(name)
        continue
      }
      empty = false
      if (denial(walk.givesMarked ? gates.downloadPacked : gates.download, step.facts) !== undefined)
        walk.leaveOut(name)
      else if (row.f_type === 1)
        await walk.addFile(name, row, row.blobId === null ? fail('versionMissing') : row, {
          libraryId: above.library.id,
          level: step.facts.secretLevel,
          isRestricted: denial(gates.download, step.facts) !== undefined,
        })
      else await addFolder(walk, { ...above, inForce: step.inForce, restricted: step.restricted }, row.id, `${name}/`)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) break
    after = last.id
  }
  if (empty) walk.addFolder(path)
}

/** Streams the items, which have passed the gate `downloadPacked` or one that takes more, as one zip. */
export async function sendZip(
  context: Context,
  actor: Account,
  contents: Contents,
  items: readonly { access: Access; content: Content | undefined }[],
  {
    choose,
    marksAll = false,
    isThere = () => true,
    mayTake = () => Promise.resolve(true),
  }: {
    /** The watermarks of what is in it. */
    readonly choose: Choose
    /** All that can bear a watermark bears one, not only what is restricted. [R281] */
    readonly marksAll?: boolean
    readonly isThere?: (facts: Facts) => boolean
    /** Takes one more file; where none is left it is named among those that were left out. */
    readonly mayTake?: (row: ItemRow) => Promise<boolean>
  },
): Promise<void> {
  const { request, reply } = context
  const answer = () => {
    reply.hijack()
    const headers = { ...userContentHeaders(zipName(items)), 'content-type': 'application/zip' }
    return reply.raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers })
  }
  if (request.method === 'HEAD') return void answer().end()
  let zip: ZipStream | undefined
  const leftOut: string[] = []
  const walk: ZipTraversal = {
    db: context.db,
    actor,
    now: context.now,
    givesMarked: context.actor?.kind === 'account',
    async addFile(path, row, content, { isRestricted, ...place }) {
      if (!(await mayTake(row))) return void leftOut.push(path)
      const must = choose(place, 'download', isRestricted)
      const chosen = must ?? (marksAll ? choose(place, 'download', true) : undefined)
      if (chosen !== undefined && canBeMarked(row.ext)) {
        const marked = await markedContent(contents, 'copy', content, row.ext, chosen).catch((error: unknown) => {
          if (!(error instanceof ResultError)) throw error
          return undefined
        })
        // What has to bear a mark and cannot is not given; what only comes with such is given as it is.
        if (marked === undefined && must !== undefined) return void leftOut.push(path)
        if (marked !== undefined) {
          zip ??= openZip(answer())
          return zip.file(path, Readable.from([marked.bytes], { objectMode: false }), {
            size: marked.bytes.length,
            modifiedAt: row.disk_time ?? row.modified_at,
          })
        }
      }
      // The answer begins when the first object is open: one that cannot be read answers an error, not a broken 200.
      await using object = await contents.open(content, undefined, { fresh: true })
      zip ??= openZip(answer())
      await zip.file(path, Readable.from(object, { objectMode: false }), {
        size: content.size,
        // Unpacked, a file has the time that it had where it came from.
        modifiedAt: row.disk_time ?? row.modified_at,
      })
    },
    addFolder(path) {
      zip ??= openZip(answer())
      zip.folder(path)
    },
    leaveOut: (path) => void leftOut.push(path),
    isThere,
  }
  const names = new Set<string>()
  const unpackable = createUnpackable()
  const unused = (name: string, isFolder: boolean): string => {
    let shown = unpackable(name, isFolder)
    for (let n = 2; names.has(shown.toLowerCase()); n += 1) shown = cutToBytes(name, ` (${n})`, isFolder)
    names.add(shown.toLowerCase())
    return shown
  }
  for (const { access, content } of items) {
    const { row } = access
    const shown = unused(row.name, row.f_type === 2)
    if (row.f_type === 1)
      await walk.addFile(shown, row, content ?? fail('versionMissing'), {
        libraryId: access.library.id,
        level: access.facts.secretLevel,
        isRestricted: denial(gates.download, access.facts) !== undefined,
      })
    else await addFolder(walk, aboveChildrenOf(access), row.id, `${shown}/`)
  }
  zip ??= openZip(answer())
  if (leftOut.length > 0) zip.text(unused(skippedListName, false), `\ufeff${leftOut.join('\r\n')}\r\n`)
  await zip.end()
}

function zipName(items: readonly { access: Access }[]): string {
  const row = items[0]?.access.row
  if (row === undefined) return 'files.zip'
  const first = row.f_type === 1 ? splitName(row.name).base : row.name
  return items.length === 1 ? `${first}.zip` : `${first} 等 ${items.length} 项.zip`
}
