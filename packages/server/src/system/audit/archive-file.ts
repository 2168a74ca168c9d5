/*
 * The file format of an archive: compressed lines of JSON. There is one line per row, with its number, its hash and the
 * hashed text as PostgreSQL wrote it. It also has the names at the time of archiving, for readers; they are not hashed.
 * The last line is the signed head that the rows lead to.
 */
import { pipeline } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import type { Db } from '../../core/db/database.ts'
import { type Head, loadAuditKeys, pemOf, writtenHead } from './chain.ts'
import { listWhole } from './list.ts'

const rowBatch = 2000
/** The start of the sealed part of a line: in JSON strings these quotes are escaped, so it cannot occur in one. */
const sealedPart = ',"row":'

/** Yields the lines of an archive, one page at a time. */
export async function* writeArchive(
  db: Db,
  { from, to }: { readonly from: number; readonly to: number },
  onProgress: (done: number) => void,
): AsyncGenerator<string> {
  let [last, done] = [from - 1, 0]
  while (last < to) {
    const page = await listWhole(db, last, to, rowBatch)
    if (page.length === 0) break
    yield page
      .map(({ entry: { seq, kind, by, items, people, hash }, text }) => {
        const names = {
          who: by === null ? '' : `${by.accountName} (${by.account})`,
          items: items.map(({ fName }) => fName),
          people: people.map(({ account, accountName }) => `${accountName} (${account})`),
        }
        return `${JSON.stringify({ seq, hash, kind, ...names }).slice(0, -1)}${sealedPart}${text ?? 'null'}}\n`
      })
      .join('')
    last = page.at(-1)?.entry.seq ?? to
    done += page.length
    onProgress(done)
  }
  const head: Head = await db.selectFrom('audit_head').selectAll().where('seq', '=', to).executeTakeFirstOrThrow()
  const { publicKey } = await loadAuditKeys(db)
  yield `${JSON.stringify({ head: writtenHead(head), publicKey: pemOf(publicKey) })}\n`
}

/** Compresses the written lines. */
export function compressed(lines: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  // An error on one side ends the other, and the reader gets it.
  return pipeline(lines, createGzip(), () => {})
}

export interface ArchivedRow {
  readonly seq: number
  readonly hash: Buffer
  /** The hashed text; null for a row that was already gone. */
  readonly text: string | null
}

/** Yields the rows of an archive in order. */
export async function* readArchive(file: AsyncIterable<Uint8Array>): AsyncGenerator<ArchivedRow> {
  const unpacked = pipeline(file, createGunzip(), () => {}).setEncoding('utf8')
  let rest = ''
  for await (const chunk of unpacked as AsyncIterable<string>) {
    // Lines are split manually: line readers also accept other line endings than a line feed.
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const at = line.indexOf(sealedPart)
      if (at < 0) continue
      const { seq, hash } = JSON.parse(`${line.slice(0, at)}}`) as { seq: number; hash: string }
      const text = line.slice(at + sealedPart.length, -1)
      yield { seq, hash: Buffer.from(hash, 'hex'), text: text === 'null' ? null : text }
    }
  }
}
