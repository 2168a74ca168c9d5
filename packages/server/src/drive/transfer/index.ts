// Uploads and downloads of content ([R197]-[R203], X36).
import { features } from '@cloudoc/contract'
import { fail, itemName, secretUntil } from '@cloudoc/domain'
import type { StagedContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { type StoredFile, storeNewFile, storeSubmission } from '../content/index.ts'
import { archiveHandlers } from './archive-handlers.ts'
import { checkUploads } from './check-uploads.ts'
import { downloadHandlers } from './download-handlers.ts'
import { partHandlers } from './parts.ts'
import { file, type TransferParts } from './transfer-parts.ts'

export { issueTicket, type Ticket } from './tickets.ts'

/** From this size on, uploads are checked before the content has arrived. */
const largeFrom = 1024 * 1024
/** Upper bound on the size of the fields and boundaries around the file in a multipart body. */
const mostAround = 512 * 1024

export { sendEntry, sendRendition } from './archive-entry.ts'
export { createLogDownloads, type LogDownloads } from './download-log.ts'
export { createDownloads, type Downloads } from './downloads.ts'
export { needsEncryption } from './encrypt.ts'
export { sendContent, throughServer, userContentHeaders } from './send-content.ts'
export { sendTable } from './table-export.ts'
export { serveTus } from './tus.ts'
export { createUploads, removeExpiredUploads, uploadObjects } from './uploads.ts'
export { sendZip } from './zip.ts'

/** The call handlers of uploads and downloads. */
export function transferHandlers(parts: TransferParts) {
  const { blobs, uploads } = parts

  const bodyOf = (context: StagedContext, sha256: string | undefined) => {
    const body = context.upload ?? fail('badRequest', 'file')
    const length = Number(context.request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    const atLeast = Number.isFinite(length) ? Math.max(0, length - mostAround) : 0
    return { body, content: { content: body.content, sha256, ...(length < largeFrom ? {} : { atLeast }) } }
  }
  const upload = (
    context: StagedContext,
    input: {
      folderId: number
      conflict: 'refuse' | 'version' | 'keepBoth' | 'skip'
      expectedVersion?: number | undefined
      sha256?: string | undefined
      fileName?: string | undefined
      secretLevel?: number
      duration?: number
      unit?: number
      lastModified?: number | undefined
    },
  ): Promise<StoredFile> => {
    const { body, content } = bodyOf(context, input.sha256)
    const checked = itemName(input.fileName ?? body.fileName)
    if ('code' in checked) return fail(checked.code)
    return storeNewFile(context, blobs, {
      folderId: input.folderId,
      name: checked.name,
      conflict: input.expectedVersion === undefined ? input.conflict : 'version',
      expectedVersion: input.expectedVersion,
      ...content,
      secretLevel: input.secretLevel ?? 0,
      secretUntil: secretUntil(context.now, input.duration ?? 0, input.unit ?? 0),
      diskTime: input.lastModified,
    })
  }

  return implement(features.transfer.calls, {
    uploadFile: upload,
    uploadRaw: upload,
    submitFile: (context, { fileId, version, expectedVersion, madeOf, lastModified: diskTime, sha256 }) =>
      storeSubmission(context, blobs, {
        fileId,
        base: version ?? expectedVersion ?? 0,
        locked: version !== undefined,
        madeOf,
        diskTime,
        ...bodyOf(context, sha256).content,
      }),
    async noteSavedAs(context, { fileId, version }) {
      const { row } = context.item(file(fileId))
      if (version >= row.version) return fail('badRequest', 'version')
      context.audit({ from: version, version: row.version, way: 'saveAs' })
      return {}
    },
    checkUploads: (context, input) => checkUploads(context, blobs, input),
    ...partHandlers(uploads),
    ...downloadHandlers(parts),
    ...archiveHandlers(parts),
  })
}
