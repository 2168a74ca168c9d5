// Reads the pictures that a user inserts into an office file.
import { pictureTypes } from '@cloudoc/office/document'

/** The maximum size of an inserted picture in bytes; lower for co-editing, because it is sent to all members. */
export const heaviestPicture = 1_500_000
export const heaviestSharedPicture = 120_000

export interface InsertedPicture {
  /** As a data URL. */
  readonly data: string
  readonly width: number
  readonly height: number
}

/** The longest side of a re-encoded picture, in pixels. */
const longest = 2000

/** Reads the pictures among files. Those larger than `most` bytes or of an unsupported type are re-encoded. */
export async function readPictures(files: Iterable<File>, most: number): Promise<InsertedPicture[]> {
  const found: InsertedPicture[] = []
  for (const file of files) {
    if (!file.type.startsWith('image/')) continue
    const bitmap = await createImageBitmap(file)
    const { width, height } = bitmap
    const isFine = pictureTypes.includes(file.type) && file.size <= most
    found.push({ width, height, data: await dataOf(isFine ? file : await reencoded(bitmap, most)) })
    bitmap.close()
  }
  return found
}

async function reencoded(bitmap: ImageBitmap, most: number): Promise<Blob> {
  let scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height))
  for (;;) {
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('no canvas')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
    if (made === null) throw new Error('no picture')
    if (made.size <= most || canvas.width < 64) return made
    scale *= 0.75
  }
}

function dataOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.onerror = () => reject(reader.error ?? new Error('not read'))
    reader.readAsDataURL(blob)
  })
}
