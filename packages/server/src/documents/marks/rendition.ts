// Renditions for users who may view but not download: pages and pictures contain the watermark.
import { gunzipSync } from 'node:zlib'
import type { Rendition, RenditionHead, Watermark } from '@cloudoc/contract'
import { packParts } from '../container.ts'
import { markPicture } from './picture.ts'

/** Returns the marked rendition; a rendition of another kind is returned unchanged. */
export async function markRendition(
  bytes: Buffer,
  mark: Watermark,
  progress: (share: number) => void,
): Promise<Buffer> {
  const headEnd = 4 + bytes.readUInt32LE(0)
  const head = JSON.parse(bytes.subarray(4, headEnd).toString()) as RenditionHead
  const parts = head.parts.map(({ at, size, type }) => ({
    type,
    bytes: bytes.subarray(headEnd + at, headEnd + at + size) as Uint8Array,
  }))
  const body = JSON.parse(gunzipSync(parts[head.body]?.bytes ?? Buffer.alloc(0)).toString()) as Rendition
  const shown =
    body.kind === 'pages' ? body.pages : body.kind === 'picture' ? [{ part: body.part, width: undefined }] : []
  for (const [n, { part, width }] of shown.entries()) {
    const found = parts[part]
    if (found === undefined) continue
    // A page is drawn at a higher density than it is shown.
    const marked = await markPicture(
      found.bytes,
      mark,
      width === undefined ? undefined : await denseOf(found.bytes, width),
    )
    parts[part] = { type: found.type, bytes: marked }
    progress((n + 1) / shown.length)
  }
  return packParts(parts)
}

async function denseOf(bytes: Uint8Array, width: number): Promise<number> {
  const { default: sharp } = await import('sharp')
  return Math.max(0.1, (await sharp(bytes).metadata()).width / width)
}
