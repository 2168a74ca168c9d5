// The thumbnails of files in lists.
import type { features } from '@cloudoc/contract'
import { codeMessage, codes } from '@cloudoc/domain'
import { localeOf } from '../../core/call/dispatcher.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { issueTicket } from '../../drive/transfer/index.ts'
import { file, picturesOf, urlOf } from './previews.ts'

/** The handler of thumbnails. */
export function thumbnailHandlers(): Pick<Handlers<typeof features.preview.calls>, 'getThumbnailURLs'> {
  return {
    async getThumbnailURLs(context, { fileIdArray }) {
      const refused = new Map(fileIdArray.map((fId) => [fId, context.refusalOf(file(fId))]))
      const shown = fileIdArray.filter((fId) => refused.get(fId) === undefined)
      const pictures = await picturesOf(context, shown)
      const { ticket } = await issueTicket(
        context,
        shown.map((fileId) => `preview:1:${fileId}`),
      )
      const locale = localeOf(context.request)
      const list = fileIdArray.map((fileId) => {
        const found = pictures.get(fileId)
        const code = refused.get(fileId) ?? found?.code
        if (code !== undefined || found === undefined) {
          const said = code ?? 'conversionUnsupported'
          return { fileId, result: codes[said].code, msg: codeMessage(said, locale), url: '', pages: 0, lengthMs: 0 }
        }
        const url = `${urlOf('rendition', { fileId, version: found.version }, ticket)}&form=thumbnail`
        return { fileId, result: codes.success.code, msg: '', url, pages: found.pages, lengthMs: found.lengthMs }
      })
      return { list }
    },
  }
}
