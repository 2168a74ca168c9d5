// Files of conversations that are sent in parts, so that an interrupted upload goes on where it was ([R293]).
import { limits } from '@cloudoc/domain'
import { z } from 'zod'
import { call } from '../call.ts'
import { Count, Flag, ItemName, integer, Nothing, text } from '../fields.ts'
import type { SampleIds } from '../sample.ts'
import { at, conversation, reading, writing } from './fields.ts'

const codes = ['notFound', 'noPermission'] as const
const Sha256 = z.string().regex(/^[0-9a-fA-F]{64}$/)
const one = {
  ...conversation,
  uploadId: text(40)
    .regex(/^[\w-]{20,40}$/)
    .describe('The upload that imUploadOpen began.'),
}
const sampleOne = (ids: SampleIds) => ({ conversationId: ids.conversationId, uploadId: ids.talkUploadId })
/** Pictures lose their metadata on the server; what is sent as a file stays as it is. */
export const AsPicture = Flag.default(false).describe(
  'Whether it is sent as a picture: the server removes position, camera and other metadata from it.',
)
export const TalkUploaded = z.strictObject({ fileId: z.int(), name: z.string(), size: z.int() })

/** What refuses a file of a conversation. */
export const talkUploadCodes = [
  ...codes,
  'uploadSizeExceeded',
  'userSizeExceeded',
  'capacityNotSatisfied',
  'uploadInterrupted',
  'sensitiveFile',
  'pictureUnreadable',
] as const

export const talkUploadCalls = {
  imUploadOpen: call({
    ...writing,
    summary: 'Begins to upload a file for a conversation in parts',
    title: { zh: '开始上传聊天文件', en: 'Upload to a conversation begun' },
    path: '/im/api/file/upload/open',
    quiet: true,
    unrecorded: true,
    gate: at('write'),
    input: z.strictObject({
      ...conversation,
      fileName: ItemName,
      fileSize: integer(1, Number.MAX_SAFE_INTEGER).describe('Its size in bytes.'),
      picture: AsPicture,
      width: Count.optional().describe('Of a picture.'),
      height: Count.optional().describe('Of a picture.'),
      sha256: Sha256.optional().describe('The hash of the content, compared when all of it is there.'),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, fileName: '大.bin', fileSize: 10 }),
    data: z.strictObject({ uploadId: z.string(), partSize: z.int() }),
    codes: [...talkUploadCodes, 'sendingTooOften'],
  }),
  imUploadPart: call({
    summary: 'Sends one part of a file for a conversation',
    title: { zh: '上传聊天文件分片', en: 'Part of a file uploaded to a conversation' },
    log: 'none',
    audit: 'technical',
    kind: 'staged',
    method: 'PUT',
    path: '/im/api/file/upload/part/{conversationId}/{uploadId}/{partNumber}',
    auth: 'required',
    payload: 'raw',
    origin: 'ours',
    quiet: true,
    unrecorded: true,
    timeoutMs: 3_600_000,
    gate: at('write'),
    input: z.strictObject({
      ...one,
      partNumber: integer(1, limits.partsMost).describe('1 for the first part.'),
    }),
    sample: (ids) => ({ ...sampleOne(ids), partNumber: 1 }),
    data: z.strictObject({ partNumber: z.int(), size: z.int() }),
    codes: [...codes, 'badRequest', 'uploadInterrupted', 'duplicateOperation'],
  }),
  imUploadStatus: call({
    ...reading,
    summary: 'Tells which parts of a file for a conversation have arrived',
    path: '/im/api/file/upload/status/{conversationId}/{uploadId}',
    payload: 'none',
    gate: at('write'),
    input: z.strictObject(one),
    sample: sampleOne,
    data: z.strictObject({
      partSize: z.int(),
      parts: z.array(z.int()),
      /** Set once the file is there. */
      fileId: z.int().optional(),
    }),
    codes,
  }),
  imUploadComplete: call({
    summary: 'Makes a file of a conversation of its parts',
    notes: 'Called again, it answers the same file.',
    title: { zh: '上传聊天文件', en: 'File uploaded to a conversation' },
    log: 'none',
    audit: 'technical',
    kind: 'staged',
    method: 'POST',
    path: '/im/api/file/upload/complete',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    quiet: true,
    timeoutMs: 600_000,
    gate: at('write'),
    input: z.strictObject(one),
    sample: sampleOne,
    data: TalkUploaded,
    codes: [...talkUploadCodes, 'uploadNotFinished'],
  }),
  imUploadAbort: call({
    ...writing,
    summary: 'Gives up a file that is uploaded in parts',
    title: { zh: '取消上传聊天文件', en: 'Upload to a conversation given up' },
    path: '/im/api/file/upload/abort',
    quiet: true,
    unrecorded: true,
    gate: at('see'),
    input: z.strictObject(one),
    sample: sampleOne,
    data: Nothing,
    codes,
  }),
}
