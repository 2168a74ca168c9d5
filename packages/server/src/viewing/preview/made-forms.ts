// What is made of a file beside its preview: its text, its pages, its PDF.
import type { features } from '@cloudoc/contract'
import { type PreviewedVersion } from '@cloudoc/contract'
import { codeMessage, codes, fail, isOfficeDocument, LogBit, ResultError, splitName } from '@cloudoc/domain'
import type { Context, WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Queue } from '../../core/queue/kind.ts'
import { hasText } from '../../documents/index.ts'
import { type Downloads, issueTicket } from '../../drive/transfer/index.ts'
import { conversion, currentConversion } from './convert.ts'
import { askFor, file, type PreviewedFile, type Previews, type Status, urlOf } from './previews.ts'
import { dropFailed, findRenditions, recordUse } from './renditions.ts'

interface MadeFormParts {
  readonly shownOf: (context: Context, of: PreviewedVersion) => Promise<PreviewedFile>
  readonly statusOf: Previews['status']
  readonly queue: Queue
  readonly downloads: Downloads
  /** LibreOffice is there. */
  readonly makesPdf: (context: Context) => boolean
}

/** The handlers of texts, pages and PDFs. */
export function madeFormHandlers({
  shownOf,
  statusOf,
  queue,
  downloads,
  makesPdf,
}: MadeFormParts): Pick<
  Handlers<typeof features.preview.calls>,
  'getWordsURL' | 'getPagesURL' | 'preparePdfs' | 'downloadPdf'
> {
  /** The state of the PDF of a file. Requests it, unless it exists or has failed; what has failed, when `start` says so. */
  const pdfOf = async (context: WriteContext, fileId: number, start: boolean) => {
    const shown = await shownOf(context, { fileId })
    const { kind = '', ext } = shown
    const { blobId } = shown.content
    if (start) await dropFailed(context.tx, 'pdf', { blobId, kind })
    const current = await currentConversion(queue, conversion.key({ blobId, form: 'pdf', kind, ext }), context.tx)
    if (start || current?.status.state !== 'failed') await askFor(context, queue, 'pdf', shown)
    return statusOf(context.tx, shown, 'pdf')
  }

  /** The address of the text or the pages of a version, and their state. Requests them, unless they exist. */
  const addressOf = async (context: WriteContext, shown: PreviewedFile, form: 'words' | 'pages') => {
    await askFor(context, queue, form, shown)
    const { code, percent } = await statusOf(context.tx, shown, form)
    const { ticket } = await issueTicket(context, [`preview:1:${shown.fileId}`])
    const url = `${urlOf('rendition', shown, ticket)}&form=${form}`
    if (code !== undefined)
      return { url, state: codes[code].code, msg: codeMessage(code, localeOf(context.request)), percent }
    context.audit({ log: LogBit.preview, version: shown.version })
    return { url, state: codes.success.code, msg: '', percent }
  }

  return {
    async getWordsURL(context, { fileId, version }) {
      const shown = await shownOf(context, { fileId, version })
      return hasText(shown.ext) ? addressOf(context, shown, 'words') : fail('conversionUnsupported')
    },

    async getPagesURL(context, { fileId, version }) {
      const shown = await shownOf(context, { fileId, version })
      const isMade = shown.kind === 'pdf' || (makesPdf(context) && isOfficeDocument(shown.ext))
      return isMade ? addressOf(context, shown, 'pages') : fail('conversionUnsupported')
    },

    async preparePdfs(context, { fileIdArray, start }) {
      const locale = localeOf(context.request)
      const list = []
      for (const fileId of new Set(fileIdArray)) {
        const { code, percent } = await stateOrRefusal(fileId)
        const result = codes[code ?? 'success'].code
        list.push({ fileId, result, msg: code === undefined ? '' : codeMessage(code, locale), percent })
      }
      return { list }

      async function stateOrRefusal(fileId: number): Promise<Pick<Status, 'code' | 'percent'>> {
        const refused = context.refusalOf(file(fileId)) ?? (makesPdf(context) ? undefined : 'conversionUnsupported')
        if (refused !== undefined) return { code: refused, percent: 0 }
        try {
          return await pdfOf(context, fileId, start)
        } catch (error) {
          if (!(error instanceof ResultError)) throw error
          return { code: error.code, percent: 0 }
        }
      }
    },

    async downloadPdf(context, { fileId }) {
      const { content, kind, name } = await shownOf(context, { fileId })
      const [made] = await findRenditions(context.db, 'pdf', [{ blobId: content.blobId, kind: kind ?? '' }])
      if (made === undefined) throw new ResultError('converting')
      if (made.content === undefined) throw new ResultError(made.problem ?? 'conversionFailed')
      await recordUse(context.db, 'pdf', [content.blobId], context.now)
      const { modifiedAt } = content
      const pdf = { ...made.content, name: `${splitName(name).base}.pdf`, modifiedAt }
      await downloads.sendMade(context, fileId, pdf, 'pdf')
    },
  }
}
