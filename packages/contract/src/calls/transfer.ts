// Content in and out ([R197]-[R202], X36).
import { z } from 'zod'
import { call, type ItemRef } from '../call.ts'
import { Count, Id, IdArray, ItemName, Time, text } from '../fields.ts'

import { file, folder, secretChoice } from './items.ts'

/** When the name is taken: -5, a new version, a numbered name, or nothing. */
export const UploadConflict = z.enum(['refuse', 'version', 'keepBoth', 'skip'])

const Uploaded = z.strictObject({ fileId: z.int(), version: z.int(), fileSize: z.int(), sha256: z.string() })
const uploadCodes = ['alreadyExists', 'illegalName', 'nameTooLong', 'uploadInterrupted', 'fileConflict'] as const

export const transferCalls = {
  uploadFile: call({
    kind: 'staged',
    method: 'POST',
    path: '/services2/upload/uploadFile',
    aliases: ['/UploadServlet'],
    auth: 'required',
    payload: 'multipart',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'upload', lock: 'hold' }],
    /** The fields that stand before the part `file`, which comes last; its own name serves when fileName is not sent. */
    input: z.strictObject({
      folderId: Id,
      fileName: ItemName.optional(),
      ...secretChoice,
      conflict: UploadConflict.default('refuse'),
      sha256: z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/)
        .optional(),
    }),
    data: Uploaded,
    codes: uploadCodes,
  }),
  uploadRaw: call({
    kind: 'staged',
    method: 'PUT',
    path: '/services2/upload/raw',
    auth: 'required',
    payload: 'raw',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'upload', lock: 'hold' }],
    input: z.strictObject({
      folderId: Id,
      fileName: ItemName,
      conflict: UploadConflict.default('refuse'),
      sha256: z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/)
        .optional(),
    }),
    data: Uploaded,
    codes: uploadCodes,
  }),
  createDownloadTicket: call({
    kind: 'write',
    method: 'POST',
    path: '/services2/download/createDownloadTicket',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [
      ...input.fileIdArray.map((fId) => ({ item: file(fId), action: 'download' }) as const),
      ...input.folderIdArray.map((fId) => ({ item: folder(fId), action: 'download' }) as const),
    ],
    input: z.strictObject({
      fileIdArray: IdArray.default([]),
      folderIdArray: IdArray.default([]),
      version: Count.optional(),
    }),
    /** Good for the named items, by the caller's session, for five minutes; rights are checked again at use. */
    data: z.strictObject({ ticket: z.string(), expiresAt: Time }),
    codes: ['notFound', 'noPermission', 'secretLevel'],
  }),
  getDocumentPreviewURL: call({
    kind: 'write',
    method: 'GET',
    path: '/services2/preview/getDocumentPreviewURL/{fileId}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'preview' }],
    input: z.strictObject({ fileId: Id }),
    data: z.strictObject({ url: z.string() }),
    codes: ['notFound', 'noPermission', 'secretLevel'],
  }),
  downloadServlet: call({
    kind: 'stream',
    method: 'GET',
    path: '/DownloadServlet',
    auth: 'query',
    payload: 'query',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'download' }],
    input: z.strictObject({ fileId: Id, version: Count.optional() }),
    data: z.never(),
    codes: ['notFound', 'noPermission', 'versionMissing', 'secretLevel'],
  }),
  previewServlet: call({
    kind: 'stream',
    method: 'GET',
    path: '/services2/preview/content',
    auth: 'query',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'preview' }],
    input: z.strictObject({ fileId: Id }),
    data: z.never(),
    codes: ['notFound', 'noPermission', 'secretLevel'],
  }),
  downloadMultiFile: call({
    kind: 'stream',
    method: 'GET',
    path: '/DownloadMultiFile',
    auth: 'query',
    payload: 'query',
    origin: 'spec',
    gate: (input) => parseMultiFiles(input.files).map((item) => ({ item, action: 'download' }) as const),
    /** Comma-separated ids, `fi_` for files and `fo_` for folders ([R202]). */
    input: z.strictObject({ files: text(120_000).regex(/^f[io]_\d{1,15}(,f[io]_\d{1,15})*$/) }),
    data: z.never(),
    codes: ['notFound', 'noPermission', 'secretLevel'],
  }),
  exportFolder2: call({
    kind: 'stream',
    method: 'GET',
    path: '/services2/file/query/exportFolder2/{ids}',
    auth: 'query',
    payload: 'none',
    origin: 'spec',
    gate: (input) => folderIds(input.ids).map((fId) => ({ item: folder(fId), action: 'exportFolder' }) as const),
    /** Comma-separated folder ids ([R128]); answers them as one zip. */
    input: z.strictObject({ ids: text(400).regex(/^\d{1,15}(,\d{1,15})*$/) }),
    data: z.never(),
    codes: ['notFound', 'noPermission'],
  }),
}

/** The folders that `ids` of exportFolder2 names, each once. */
export function folderIds(ids: string): number[] {
  return [...new Set(ids.split(',').map(Number))]
}

/** The items that `files` of DownloadMultiFile names, each once. */
export function parseMultiFiles(files: string): ItemRef[] {
  return [...new Set(files.split(','))].map((part) =>
    part.startsWith('fo_') ? folder(Number(part.slice(3))) : file(Number(part.slice(3))),
  )
}
