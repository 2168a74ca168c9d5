// The calls of an upload in parts (decisions "Wire shapes"). Their effect on rows and store is in uploads.ts.
import { folderOfUpload } from '@cloudoc/contract'
import { fail, secretUntil } from '@cloudoc/domain'
import { actorOf, type Context, type StagedContext } from '../../core/call/context.ts'
import type { Placement } from '../content/index.ts'
import { challengeOf } from './instant.ts'
import { findUpload, resultOf, type Upload, type Uploads, uploadedNumbers } from './uploads.ts'

interface OpenInput {
  readonly folderId: number
  readonly fileName: string
  readonly conflict: Placement['conflict']
  readonly secretLevel: number
  readonly duration: number
  readonly unit: number
  readonly fileSize: number
  readonly lastModified?: number | undefined
  readonly sha256?: string | undefined
  readonly uploadId?: string | undefined
  readonly proof?: string | undefined
  readonly expectedVersion?: number | undefined
}

/** The offset and size of a part. Refuses a part number that the file does not have. */
function placeOf(upload: Upload, number: number): { start: number; size: number } {
  const start = (number - 1) * upload.part_size
  if (start >= upload.size) {
    const count = Math.ceil(upload.size / upload.part_size)
    return fail('badRequest', {
      zh: `partNumber：文件只有 ${count} 个分片，没有第 ${number} 个`,
      en: `partNumber: the file has ${count} parts, and no part ${number}`,
    })
  }
  return { start, size: Math.min(upload.part_size, upload.size - start) }
}

/** The call handlers of uploads in parts. */
export function partHandlers(uploads: Uploads) {
  const open = (context: Context, uploadId: string): Promise<Upload> =>
    findUpload(context.db, actorOf(context).accountId, uploadId)

  return {
    async uploadOpen(context: StagedContext, input: OpenInput) {
      const { folderId, fileName, conflict, secretLevel, fileSize: size, sha256, uploadId, proof } = input
      if ((uploadId === undefined) !== (proof === undefined))
        return fail('badRequest', { zh: 'uploadId 与 proof 须一并提供', en: 'uploadId and proof come together' })
      if (uploadId === undefined || proof === undefined) {
        const upload = await uploads.open(context, {
          folderId,
          name: fileName,
          conflict,
          secretLevel,
          secretUntil: secretUntil(context.now, input.duration, input.unit),
          diskTime: input.lastModified,
          size,
          sha256,
        })
        const challenge = challengeOf(upload)
        return { uploadId: upload.id, partSize: upload.part_size, ...(challenge === undefined ? {} : { challenge }) }
      }
      const upload = await open(context, uploadId)
      if (folderOfUpload(uploadId) !== folderId || upload.size !== size)
        return fail('badRequest', {
          zh: 'uploadId：不是这个文件夹或这个大小的上传',
          en: 'uploadId: an upload into another folder, or of another size',
        })
      const stored = await uploads.prove(context, uploadId, proof, {
        fileName,
        conflict,
        expectedVersion: input.expectedVersion,
      })
      const answer = { uploadId, partSize: upload.part_size }
      return stored === undefined ? answer : { ...answer, done: true as const, ...stored }
    },

    async uploadPart(
      context: StagedContext,
      input: { uploadId: string; partNumber: number; sha256?: string | undefined },
    ) {
      const { uploadId, partNumber: number, sha256 } = input
      const { content } = context.upload ?? fail('badRequest', 'body')
      const upload = await open(context, uploadId)
      if (upload.file_id !== null) return fail('duplicateOperation')
      // An upload started by tus has its own pieces.
      if (upload.ended_at !== null || upload.metadata !== null) return fail('notFound')
      const { start, size } = placeOf(upload, number)
      const declared = context.request.headers['content-length']
      if (declared !== undefined && Number(declared) !== size) {
        return fail('badRequest', {
          zh: `第 ${number} 个分片应为 ${size} 字节，收到 ${declared} 字节`,
          en: `part ${number} has ${size} bytes, ${declared} were sent`,
        })
      }
      const claimed = await uploads.claim(context.db, uploadId, number, start)
      const part = await uploads.write(
        context.db,
        uploadId,
        { number, start, most: size, ...claimed },
        content,
        (sent) => {
          if (sent.size !== size) fail('uploadInterrupted')
          if (sha256 !== undefined && sent.sha256.toString('hex') !== sha256.toLowerCase())
            fail('uploadInterrupted', 'sha256')
        },
      )
      await uploads.name(context, uploadId, [{ number, start, ...claimed, part }])
      return { partNumber: number, size, sha256: part.sha256.toString('hex') }
    },

    async uploadStatus(context: Context, { uploadId }: { uploadId: string }) {
      const upload = await open(context, uploadId)
      const stored = await resultOf(context.db, upload)
      if (upload.ended_at !== null && stored === undefined) return fail('notFound')
      return {
        parts: await uploadedNumbers(context.db, uploadId),
        expiresAt: upload.expires_at,
        partSize: upload.part_size,
        fileSize: upload.size,
        ...(stored === undefined ? {} : { fileId: stored.fileId }),
      }
    },

    uploadComplete: (
      context: StagedContext,
      {
        uploadId,
        ...choice
      }: {
        uploadId: string
        fileName?: string | undefined
        conflict?: Placement['conflict'] | undefined
        expectedVersion?: number | undefined
      },
    ) => uploads.complete(context, uploadId, choice),

    async uploadAbort(context: StagedContext, { uploadId }: { uploadId: string }) {
      await uploads.abort(context, uploadId)
      return {}
    },
  }
}
