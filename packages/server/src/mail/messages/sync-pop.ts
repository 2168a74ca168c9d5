/*
 * Fetches a mailbox over POP3. It has one folder; read and starred are only known here. The server's unique ids name
 * the mails; a mail without one, or with one that two mails share, is named by its content.
 */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type Pop3Command from 'node-pop3'
import { storeFolders } from './folders.ts'
import { type FetchedMail, storeMails } from './store-mails.ts'
import type { SyncedBox, SyncParts } from './sync-imap.ts'

const batchSize = 20
const batchBytes = 16 * 1024 * 1024
/** Of a larger mail only the beginning is here, with the reason. */
const largestMail = 60 * 1024 * 1024
const beginningLines = 1000

/** Fetches what is new, newest first, until `until`. Returns true if mails are left. */
export async function syncPop(client: Pop3Command, parts: SyncParts, box: SyncedBox, until: number): Promise<boolean> {
  const [folder] = await storeFolders(parts.db, box.boxId, [{ path: 'INBOX', name: 'INBOX', role: 'inbox' }])
  if (folder === undefined) return false
  const sizes = new Map(pairs(await client.LIST()).map(([number, size]) => [number, Number(size)]))
  const named = pairs(await client.UIDL().catch(() => []))
  const byId = Map.groupBy(named, ([, id]) => id)
  const { rows } = await sql<{ key: string }>`
    select remote_key as key from mail where folder_id = ${folder.id}`.execute(parts.db)
  const known = new Set(rows.map(({ key }) => key))
  const numbers = [...sizes.keys()].toSorted((a, b) => Number(b) - Number(a))
  const idOf = new Map(named.filter(([, id]) => (byId.get(id)?.length ?? 0) === 1))
  const isFirst = known.size === 0
  let some: FetchedMail[] = []
  let bytes = 0
  const store = async (): Promise<void> => {
    await parts.pause('mails fetched')
    if (some.length > 0) await storeMails(parts, box, folder, some, undefined, !isFirst)
    some = []
    bytes = 0
  }
  for (const number of numbers) {
    parts.signal.throwIfAborted()
    const id = idOf.get(number)
    if (id !== undefined && known.has(id)) continue
    const isTooLarge = (sizes.get(number) ?? 0) > largestMail
    const mail = await (isTooLarge ? beginningOf(client, Number(number)) : retrieve(client, Number(number)))
    if (mail === undefined) continue
    const remoteKey = id ?? `sha256-${hash('sha256', mail, 'hex')}`
    if (!known.has(remoteKey)) {
      known.add(remoteKey)
      // POP3 tells no time. What was there before the first fetch has not come just now.
      const receivedAt = isFirst ? undefined : parts.now()
      some.push({
        ...{ remoteKey, bytes: mail, receivedAt, isRead: false, isStarred: false, isAnswered: false },
        ...(isTooLarge && { problem: 'tooLarge' as const }),
      })
      bytes += mail.length
    }
    if (some.length >= batchSize || bytes > batchBytes) await store()
    if (parts.now() > until) {
      await store()
      return true
    }
  }
  await store()
  return false
}

/** The answer to a listing: number and value of each mail. */
function pairs(answer: unknown): [string, string][] {
  if (!Array.isArray(answer)) return []
  return answer.flatMap((line: unknown): [string, string][] => {
    const [number, value] = Array.isArray(line) ? (line as unknown[]) : String(line).trim().split(/\s+/)
    return typeof number === 'string' && typeof value === 'string' && /^\d+$/.test(number) ? [[number, value]] : []
  })
}

/** The header and the first lines of a mail; undefined where the server gives none. */
async function beginningOf(client: Pop3Command, number: number): Promise<Buffer | undefined> {
  return read(client, 'TOP', number, beginningLines).catch(() => undefined)
}

/** The bytes of a mail. The library would return text, which destroys mails in other encodings. */
const retrieve = (client: Pop3Command, number: number): Promise<Buffer> => read(client, 'RETR', number)

async function read(client: Pop3Command, ...command: readonly [string, ...number[]]): Promise<Buffer> {
  const [, stream] = await client.command(...command)
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(Buffer.from(chunk))
  return withoutStuffing(Buffer.concat(chunks))
}

/** A line that begins with a dot has a second one on the wire (RFC 1939, 3). */
function withoutStuffing(bytes: Buffer): Buffer {
  const out: Buffer[] = []
  let from = bytes[0] === dot && bytes[1] === dot ? 1 : 0
  for (let at = bytes.indexOf(stuffed); at >= 0; at = bytes.indexOf(stuffed, at + 3)) {
    out.push(bytes.subarray(from, at + 1))
    from = at + 2
  }
  out.push(bytes.subarray(from))
  return Buffer.concat(out)
}

const dot = 46
const stuffed = Buffer.from('\n..')
