// Downloads of files, of several at once, and of folders ([R197]-[R203], X36).
import type { features } from '@cloudoc/contract'
import { folderIds, parseMultiFiles } from '@cloudoc/contract'
import { type Facts, fail, type GateName, hasRight, ResultError } from '@cloudoc/domain'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Content } from '../../core/blobs/contents.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { storedVersions } from '../content/index.ts'
import type { Meter } from '../downloads/index.ts'
import { recordRecent } from '../recent/index.ts'
import { canBeMarked, placeOf } from '../watermarks/index.ts'
import { sendCompressed } from './compress-pdf.ts'
import { encryptReply, keyOf, needsEncryption } from './encrypt.ts'
import { sendContent, throughServer } from './send-content.ts'
import { issueTicket } from './tickets.ts'
import { contentFinder, file, type TransferParts } from './transfer-parts.ts'
import { sendZip } from './zip.ts'

/** The gates that a file download passes. */
const leaving = [
  'takeDownload',
  'downloadCompressed',
  'downloadPdf',
  'downloadMarked',
  'downloadPacked',
] as const satisfies GateName[]

/** The handlers of downloads. */
export function downloadHandlers(
  parts: TransferParts,
): Pick<
  Handlers<typeof features.transfer.calls>,
  | 'createDownloadTicket'
  | 'downloadServlet'
  | 'downloadCompression'
  | 'downloadWatermark'
  | 'getEncryptedKey'
  | 'downloadMultiFile'
  | 'exportFolder2'
> {
  const { blobs, contents, storedVersion, downloads, log, secrets } = parts
  const { note, counted, wholly, sendMarked, meterOf, logDownloads, downloadLimits, keptChoice } = downloads

  const contentOf = contentFinder(storedVersion)
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

  return {
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
  }
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
