// Uploads and downloads of content ([R197]-[R203], X36).
import { features, folderIds, parseMultiFiles } from '@cloudoc/contract'
import {
  documentKind,
  extNameOf,
  type Facts,
  fail,
  type GateName,
  hasRight,
  itemName,
  ResultError,
  secretUntil,
} from '@cloudoc/domain'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Content, Contents } from '../../core/blobs/contents.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import { actorOf, type Context, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Log } from '../../core/log.ts'
import type { Services } from '../../core/services.ts'
import { ticketTokens } from '../../people/auth/index.ts'
import {
  type StoredFile,
  type StoredVersions,
  storedVersions,
  storeNewFile,
  storeSubmission,
} from '../content/index.ts'
import type { Meter } from '../downloads/index.ts'
import { recordRecent } from '../recent/index.ts'
import { canBeMarked, placeOf } from '../watermarks/index.ts'
import { nameOfEntry, sendEntry, withEntry } from './archive-entry.ts'
import { sendCompressed } from './compress-pdf.ts'
import type { Downloads } from './downloads.ts'
import { encryptReply, keyOf, needsEncryption } from './encrypt.ts'
import { partHandlers } from './parts.ts'
import { sendContent, throughServer } from './send-content.ts'
import { unpackInto } from './unpack.ts'
import type { Uploads } from './uploads.ts'
import { sendZip } from './zip.ts'

/** Lifetime of a ticket for a download or a preview ([X36]). */
const ticketLife = 5 * 60_000

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

/** The data of a ticket; read by people/auth. */
export interface Ticket {
  readonly sessionId: number
  readonly scope: readonly string[]
}

/** The gates that a file download passes. */
const leaving = [
  'takeDownload',
  'downloadCompressed',
  'downloadPdf',
  'downloadMarked',
  'downloadPacked',
] as const satisfies GateName[]

const file = (fId: number) => ({ fType: 1, fId }) as const

/** The call handlers of uploads and downloads. */
export function transferHandlers({
  blobs,
  contents,
  uploads,
  storedVersion,
  downloads,
  log,
  secrets,
}: Pick<Services, 'blobs' | 'secrets'> & {
  readonly contents: Contents
  readonly uploads: Uploads
  readonly storedVersion: StoredVersions
  readonly downloads: Downloads
  readonly log: Log
}) {
  const { note, counted, wholly, sendMarked, meterOf, logDownloads, downloadLimits, keptChoice } = downloads
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

  const contentOf = async (context: Context, fileId: number, version?: number) => {
    const { row } = context.item(file(fileId))
    const content = await storedVersion(fileId, version ?? row.version)
    return content === undefined ? fail('versionMissing') : { ...content, name: row.name }
  }
  const sendFile = async (
    context: Context,
    fileId: number,
    version: number | undefined,
    { direct, meter }: { readonly direct: BlobStore['direct']; readonly meter: Meter | undefined },
  ) => {
    const content = await contentOf(context, fileId, version)
    const access = context.item(file(fileId))
    const chosen = (await keptChoice(context))(placeOf(access), 'download')
    if (chosen === undefined) return sendContent(context, contents, content, { direct, meter })
    return canBeMarked(access.row.ext)
      ? sendMarked(context, content, access.row.ext, chosen, meter)
      : sendContent(context, contents, content, { meter })
  }
  /** Each file of a zip counts. If no download is left at the start, the zip is refused before its first byte. */
  const takingOf = async (context: Context) => {
    const limited = context.request.method === 'HEAD' ? undefined : await downloadLimits(context)
    if (limited !== undefined && (await limited.isUsedUp())) return fail('downloadLimit')
    return async ({ id, version }: ItemRow, facts: Facts, { size }: Content): Promise<boolean> => {
      if (limited !== undefined && !(await limited.take({ fileId: id, version }))) return false
      const meter = meterOf(context, id, facts, version, 'zip')
      try {
        await meter?.begin(size, size)
        return true
      } catch (error) {
        if (!(error instanceof ResultError)) throw error
        await limited?.giveBack()
        return false
      }
    }
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
    ...partHandlers(uploads),

    async createDownloadTicket(context, { fileIdArray, folderIdArray, version }) {
      const scope = [
        ...fileIdArray.flatMap((fId) => leaving.map((action) => `${action}:1:${fId}`)),
        ...folderIdArray.flatMap((fId) => [`downloadPacked:2:${fId}`, `exportFolder:2:${fId}`]),
      ]
      if (scope.length === 0) return fail('badRequest', 'fileIdArray')
      if (version !== undefined) {
        const asked = fileIdArray.map((fileId) => ({ fileId, version }))
        if ((await storedVersions(context.tx, asked)).includes(undefined)) return fail('versionMissing')
      }
      const issued = await issueTicket(context, scope)
      if (context.actor?.kind === 'account')
        await recordRecent(
          context.tx,
          context.actor.accountId,
          [...fileIdArray, ...folderIdArray],
          'download',
          context.now,
        )
      return issued
    },

    async downloadServlet(context, { fileId, version, forEdit }) {
      await counted(context, version, fileId, async (limited, meter) => {
        const access = context.item(file(fileId))
        // Whoever holds no lock downloads, whatever the request says.
        const { actor } = context
        const isEditor = actor?.kind === 'account' && access.row.editor_id === actor.accountId
        if (forEdit && isEditor) await logDownloads(context, [access], version, 'edit')
        else await note(context, [access], version)
        const isHere = limited || context.request.headers[throughServer] !== undefined
        await sendFile(context, fileId, version, { direct: isHere ? undefined : blobs.direct, meter })
      })
    },
    async downloadCompression(context, { fileId }) {
      await counted(context, undefined, fileId, async (_limited, meter) => {
        const access = context.item(file(fileId))
        await note(context, [access])
        const content = await contentOf(context, fileId)
        const chosen = (await keptChoice(context))(placeOf(access), 'download')
        // The watermark is applied first, then the image size.
        if (chosen !== undefined) return sendMarked(context, content, access.row.ext, chosen, meter)
        await wholly(meter, content.size, () => sendCompressed(context, contents, content, log))
      })
    },
    async downloadWatermark(context, { fileId }) {
      const access = context.item(file(fileId))
      const chosen = (await keptChoice(context))(placeOf(access), 'download', true)
      if (chosen === undefined) return fail('noPermission')
      await counted(context, undefined, fileId, async (_limited, meter) => {
        const content = await contentOf(context, fileId)
        await note(context, [access])
        await sendMarked(context, content, access.row.ext, chosen, meter)
      })
    },

    async getEncryptedKey(context, { files, header }) {
      const taken = parseMultiFiles(files).map((ref) => context.item(ref))
      if (needsEncryption(context, taken)) return fail('noPermission')
      return { key: Buffer.from(await keyOf(secrets, header, files)).toString('base64') }
    },

    async downloadArchiveEntry(context, { fileId, version, path, names }) {
      const { row } = context.item(file(fileId))
      if (documentKind(extNameOf(row.name)) !== 'archive') return fail('conversionUnsupported')
      await counted(context, version, fileId, async (_limited, meter) => {
        const content = await contentOf(context, fileId, version)
        await note(context, [context.item(file(fileId))], version)
        await wholly(meter, content.size, () => sendEntry(context, contents, content, { path, names }))
      })
    },

    async saveArchiveEntry(context, { fileId, version, path, names, folderId }) {
      const { row } = context.item(file(fileId))
      if (documentKind(extNameOf(row.name)) !== 'archive') return fail('conversionUnsupported')
      const checked = itemName(nameOfEntry(path))
      if ('code' in checked) return fail(checked.code)
      const content = await contentOf(context, fileId, version)
      const {
        fileSize: _size,
        sha256: _sha256,
        ...made
      } = await withEntry(context, contents, content, { path, names }, 'file', (bytes) =>
        storeNewFile(context, blobs, {
          folderId,
          name: checked.name,
          conflict: 'keepBoth',
          content: [bytes],
          atLeast: bytes.length,
          outOf: fileId,
        }),
      )
      return made
    },

    async unpackArchive(context, { fileId, version, folderId, names, copyId }) {
      const { row } = context.item(file(fileId))
      if (documentKind(extNameOf(row.name)) !== 'archive') return fail('conversionUnsupported')
      const content = await contentOf(context, fileId, version)
      return unpackInto(context, blobs, contents, content, { fileId, folderId, names, copyId })
    },

    async downloadMultiFile(context, { files }) {
      const mayTake = await takingOf(context)
      const met = parseMultiFiles(files).map((ref) => ({ ref, access: context.item(ref) }))
      await note(
        context,
        met.map(({ access }) => access),
      )
      // Concurrent queries are batched.
      const items = await Promise.all(
        met.map(async ({ ref, access }) => {
          const content = ref.fType === 1 ? await storedVersion(ref.fId, access.row.version) : undefined
          return { access, content }
        }),
      )
      await sendZip(context, actorOf(context), contents, items, {
        choose: await keptChoice(context),
        marksAll: needsMark(context, met),
        mayTake,
      })
    },

    async exportFolder2(context, { ids }) {
      const items = folderIds(ids).map((fId) => ({ access: context.item({ fType: 2, fId }), content: undefined }))
      const taken = items.map(({ access }) => access)
      const isEncrypted = encryptReply(context, secrets, taken)
      await logDownloads(context, taken)
      if (isEncrypted) await logDownloads(context, taken, undefined, 'encrypt')
      await sendZip(context, actorOf(context), contents, items, {
        choose: await keptChoice(context),
        mayTake: await takingOf(context),
      })
    },
  })
}

/**
 * Whether a combined download needs a watermark: if some of it is restricted and the caller may not change all of it,
 * and if watermarks are enabled ([R281]).
 */
function needsMark(context: Context, met: readonly { readonly access: Access }[]): boolean {
  if (!actorOf(context).settings.setting.download_watermark) return false
  const isRestricted = met.some(({ access: { facts } }) => (facts.docFlag & 1) !== 0)
  return isRestricted && !met.every(({ access: { facts } }) => hasRight(facts.rights, 'modify'))
}

/** Creates a ticket for the caller's session that is valid for some minutes. */
export async function issueTicket(
  context: WriteContext,
  scope: string[],
): Promise<{ ticket: string; expiresAt: number }> {
  const expiresAt = context.now + ticketLife
  const ticket: Ticket = { sessionId: actorOf(context).sessionId, scope }
  return { ticket: await ticketTokens.issue(context.tx, ticket, expiresAt), expiresAt }
}
