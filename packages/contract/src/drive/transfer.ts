// Upload and download of content ([R197]-[R203], X36).
import { EncryptionExempt, fact, itemAddress, limits, longestEncryptedHeader, nameInText } from '@cloudoc/domain'
import { z } from 'zod'
import { type ItemRef, objectKind, on } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, DiskTime, Flag, Id, IdArray, ItemName, integer, Nothing, StoredItem, Time, text } from '../fields.ts'

import { push } from '../push.ts'

import { Conflict, CopyId, file, folder, NameEncodingOfArchive, secretChoice } from './items.ts'

/** When the name exists: -5, a new version, a numbered name, or skip. */
export const UploadConflict = z.enum(['refuse', 'version', 'keepBoth', 'skip'])

const Sha256 = z.string().regex(/^[0-9a-fA-F]{64}$/)
/** The id of an upload contains its target folder, on which its gates are checked. */
const UploadId = z.string().regex(/^\d{1,15}-[\w-]{24}$/)
/**
 * Without a lock: the upload becomes the next version of the file with that name if this is still its current version;
 * otherwise -39. 0: no file of that name may exist yet.
 */
const ExpectedVersion = Count.optional().describe(
  'The version that the caller has made this of; where the file has another one, nothing is stored (-39). 0: there is none yet. With it `conflict` is `version`.',
)
const Bytes = z.int().min(0).max(limits.largestFile)

/** Returns the target folder of an upload. */
export function folderOfUpload(uploadId: string): number {
  return Number(uploadId.slice(0, uploadId.indexOf('-')))
}

/** Uploads in progress. The user who started one may finish it even after losing the right to upload there. */
const uploadKind = objectKind('upload', {
  abort: fact<FactsOfUpload>('not stored yet', (f) => !f.isStored, 'duplicateOperation'),
})

/** An upload as seen by the user who started it; for other users it does not exist. */
interface FactsOfUpload {
  readonly isStored: boolean
}

const Uploaded = StoredItem.extend({ fileId: z.int(), fileSize: z.int(), sha256: z.string() }).meta({
  id: 'StoredFile',
})
const limitCodes = [
  'typeRestricted',
  'uploadSizeExceeded',
  'fileSizeExceeded',
  'folderSizeExceeded',
  'userSizeExceeded',
  'colleagueSizeExceeded',
  'capacityExceeded',
  'capacityNotSatisfied',
] as const
const uploadCodes = [
  'alreadyExists',
  'illegalName',
  'nameTooLong',
  'tooDeep',
  'uploadInterrupted',
  'fileConflict',
  'fileLocked',
  ...limitCodes,
] as const
const toFolderOf = (uploadId: string) =>
  [{ item: folder(folderOfUpload(uploadId)), action: 'upload', lock: 'hold' }] as const

/** Reasons why a copy that needs a watermark cannot be made. */
export const markCodes = ['sourceEncrypted', 'conversionFailed', 'conversionTimedOut', 'conversionUnsupported'] as const

/** The gates for extracting entries of an archive into a folder. */
const outOfArchive = (input: { readonly fileId: number; readonly folderId: number }) =>
  [
    { item: file(input.fileId), action: 'download' },
    { item: folder(input.folderId), action: 'upload', lock: 'hold' },
  ] as const

const transferCalls = {
  uploadFile: call({
    summary: 'Uploads a file as a multipart form',
    kind: 'staged',
    method: 'POST',
    path: '/services2/upload/uploadFile',
    aliases: ['/UploadServlet'],
    auth: 'required',
    payload: 'multipart',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'upload', lock: 'hold' }],
    /** The fields must precede the part `file`, which comes last. Its own name is used when fileName is not sent. */
    log: 'add',
    input: z.strictObject({
      folderId: Id,
      fileName: ItemName.optional(),
      ...secretChoice,
      conflict: UploadConflict.default('refuse'),
      expectedVersion: ExpectedVersion,
      lastModified: DiskTime.optional(),
      sha256: Sha256.optional(),
    }),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: Uploaded,
    codes: uploadCodes,
  }),
  uploadRaw: call({
    summary: 'Uploads a file as the body of the request',
    kind: 'staged',
    method: 'PUT',
    path: '/services2/upload/raw',
    auth: 'required',
    payload: 'raw',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'upload', lock: 'hold' }],
    log: 'add',
    input: z.strictObject({
      folderId: Id,
      fileName: ItemName,
      conflict: UploadConflict.default('refuse'),
      expectedVersion: ExpectedVersion,
      lastModified: DiskTime.optional(),
      sha256: Sha256.optional(),
    }),
    sample: (ids) => ({ folderId: ids.folderId, fileName: '名.txt' }),
    data: Uploaded,
    codes: uploadCodes,
  }),
  /**
   * Submits the next version of a file that the caller edits under its lock (fileEditLock).
   * -41 without the lock; -39 if `version` is no longer the file's current version. [R173] [R174] [R198]
   */
  submitFile: call({
    summary: 'Hands in the next version of a file',
    kind: 'staged',
    method: 'PUT',
    path: '/services2/upload/submit/{fileId}',
    auth: 'required',
    payload: 'raw',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'newVersion' }],
    log: 'edit',
    notes:
      'Either `version`, which is the one that fileEditLock answered, under its lock; or `expectedVersion`, without a lock. Either way nothing is stored where the file has another version by now (-39). Who then hands in on top of that one says in `madeOf` which it was made of.',
    input: z
      .strictObject({
        fileId: Id,
        version: Count.optional(),
        expectedVersion: Count.optional(),
        /** The older base version, when the user submits on top of the newest version after -39 (X50). */
        madeOf: Count.optional(),
        lastModified: DiskTime.optional(),
        sha256: Sha256.optional(),
      })
      .refine(
        ({ version, expectedVersion }) => (version === undefined) !== (expectedVersion === undefined),
        'exactly one of version and expectedVersion',
      )
      .refine(
        ({ version, expectedVersion, madeOf }) => madeOf === undefined || madeOf < (version ?? expectedVersion ?? 0),
        'madeOf is older than what it is put upon',
      ),
    sample: (ids) => ({ fileId: ids.fileId, version: 1 }),
    data: Uploaded,
    codes: [
      'notFound',
      'noPermission',
      'fileLocked',
      'noEditLock',
      'fileConflict',
      'alreadyInProcess',
      'secretLevel',
      'uploadInterrupted',
      ...limitCodes,
    ],
  }),
  /**
   * Records that a user resolved a conflict (-39) by saving their edit of `version` as a separate file (X50). [R190]
   */
  noteSavedAs: call({
    summary: 'Notes that what could not be handed in was saved as another file',
    title: { zh: '冲突后另存', en: 'Saved as another file after a conflict' },
    notes: 'Only where the file has a newer version than the one that it was made of; nothing else is changed by it.',
    kind: 'write',
    method: 'POST',
    path: '/services2/edit/noteSavedAs',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'newVersion' }],
    log: 'resolveConflict',
    input: z.strictObject({ fileId: Id, version: Count }),
    sample: (ids) => ({ fileId: ids.fileId, version: 1 }),
    data: Nothing,
    codes: ['badRequest', 'notFound', 'noPermission', 'fileLocked', 'alreadyInProcess', 'secretLevel'],
  }),
  /**
   * Checks what would be uploaded into a folder, in its order, before anything is sent. Nothing is reserved: the upload
   * itself is checked again.
   */
  checkUploads: call({
    summary: 'Tells which items a folder would take, and under which names',
    kind: 'read',
    method: 'POST',
    path: '/services2/upload/checkUploads',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'upload' }],
    input: z.strictObject({
      folderId: Id,
      conflict: Conflict,
      bytesBefore: Count.default(0).describe('The bytes of items that were checked before and would come first.'),
      items: z
        .array(
          z.strictObject({
            /** Not an `ItemName`: whether it is one is what is asked. */
            name: text(1100),
            fType: z.union([z.literal(1), z.literal(2)]),
            fileSize: Bytes.default(0),
            secretLevel: Count.default(0),
            parent: Count.default(0).describe(
              'Items with the same number come into the same new folder; 0: into the folder itself.',
            ),
            below: integer(0, 1000).default(0).describe('The number of new folders between the folder and the item.'),
          }),
        )
        .max(500)
        .describe('What would be uploaded, in this order.'),
    }),
    sample: (ids) => ({ folderId: ids.folderId, items: [{ name: '名.txt', fType: 1 }] }),
    data: z.strictObject({
      /** In the order of the items. */
      list: z.array(
        z.strictObject({
          result: z.int(),
          name: z.string().describe('The name that the item would have; the given one if it is refused.'),
        }),
      ),
    }),
    codes: uploadCodes,
  }),
  /**
   * Starts a multipart upload. With the `sha256` of the content, the answer contains a challenge, whether the content
   * is known or not. `proof` is the hex sha256 over the bytes of the nonce and then the bytes of each range, both ends
   * included, in their order. A second call with the proof and `uploadId` stores a content that the caller may already
   * read at once and answers `done`. If the caller may read the content, a wrong proof is refused (-9). For any other
   * content the answer reveals nothing and the parts are sent as usual. In both cases the upload continues without a
   * challenge.
   */
  uploadOpen: call({
    summary: 'Begins an upload in parts, or stores a known content at once',
    log: 'none',
    notes:
      'With `sha256` the answer has a `challenge`: a nonce in hex and ranges of the content, both ends included. The proof is the hex sha256 over the bytes of the nonce, then the bytes of each range in their order. A second call with the same fields, `uploadId` and `proof` stores the file at once (`done`) where the caller may read that content already. A proof that is wrong for such a content is refused (-9); of what the caller may not read, and of what is not here, nothing is told. Whatever was answered, the upload goes on with its parts.',
    kind: 'staged',
    audit: 'technical',
    method: 'POST',
    path: '/services2/upload/uploadOpen',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'upload', lock: 'hold' }],
    input: z.strictObject({
      folderId: Id,
      fileName: ItemName,
      fileSize: Bytes,
      secretLevel: Count.default(0),
      duration: Count.default(0),
      unit: Count.pipe(z.int().max(3)).default(0),
      conflict: UploadConflict.default('refuse'),
      lastModified: DiskTime.optional(),
      sha256: Sha256.optional(),
      uploadId: UploadId.optional(),
      proof: Sha256.optional(),
      expectedVersion: ExpectedVersion,
    }),
    sample: (ids) => ({ folderId: ids.folderId, fileName: '名.txt', fileSize: 10 }),
    data: z.strictObject({
      uploadId: z.string(),
      /** Size in bytes of every part except the last. */
      partSize: z.int(),
      challenge: z
        .strictObject({
          nonce: z.string(),
          ranges: z.array(z.strictObject({ start: z.int(), end: z.int() })),
        })
        .optional(),
      done: z.literal(true).optional(),
      ...Uploaded.partial().shape,
    }),
    codes: [...uploadCodes, 'sendingTooOften'],
  }),
  /** Part n contains the bytes from (n - 1) * partSize on. A part may be sent again; the last one received counts. */
  uploadPart: call({
    summary: 'Sends one part of an upload',
    log: 'none',
    kind: 'staged',
    audit: 'technical',
    method: 'PUT',
    path: '/services2/upload/part/{uploadId}/{partNumber}',
    auth: 'required',
    payload: 'raw',
    origin: 'ours',
    gate: (input) => toFolderOf(input.uploadId),
    input: z.strictObject({
      uploadId: UploadId,
      partNumber: Count.pipe(z.int().min(1).max(limits.partsMost)),
      sha256: Sha256.optional(),
    }),
    sample: (ids) => ({ uploadId: ids.uploadId, partNumber: 1 }),
    data: z.strictObject({ partNumber: z.int(), size: z.int(), sha256: z.string() }),
    codes: ['notFound', 'uploadInterrupted', 'duplicateOperation'],
  }),
  uploadStatus: call({
    summary: 'Tells which parts of an upload are held',
    kind: 'read',
    method: 'GET',
    path: '/services2/upload/uploadStatus/{uploadId}',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    gate: (input) => [{ item: folder(folderOfUpload(input.uploadId)), action: 'upload' }],
    input: z.strictObject({ uploadId: UploadId }),
    sample: (ids) => ({ uploadId: ids.uploadId }),
    data: z.strictObject({
      /** Numbers of the parts received, ascending. */
      parts: z.array(z.int()),
      expiresAt: Time,
      partSize: z.int(),
      fileSize: z.int(),
      /** Set once the file is stored. */
      fileId: z.int().optional(),
    }),
    codes: ['notFound'],
  }),
  /**
   * Stores the file when all parts have been received. Idempotent: a repeated call gives the same answer and stores
   * nothing twice.
   */
  uploadComplete: call({
    summary: 'Makes the file of an upload in parts',
    kind: 'staged',
    method: 'POST',
    path: '/services2/upload/uploadComplete',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => toFolderOf(input.uploadId),
    log: 'add',
    input: z.strictObject({
      uploadId: UploadId,
      /** Different name or conflict choice than at the start of the upload, after -5. */
      fileName: ItemName.optional(),
      conflict: UploadConflict.optional(),
      expectedVersion: ExpectedVersion,
    }),
    sample: (ids) => ({ uploadId: ids.uploadId }),
    data: Uploaded,
    timeoutMs: 600_000,
    codes: [...uploadCodes, 'uploadNotFinished', 'notFound'],
  }),
  uploadAbort: call({
    summary: 'Gives an upload up',
    log: 'none',
    kind: 'staged',
    audit: 'technical',
    method: 'POST',
    path: '/services2/upload/uploadAbort',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: ({ uploadId }) => [on(uploadKind, uploadId, 'abort', 'change')],
    input: z.strictObject({ uploadId: UploadId }),
    sample: (ids) => ({ uploadId: ids.uploadId }),
    data: Nothing,
    codes: ['notFound', 'duplicateOperation'],
  }),
  createDownloadTicket: call({
    servesReading: true,
    summary: 'Issues a ticket that downloads without a session header',
    title: { zh: '准备下载', en: 'Download prepared' },
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/download/createDownloadTicket',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [
      ...input.fileIdArray.map((fId) => ({ item: file(fId), action: 'downloadPacked' }) as const),
      ...input.folderIdArray.map((fId) => ({ item: folder(fId), action: 'downloadPacked' }) as const),
    ],
    input: z.strictObject({
      fileIdArray: IdArray.default([]),
      folderIdArray: IdArray.default([]),
      version: Count.optional(),
    }),
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
    /**
     * The ticket is valid for five minutes, for the named items and the caller's session. Rights are checked again when
     * it is used.
     */
    data: z.strictObject({ ticket: z.string(), expiresAt: Time }),
    codes: ['notFound', 'noPermission', 'secretLevel'],
  }),
  downloadServlet: call({
    summary: 'Downloads a file, or a range of it',
    title: { zh: '下载', en: 'Download' },
    answers: '*/*',
    statuses: [206, 302, 304, 416],
    kind: 'stream',
    method: 'GET',
    path: '/DownloadServlet',
    auth: 'query',
    payload: 'query',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'takeDownload' }],
    notes: 'Where a watermark is for the file or the person, the copy bears it: it has a length of its own.',
    input: z.strictObject({
      fileId: Id,
      version: Count.optional(),
      /**
       * The content is loaded into an editor. It is recorded as editing and not as a download if the caller holds the
       * edit lock of the file.
       */
      forEdit: Flag.default(false),
    }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.never(),
    codes: ['notFound', 'noPermission', 'versionMissing', 'secretLevel', 'downloadLimit', ...markCodes],
  }),
  /** A watermarked copy of a restricted document ([R146], [R281]), if the server offers it. */
  downloadWatermark: call({
    summary: 'Downloads a copy of a restricted document with a watermark in it',
    title: { zh: '下载带水印的副本', en: 'Download with a watermark' },
    notes: 'Of pdf, docx, xlsx, pptx and pictures. -206 where the document is encrypted.',
    answers: '*/*',
    statuses: [206, 304, 416],
    kind: 'stream',
    method: 'GET',
    path: '/services2/download/downloadWatermark/{fileId}',
    auth: 'query',
    payload: 'none',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'downloadMarked' }],
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.never(),
    codes: ['notFound', 'noPermission', 'versionMissing', 'secretLevel', 'downloadLimit', ...markCodes],
  }),
  /**
   * A PDF with downscaled images ([R203]): complete in one answer, without range support. If it cannot be made smaller,
   * or not within the server's limits, the stored file is returned.
   */
  downloadCompression: call({
    summary: 'Downloads a PDF with smaller pictures',
    title: { zh: '压缩下载', en: 'Compressed download' },
    answers: 'application/pdf',
    kind: 'stream',
    method: 'GET',
    path: '/services2/compression/downloadCompression/{fileId}',
    auth: 'query',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'downloadCompressed' }],
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.never(),
    codes: ['notFound', 'noPermission', 'versionMissing', 'secretLevel', 'downloadLimit'],
  }),
  /** The key of an encrypted download ([R205]), for those who may have its items without encryption. */
  getEncryptedKey: call({
    summary: 'Returns the key of an encrypted download',
    title: { zh: '取得加密下载的密钥', en: 'Key of an encrypted download' },
    notes:
      '`files` as in the header of the file, which `header` has whole, up to its check value. Refused (-4) where a download of these items is encrypted for the caller, and -472 where this server has not made the header.',
    kind: 'write',
    method: 'POST',
    path: '/services2/download/getEncryptedKey',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => parseMultiFiles(input.files).map((item) => ({ item, action: 'downloadPacked' }) as const),
    log: 'none',
    input: z.strictObject({
      files: text(120_000).regex(/^f[io]_\d{1,15}(,f[io]_\d{1,15})*$/),
      header: text(longestEncryptedHeader).describe(
        'The header of the file, from its first line to the line of its check value.',
      ),
    }),
    sample: (ids) => ({ files: `fi_${ids.fileId}`, header: 'age-encryption.org/v1' }),
    data: z.strictObject({ key: z.string().describe('The file key of the age format, as base64.') }),
    codes: ['notFound', 'noPermission', 'secretLevel', 'encryptionFailed'],
  }),
  /**
   * Extracts one file from an archive: complete in one answer, without range support. Requires the right to download
   * the archive.
   */
  downloadArchiveEntry: call({
    summary: 'Downloads one file of an archive',
    title: { zh: '下载压缩包里的文件', en: 'Download from an archive' },
    notes: '`path` as the listing of the archive tells it. -206 where it has a password, -205 where it is too large.',
    answers: '*/*',
    kind: 'stream',
    method: 'GET',
    path: '/services2/file/query/downloadArchiveEntry',
    auth: 'query',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'takeDownload' }],
    input: z.strictObject({
      fileId: Id,
      version: Count.optional(),
      path: text(4000).min(1),
      names: NameEncodingOfArchive,
    }),
    sample: (ids) => ({ fileId: ids.fileId, path: 'a.txt' }),
    data: z.never(),
    codes: [
      'notFound',
      'noPermission',
      'versionMissing',
      'secretLevel',
      'downloadLimit',
      'conversionFailed',
      'conversionTimedOut',
      'conversionUnsupported',
      'noConversionLock',
      'sourceEncrypted',
      'archiveTooLarge',
    ],
  }),
  /** Extracts one entry of an archive into a new file on the server, without a download. */
  saveArchiveEntry: call({
    summary: 'Saves one file of an archive in a folder',
    title: { zh: '保存压缩包里的文件', en: 'Save from an archive' },
    notes:
      'As {@link downloadArchiveEntry} takes it out. It bears the secret level of the archive, and another name where its own is taken there.',
    kind: 'staged',
    method: 'POST',
    path: '/services2/file/operate/saveArchiveEntry',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: outOfArchive,
    log: 'add',
    input: z.strictObject({
      fileId: Id,
      version: Count.optional(),
      path: text(4000).min(1),
      names: NameEncodingOfArchive,
      folderId: Id,
    }),
    sample: (ids) => ({ fileId: ids.fileId, path: 'a.txt', folderId: ids.folderId }),
    data: StoredItem.extend({ fileId: z.int() }),
    codes: [
      'notFound',
      'noPermission',
      'versionMissing',
      'secretLevel',
      'illegalName',
      'nameTooLong',
      'tooDeep',
      'typeRestricted',
      'conversionFailed',
      'conversionTimedOut',
      'conversionUnsupported',
      'noConversionLock',
      'sourceEncrypted',
      'archiveTooLarge',
    ],
  }),
  /** Extracts a whole archive into a new folder, except entries that are not allowed there; all or nothing. */
  unpackArchive: call({
    summary: 'Unpacks an archive into a folder',
    title: { zh: '解压压缩包', en: 'Unpack an archive' },
    notes:
      'The folder is called as the archive, or otherwise where that name is taken; everything in it bears the secret level of the archive. Taken are files of up to 64 MB, 512 MB together; an archive of more than 10,000 entries is refused (-205). A file that cannot be taken (a name that nobody may have, a path that leads elsewhere, a password, damage, its size or kind, no room for it) is left out and named; where no file is left, the first of the reasons is the answer and nothing is made. getCopyProgress and cancelCopy know it by its `copyId`.',
    kind: 'staged',
    method: 'POST',
    path: '/services2/file/operate/unpackArchive',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: outOfArchive,
    log: 'add',
    timeoutMs: 600_000,
    input: z.strictObject({
      fileId: Id,
      version: Count.optional(),
      folderId: Id,
      names: NameEncodingOfArchive,
      copyId: CopyId.optional().describe('What getCopyProgress and cancelCopy call it by.'),
    }),
    sample: (ids) => ({ fileId: ids.fileId, folderId: ids.folderId }),
    data: StoredItem.extend({
      folderId: z.int(),
      files: z.int().describe('How many files were unpacked.'),
      leftOut: z.int().describe('How many entries were left out.'),
      left: z
        .array(z.strictObject({ path: z.string(), result: z.int() }))
        .describe('The first 200 of those, each with the code that refuses it.'),
    }),
    codes: [
      'notFound',
      'noPermission',
      'versionMissing',
      'secretLevel',
      'alreadyExists',
      'illegalName',
      'nameTooLong',
      'tooDeep',
      'typeRestricted',
      'uploadInterrupted',
      'conversionFailed',
      'conversionTimedOut',
      'conversionUnsupported',
      'noConversionLock',
      'sourceEncrypted',
      'archiveTooLarge',
    ],
  }),
  downloadMultiFile: call({
    summary: 'Downloads several items as one zip',
    title: { zh: '打包下载', en: 'Download as a zip' },
    notes:
      'A restricted document that the caller may not change comes as a copy with a watermark, where the server gives such (else -4). What may not be taken, or not any more today, is named in a list at the end of the zip.',
    answers: 'application/zip',
    kind: 'stream',
    method: 'GET',
    path: '/DownloadMultiFile',
    auth: 'query',
    payload: 'query',
    needs: 'packDownload',
    origin: 'spec',
    gate: (input) => parseMultiFiles(input.files).map((item) => ({ item, action: 'downloadPacked' }) as const),
    /** Comma-separated ids, `fi_` for files and `fo_` for folders ([R202]). */
    input: z.strictObject({ files: text(120_000).regex(/^f[io]_\d{1,15}(,f[io]_\d{1,15})*$/) }),
    sample: (ids) => ({ files: `fi_${ids.fileId}` }),
    data: z.never(),
    codes: ['notFound', 'noPermission', 'secretLevel', 'downloadLimit'],
  }),
  exportFolder2: call({
    summary: 'Exports folders as one zip',
    title: { zh: '导出文件夹', en: 'Folder exported' },
    answers: 'application/zip',
    kind: 'stream',
    method: 'GET',
    path: '/services2/file/query/exportFolder2/{ids}',
    auth: 'query',
    payload: 'none',
    origin: 'spec',
    gate: (input) => folderIds(input.ids).map((fId) => ({ item: folder(fId), action: 'exportFolder' }) as const),
    /** Comma-separated folder ids ([R128]); the answer is one zip file. */
    input: z.strictObject({ ids: text(400).regex(/^\d{1,15}(,\d{1,15})*$/) }),
    sample: (ids) => ({ ids: String(ids.folderId) }),
    data: z.never(),
    codes: ['notFound', 'noPermission', 'downloadLimit'],
  }),
}

/** Parses `ids` of exportFolder2 and removes duplicates. */
export function folderIds(ids: string): number[] {
  return [...new Set(ids.split(',').map(Number))]
}

/** Parses `files` of DownloadMultiFile and removes duplicates. */
export function parseMultiFiles(files: string): ItemRef[] {
  return [...new Set(files.split(','))].map((part) =>
    part.startsWith('fo_') ? folder(Number(part.slice(3))) : file(Number(part.slice(3))),
  )
}

/** How long the notice about a submitted file is displayed. [R099] */
const submittedMs = 3000

const transferPushes = {
  /**
   * Push number not in the spec: the receiver has submitted an edit of a file, in the page or by a program ([R250]); the
   * receiver's pages display it.
   */
  fileSubmitted: push({
    summary: 'The receiver has handed in the next version of a file',
    type: 104,
    delivery: 'confirmed',
    notice: {
      group: 'fileSubmit',
      key: ({ fId }) => String(fId),
      merge: 'later',
      item: ({ fId }) => ({ fType: 1, fId }),
      lifetimeMs: submittedMs,
      sentence: ({ fName }) => ({
        zh: '“{item}”已提交',
        en: '“{item}” was handed in',
        values: { item: nameInText(fName) },
      }),
      path: ({ serverId, fId }) => itemAddress({ serverId, fType: 1, fId }),
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      fType: z.literal(1),
      fId: z.int(),
      fName: z.string(),
      /** 0 when the receiver may not see the folder. */
      parentFolderId: z.int(),
      version: z.int(),
      time: Time,
    }),
  }),
}

export const transfer = feature({
  about: { name: 'transfer', text: 'Contents in and out' },
  calls: transferCalls,
  objects: { upload: uploadKind },
  pushes: transferPushes,
  settings: {
    setting: {
      /** A single PDF can be downloaded with downscaled images ([R146], [R203]). */
      pdf_compression: z.boolean().default(false),
      /** Downloads on Windows leave encrypted, as .cld files ([R205]). */
      encryption_download: z.boolean().default(false),
      /** Whose downloads are not encrypted: those of people who manage all of the items, or who may change them. */
      encryption_exempt: z.int().min(0).max(2).default(EncryptionExempt.nobody),
    },
    administered: {
      pdf_compression: {
        label: { zh: '压缩下载 PDF', en: 'Smaller PDF downloads' },
        note: {
          zh: '下载单个 PDF 时可选择把其中的图片变小，原文件不变。',
          en: 'A single PDF may be downloaded with smaller pictures; the file itself stays.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
      encryption_download: {
        label: { zh: '加密下载', en: 'Encrypted downloads' },
        note: {
          zh: '在 Windows 电脑上下载得到加密的 .cld 文件：在网页里只读打开，权限收回后就打不开。外链访客的下载、本地编辑不加密；资源管理器的网络驱动器（WebDAV）不能读取这些文件。',
          en: 'On Windows, downloads are encrypted .cld files: pages open them read-only, and no longer once the right is withdrawn. Downloads of link visitors and local editing are not encrypted; network drives (WebDAV) of Windows cannot read these files.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
      encryption_exempt: {
        label: { zh: '免加密的人', en: 'Exempt from encryption' },
        note: {
          zh: '对要下载的全部内容有此权限的人，下载不加密，也可以把 .cld 文件另存为原文件。',
          en: 'Downloads of people with this right to all that they download are not encrypted. They can also save a .cld file as the original.',
        },
        power: 'system',
        group: 'files',
        as: 'number',
        choices: ['encryptForAll', 'encryptButManagers', 'encryptButEditors'],
      },
    },
  },
})
