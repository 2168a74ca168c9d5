/*
 * Thumbnails of videos. The server cannot render videos, so a browser that plays one uploads a frame. The frame is
 * redrawn by a confined process, like any uploaded picture.
 */
import { Readable } from 'node:stream'
import { type features, fileOfPreviewKey, type Parsed as InputOf } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Context, StagedContext, WriteContext } from '../../core/call/context.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { ConfinedFailure, makeThumbnail, Refused } from '../../documents/index.ts'
import { contentRow, persist } from '../../drive/content/index.ts'
import { typeOf } from '../../people/pictures/index.ts'
import { isThere } from './convert.ts'
import { lacksFilmPicture, storeFilmPicture } from './renditions.ts'

type Give = (typeof features.preview.calls)['givePreviewPicture']

const waitMs = 30_000
const semaphore = createSemaphore(1)

/** `find` returns the content of a video that may have a thumbnail. It refuses other files. */
export function filmPictures(
  blobs: BlobStore,
  find: (context: Context | WriteContext, of: ReturnType<typeof fileOfPreviewKey>) => Promise<number>,
) {
  return async (
    context: StagedContext,
    { previewKey, picture, lengthMs }: InputOf<Give>,
  ): Promise<{ isTaken: boolean }> => {
    const of = fileOfPreviewKey(previewKey)
    const { fileId } = of
    if (!(await lacksFilmPicture(context.db, { blobId: await find(context, of), fileId }))) return { isTaken: false }
    const bytes = Buffer.from(picture, 'base64')
    if (typeOf(bytes) === undefined) return fail('pictureRefused')
    const made = await drawnAnew(bytes)
    const kept = await persist(await blobs.stage(Readable.from([made])))
    return context.commit(async (write) => {
      const blobId = await find(write, of)
      if (!(await isThere(write.tx, blobId))) return fail('versionMissing')
      if (!(await lacksFilmPicture(write.tx, { blobId, fileId }))) return { isTaken: false }
      const { id: madeId } = await contentRow(write.tx, kept, write.now)
      return { isTaken: await storeFilmPicture(write.tx, { blobId, madeId, size: made.length, lengthMs }, write.now) }
    })
  }
}

async function drawnAnew(bytes: Buffer): Promise<Buffer> {
  if (!(await semaphore.acquire(AbortSignal.timeout(waitMs)))) return fail('conversionTimedOut')
  try {
    return await makeThumbnail({ content: Readable.from([bytes]), size: bytes.length, ext: 'png' })
  } catch (error) {
    if (error instanceof Refused || error instanceof ConfinedFailure) return fail('pictureRefused')
    throw error
  } finally {
    semaphore.release()
  }
}
