/*
 * Small pictures of people and of the company. Each is a row with an unguessable name and never changes: a new picture
 * has a new name, so browsers cache them forever.
 */
import { randomBytes } from 'node:crypto'
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { implement } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'

const most = { bytes: 100 * 1024, side: 1024 }
const pngHead = Buffer.from('89504e470d0a1a0a', 'hex')

/** Stores a picture in place of the previous one; returns its name, or an empty one if there is no picture any more. */
export async function replacePicture(tx: Tx, before: string, base64: string): Promise<string> {
  if (before !== '') await tx.deleteFrom('picture').where('id', '=', before).execute()
  if (base64 === '') return ''
  const bytes = Buffer.from(base64, 'base64')
  const type = typeOf(bytes)
  if (type === undefined) return fail('pictureRefused')
  const id = randomBytes(16).toString('base64url')
  await tx.insertInto('picture').values({ id, type, bytes }).execute()
  return id
}

export const pictureHandlers = implement(features.pictures.calls, {
  async getPicture({ db, reply }, { pictureId }) {
    const found = await db
      .selectFrom('picture')
      .select(['type', 'bytes'])
      .where('id', '=', pictureId)
      .executeTakeFirst()
    if (found === undefined) return fail('notFound')
    await reply
      .type(found.type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(found.bytes)
  },
})

/** Detects the picture type by its first bytes; undefined if it is not accepted. */
export function typeOf(bytes: Buffer): 'image/png' | 'image/jpeg' | undefined {
  if (bytes.length > most.bytes) return undefined
  const isPng = bytes.subarray(0, 8).equals(pngHead) && bytes.toString('latin1', 12, 16) === 'IHDR'
  const size = isPng ? { width: uint(bytes, 16, 4), height: uint(bytes, 20, 4) } : jpegSize(bytes)
  if (size === undefined) return undefined
  const fits = [size.width, size.height].every((side) => side > 0 && side <= most.side)
  return fits ? (isPng ? 'image/png' : 'image/jpeg') : undefined
}

const uint = (bytes: Buffer, at: number, length: number): number =>
  at + length <= bytes.length ? bytes.readUIntBE(at, length) : 0

/** Reads the size from the frame header (ITU T.81, B.2.2), skipping the segments before it. */
function jpegSize(bytes: Buffer): { width: number; height: number } | undefined {
  if (uint(bytes, 0, 2) !== 0xffd8) return undefined
  for (let at = 2; uint(bytes, at, 1) === 0xff; at += 2 + uint(bytes, at + 2, 2)) {
    const marker = uint(bytes, at + 1, 1)
    // Frame markers are C0 to CF, except the table markers among them.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: uint(bytes, at + 5, 2), width: uint(bytes, at + 7, 2) }
    if (uint(bytes, at + 2, 2) < 2) return undefined
  }
  return undefined
}
