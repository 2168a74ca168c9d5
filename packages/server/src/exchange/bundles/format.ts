/*
 * The file format of a bundle. It is an age file for the key of the target; inside are
 *
 *   4 bytes      the length of the head, big-endian
 *   head         JSON: the manifest as text, and its Ed25519 signature by the sending server
 *   contents     one after the other, in the order of the manifest
 *
 * Names and paths are in the manifest only, as data; contents are known by their hash. A receipt is a text of three
 * lines: its kind, JSON, and the signature of the receiving server.
 */
import { createHash } from 'node:crypto'
import type { BundleProblem } from '@cloudoc/contract'
import { Decrypter, Encrypter } from 'age-encryption'
import { z } from 'zod'
import { Manifest } from '../exchanges/index.ts'

const mostHead = 8 * 1024 * 1024
const mostContents = 5000

/** What a bundle consists of. */
export const BundleManifest = z.strictObject({
  format: z.literal(1),
  name: z.string().max(60),
  number: z.int().min(1),
  from: z.string().max(40).describe('The fingerprint of the key of the sending server.'),
  fromName: z.string().max(300),
  to: z.string().max(40).describe('The fingerprint of the key that it is encrypted for.'),
  createdAt: z.int(),
  expiresAt: z.int(),
  exchanges: z.array(Manifest).min(1).max(200),
  contents: z
    .array(z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().min(0) }))
    .min(1)
    .max(mostContents),
})
export type BundleManifest = z.output<typeof BundleManifest>

const Head = z.strictObject({ manifest: z.string().max(mostHead), signature: z.string().max(200) })

/** What the other side signs after an import. */
export const Receipt = z.strictObject({
  format: z.literal(1),
  bundle: z.string().max(60),
  manifestSha256: z.string().regex(/^[0-9a-f]{64}$/),
  from: z.string().max(40),
  importedAt: z.int(),
  importedBy: z.string().max(300),
  fileCount: z.int(),
  exchanges: z.array(z.strictObject({ number: z.string().max(60), accepted: z.int() })).max(200),
})
export type Receipt = z.output<typeof Receipt>

/** Why a bundle or receipt is refused. */
export class BundleRefusal extends Error {
  override name = 'BundleRefusal'
  readonly problem: BundleProblem

  constructor(problem: BundleProblem, message = '', options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/** The text of a manifest that is signed. */
export const signedManifest = (manifest: string): string => `cloudoc-exchange-bundle\n${manifest}`
const signedReceipt = (json: string): string => `cloudoc-exchange-receipt\n${json}`

export const sha256Of = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Encrypts a bundle. `contents` are those of the manifest, in its order. */
export async function encryptBundle(
  recipient: string,
  head: { readonly manifest: string; readonly signature: string },
  contents: AsyncIterable<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return encrypter.encrypt(streamOf(bundled(head, contents)))
}

async function* bundled(head: object, contents: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const json = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  yield Buffer.concat([length, json])
  yield* contents
}

/** A stream that takes no more from its source than is read. */
function streamOf(source: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await source.next()
      if (next.done === true) controller.close()
      // Copied, because the sources lend their buffers.
      else controller.enqueue(new Uint8Array(next.value))
    },
    async cancel() {
      await source.return(undefined)
    },
  })
}

const ageLine = 'age-encryption.org/v1\n'
/** The header of an age file for one recipient is some hundred bytes. */
const headerBytes = 4096

/** The keys that open bundles, and those that opened them once. */
export interface OpeningKeys {
  readonly current: readonly string[]
  readonly outdated: readonly string[]
}

/** An opened bundle: its head, then the bytes of its contents. Both end with the reason if something is wrong. */
export interface OpenedBundle {
  readonly manifest: string
  readonly signature: string
  /** The next bytes, exactly that many, in pieces. */
  take(bytes: number): AsyncIterable<Uint8Array>
  /** Checks that nothing follows. */
  end(): Promise<void>
}

async function isForOneOf(header: Uint8Array, identities: readonly string[]): Promise<boolean> {
  if (identities.length === 0) return false
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  try {
    await decrypter.decryptHeader(header)
    return true
  } catch {
    return false
  }
}

/** Opens a bundle while it arrives. */
export async function openBundle(file: AsyncIterable<Uint8Array>, keys: OpeningKeys): Promise<OpenedBundle> {
  const source = file[Symbol.asyncIterator]()
  let received = 0
  const next = async (): Promise<Uint8Array | undefined> => {
    const piece = await source.next()
    if (piece.done === true) return undefined
    received += piece.value.length
    return piece.value
  }
  let start = Buffer.alloc(0)
  for (let piece = await next(); piece !== undefined; piece = await next()) {
    start = Buffer.concat([start, piece])
    if (start.length >= headerBytes) break
  }
  if (!start.subarray(0, ageLine.length).equals(Buffer.from(ageLine)))
    throw new BundleRefusal(start.length < ageLine.length ? 'truncated' : 'notABundle')
  const headerEnd = start.indexOf('\n', Math.max(0, start.indexOf('\n--- ')) + 1)
  if (start.indexOf('\n--- ') < 0 || headerEnd < 0)
    throw new BundleRefusal(start.length < headerBytes ? 'truncated' : 'damaged')
  const header = start.subarray(0, headerEnd + 1)
  const decrypter = new Decrypter()
  for (const identity of keys.current) decrypter.addIdentity(identity)
  async function* rest(): AsyncGenerator<Uint8Array> {
    yield start
    for (let piece = await next(); piece !== undefined; piece = await next()) yield piece
  }
  let plain: ReadableStream<Uint8Array>
  try {
    plain = await decrypter.decrypt(streamOf(rest()))
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('no identity matched')) throw broken(error)
    throw new BundleRefusal((await isForOneOf(header, keys.outdated)) ? 'olderKey' : 'wrongReceiver')
  }

  let expected = Number.POSITIVE_INFINITY
  /** The file is encrypted in authenticated pieces: a changed one and a missing end both fail to open. */
  function broken(error: unknown): BundleRefusal {
    if (error instanceof BundleRefusal) return error
    return new BundleRefusal(received < expected ? 'truncated' : 'damaged', '', { cause: error })
  }
  const pieces = plain[Symbol.asyncIterator]()
  let left: Uint8Array = new Uint8Array()
  async function* take(bytes: number): AsyncGenerator<Uint8Array> {
    let missing = bytes
    while (missing > 0) {
      if (left.length === 0) {
        const piece = await pieces.next().catch((error: unknown) => {
          throw broken(error)
        })
        if (piece.done === true) throw new BundleRefusal('truncated')
        left = piece.value
      }
      const some = left.subarray(0, missing)
      left = left.subarray(some.length)
      missing -= some.length
      yield some
    }
  }
  const whole = async (bytes: number): Promise<Buffer> => {
    const parts: Uint8Array[] = []
    for await (const part of take(bytes)) parts.push(part)
    return Buffer.concat(parts)
  }
  // Before the head is read its size is unknown, so a broken first piece counts as damaged.
  expected = 0
  const length = (await whole(4)).readUInt32BE()
  if (length > mostHead) throw new BundleRefusal('tooLarge')
  const head = parse(Head, (await whole(length)).toString())
  const manifest = parse(BundleManifest, head.manifest)
  const plainBytes = 4 + length + manifest.contents.reduce((sum, { bytes }) => sum + bytes, 0)
  // A nonce, and 16 bytes for each piece of 64 KB.
  expected = header.length + 16 + plainBytes + 16 * Math.ceil(plainBytes / 65_536)
  return {
    ...head,
    take,
    async end() {
      const piece = await pieces.next().catch((error: unknown) => {
        throw broken(error)
      })
      if (left.length > 0 || piece.done !== true) throw new BundleRefusal('damaged')
    },
  }
}

/** Parses JSON of another server. */
export function parse<T>(schema: z.ZodType<T>, json: string): T {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new BundleRefusal('damaged', '', { cause: error })
  }
  const read = schema.safeParse(value)
  if (!read.success) throw new BundleRefusal('damaged', read.error.issues[0]?.path.join('.'))
  return read.data
}

/** Writes a receipt. */
export function writeReceipt(receipt: Receipt, sign: (text: string) => string): string {
  const json = JSON.stringify(receipt)
  return `cloudoc-exchange-receipt\n${json}\n${sign(signedReceipt(json))}\n`
}

/** Reads a receipt. The signature is still to be verified with the key that `from` names. */
export function readReceipt(text: string): { receipt: Receipt; signed: string; signature: string } {
  const [kind, json = '', signature = ''] = text.trim().split(/\r?\n/)
  if (kind !== 'cloudoc-exchange-receipt') throw new BundleRefusal('notABundle')
  return { receipt: parse(Receipt, json), signed: signedReceipt(json), signature: signature.trim() }
}
