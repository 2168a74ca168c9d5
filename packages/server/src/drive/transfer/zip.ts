/*
 * Streams many items as one zip, generated while it is sent: names in UTF-8, zip64 if needed, contents uncompressed,
 * one object open at a time, no read-ahead of the receiver. Rights are checked for each item inside a folder. Items
 * that are visible but not downloadable are listed in a text file at the end of the zip, so the user knows that it is
 * incomplete.
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
  inheritedBy,
  itemColumns,
  noPeople,
  ownEntries,
  unpackEntries,
} from '../tree/index.ts'
import { type Choose, canBeMarked, markedContent } from '../watermarks/index.ts'
import { type Encryption, encryptionOfReply } from './encrypt.ts'
import { encryptedHeaders, streamOf, userContentHeaders } from './send-content.ts'

const pageSize = 500
/** Name of the list of omitted items, at the top level of the zip. */
const skippedListName = '未包含的文件 (not included).txt'

type Child = ItemRow & { entries: Parameters<typeof unpackEntries>[0] } & (
    | { blobId: null }
    | { blobId: number; key: string; sha256: Buffer }
  )

/** A zip written to a sink. Every part waits for the previous one and for the sink. */
export interface ZipStream {
  file(path: string, bytes: Readable, about: { size: number; modifiedAt: number }): Promise<void>
  folder(path: string): void
  text(path: string, text: string): void
  /** Writes the central directory. Resolves when the sink has received everything. */
  end(): Promise<void>
}

/** Starts a zip. If the sink closes, the object being read is closed and the current part fails. */
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

/** A file's path, and whether it may only be downloaded with a watermark. */
interface Placed {
  readonly libraryId: number
  readonly level: number
  readonly isRestricted: boolean
  readonly facts: Facts
}

interface ZipTraversal {
  /** Restricted documents are delivered as watermarked copies. [R281] */
  readonly givesMarked: boolean
  readonly db: Db
  readonly actor: Account
  readonly now: number
  readonly addFile: (path: string, row: ItemRow, content: Content, at: Placed) => Promise<void>
  readonly addFolder: (path: string) => void
  readonly leaveOut: (path: string) => void
  /** Whether the item is visible to the recipient. */
  readonly isThere: (facts: Facts) => boolean
}

/** The maximum name length in bytes on Linux file systems. */
const longestName = 255
/** Truncated names are longer than this, so only longer names can collide with one. */
const cutAreLonger = longestName - 16

/** Makes names valid for unpacking and unique in one folder. It does not store shorter names. */
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

/** Truncates a name in front of its number and extension to the maximum length. */
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
      // The target of a link is elsewhere.
      if (row.link_to !== null) {
        walk.leaveOut(name)
        continue
      }
      empty = false
      if (denial(walk.givesMarked ? gates.downloadPacked : gates.takeDownload, step.facts) !== undefined)
        walk.leaveOut(name)
      else if (row.f_type === 1)
        await walk.addFile(name, row, row.blobId === null ? fail('versionMissing') : row, {
          libraryId: above.library.id,
          level: step.facts.secretLevel,
          isRestricted: denial(gates.takeDownload, step.facts) !== undefined,
          facts: step.facts,
        })
      else await addFolder(walk, { ...above, ...inheritedBy(step) }, row.id, `${name}/`)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) break
    after = last.id
  }
  if (empty) walk.addFolder(path)
}

async function encryptInto(encryption: Encryption, plain: Readable, raw: Writable): Promise<void> {
  const encrypted = await encryption.encrypt(streamOf(plain))
  await pipeline(Readable.from(encrypted, { objectMode: false }), raw)
}

/** Streams items that have passed the gate `downloadPacked`, or a stricter one, as one zip. */
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
    /** Selects the watermarks of the files. */
    readonly choose: Choose
    /** Watermarks all files that support it, not only restricted ones. [R281] */
    readonly marksAll?: boolean
    readonly isThere?: (facts: Facts) => boolean
    /** Counts one more file; if the limit is reached, the file is listed as omitted. */
    readonly mayTake?: (row: ItemRow, facts: Facts, content: Content) => Promise<boolean>
  },
): Promise<void> {
  const { request, reply } = context
  const encryption = encryptionOfReply(context)
  const name = zipName(items)
  let isEncrypted: Promise<void> | undefined
  const answer = (): Writable => {
    reply.hijack()
    const headers =
      encryption === undefined
        ? { ...userContentHeaders(name), 'content-type': 'application/zip' }
        : encryptedHeaders(name)
    const raw = reply.raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers })
    if (encryption === undefined) return raw
    const plain = new PassThrough()
    isEncrypted = encryptInto(encryption, plain, raw)
    isEncrypted.catch(() => undefined)
    return plain
  }
  if (request.method === 'HEAD') return void answer().end()
  let zip: ZipStream | undefined
  const leftOut: string[] = []
  const walk: ZipTraversal = {
    db: context.db,
    actor,
    now: context.now,
    givesMarked: context.actor?.kind === 'account',
    async addFile(path, row, content, { isRestricted, facts, ...place }) {
      if (!(await mayTake(row, facts, content))) return void leftOut.push(path)
      const must = choose(place, 'download', isRestricted)
      const chosen = must ?? (marksAll ? choose(place, 'download', true) : undefined)
      if (chosen !== undefined && canBeMarked(row.ext)) {
        const marked = await markedContent(contents, 'copy', content, row.ext, chosen).catch((error: unknown) => {
          if (!(error instanceof ResultError)) throw error
          return undefined
        })
        // A file that requires a watermark but does not support one is omitted. Other files that do not support one are
        // sent unchanged.
        if (marked === undefined && must !== undefined) return void leftOut.push(path)
        if (marked !== undefined) {
          zip ??= openZip(answer())
          return zip.file(path, Readable.from([marked.bytes], { objectMode: false }), {
            size: marked.bytes.length,
            modifiedAt: row.disk_time ?? row.modified_at,
          })
        }
      }
      // The response begins when the first object is open, so an unreadable one produces an error and not a broken 200.
      await using object = await contents.open(content, undefined, { fresh: true })
      zip ??= openZip(answer())
      await zip.file(path, Readable.from(object, { objectMode: false }), {
        size: content.size,
        // After unpacking, a file has its original modification time.
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
        isRestricted: denial(gates.takeDownload, access.facts) !== undefined,
        facts: access.facts,
      })
    else await addFolder(walk, aboveChildrenOf(access), row.id, `${shown}/`)
  }
  zip ??= openZip(answer())
  if (leftOut.length > 0) zip.text(unused(skippedListName, false), `\ufeff${leftOut.join('\r\n')}\r\n`)
  await zip.end()
  await isEncrypted
}

function zipName(items: readonly { access: Access }[]): string {
  const row = items[0]?.access.row
  if (row === undefined) return 'files.zip'
  const first = row.f_type === 1 ? splitName(row.name).base : row.name
  return items.length === 1 ? `${first}.zip` : `${first} 等 ${items.length} 项.zip`
}
