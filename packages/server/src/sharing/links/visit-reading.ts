// What the visitor of a link looks at: the content of folders, and files in the previewer ([R228]).
import { factsOfRecord, type features, type Parsed as InputOf } from '@cloudoc/contract'
import { codeMessage, codes, denial, fail, gates, linkRights } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import type { Context, WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { listChildren } from '../../drive/tree/index.ts'
import type { Previews } from '../../viewing/preview/index.ts'
import { recordVisit } from './visit-records.ts'
import { isCollecting } from './visited-link.ts'
import { markAsked, visitorOf } from './visitor.ts'

type Calls = typeof features.externalLinks.calls
type Parsed<N extends keyof Calls> = InputOf<Calls[N]>

const who = (actor: Account) => ({
  userId: actor.accountId,
  secretLevel: actor.secretLevel,
  isGuest: actor.isGuest,
  capabilities: actor.capabilities,
  settings: actor.settings.setting,
})

/** The handlers of looking at what a link leads to. */
export function readingHandlers({ showing }: { readonly showing: Previews }) {
  return {
    async visitList(context: Context, input: Parsed<'visitList'>) {
      const { db, now } = context
      const { link, pass, responsible } = visitorOf(context)
      const folder = context.item({ fType: 2, fId: input.folderId })
      const at = folder.path.findIndex(({ id }) => id === link.item_id)
      const above = at === -1 ? [] : folder.path.slice(at)
      const path = [...above, folder.row].map(({ id, name }) => ({ fId: id, fName: name }))
      if (isCollecting(link)) {
        const { rows } = await sql<{ fId: number; fName: string; fileSize: number; modifyTime: number }>`
          select item_id as "fId", name as "fName", bytes as "fileSize", at as "modifyTime" from external_visit
          where link_id = ${link.id} and what = 'upload' and pass = ${pass.id} order by id desc
          limit ${input.rows} offset ${input.from}`.execute(db)
        const list = rows.map((row) => ({
          ...row,
          fType: 1 as const,
          extName: '',
          mayPreview: false,
          mayDownload: false,
          mayEdit: false,
          mayPrint: false,
          version: 0,
        }))
        return { path, list, total: list.length }
      }
      const { from, rows, keyword, sort, order } = input
      const page = await listChildren(
        db,
        responsible,
        folder,
        { from, rows, keyword, sort, order, foldersOnly: false },
        now,
      )
      const given = page.list.filter((item) => item.linkId === 0 && item.secretLevel <= link.secret_level)
      const list = given.map((item) => {
        const facts = factsOfRecord(item, who(responsible))
        return {
          fType: item.fType,
          fId: item.fId,
          fName: item.fName,
          extName: item.extName,
          fileSize: item.fileSize,
          modifyTime: item.modifyTime,
          mayPreview: (link.rights & linkRights.preview) !== 0 && denial(gates.preview, facts) === undefined,
          mayDownload: (link.rights & linkRights.download) !== 0 && denial(gates.takeDownload, facts) === undefined,
          mayPrint: (link.rights & linkRights.download) !== 0 && denial(gates.printItem, facts) === undefined,
          mayEdit: (link.rights & linkRights.edit) !== 0 && denial(gates.newVersion, facts) === undefined,
          version: item.version,
        }
      })
      return { path, list, total: page.total - (page.list.length - given.length) }
    },

    async visitPreview(context: WriteContext, { fileId }: Parsed<'visitPreview'>) {
      const { link } = visitorOf(context)
      const shown = await showing.find(context, fileId, undefined, (link.rights & linkRights.download) !== 0)
      const form = showing.formOf(context, shown)
      const { code, percent, pages } =
        form === undefined
          ? { code: 'conversionUnsupported' as const, percent: 0, pages: 0 }
          : form === 'original'
            ? { code: undefined, percent: 100, pages: 0 }
            : await showing.status(context.tx, shown)
      // The page polls while the conversion runs: a failed conversion is not restarted by that.
      if (code === 'converting') await showing.ask(context, shown)
      const { rows } = await sql`
        select 1 from external_visit where link_id = ${link.id} and pass = ${visitorOf(context).pass.id}
          and what = 'preview' and item_id = ${fileId}`.execute(context.tx)
      // Repeated polls count as one view.
      if (rows.length === 0)
        await recordVisit(context.tx, context, {
          ...{ what: 'preview', itemId: fileId, name: shown.name, version: shown.version },
        })
      const said = code ?? 'success'
      return {
        form: form === 'original' ? ('original' as const) : ('view' as const),
        state: codes[said].code,
        percent,
        msg: code === undefined ? '' : codeMessage(code, localeOf(context.request)),
        pages,
        version: shown.version,
        watermark: (await showing.watermark(context, shown, markAsked(context)))?.watermark ?? null,
      }
    },

    async visitPictures(context: WriteContext, { fileIdArray }: Parsed<'visitPictures'>) {
      const refused = new Map(fileIdArray.map((fId) => [fId, context.refusalOf({ fType: 1, fId })]))
      const pictures = await showing.pictures(
        context,
        fileIdArray.filter((fId) => refused.get(fId) === undefined),
      )
      const codeOf = (fileId: number): keyof typeof codes => {
        const found = pictures.get(fileId)
        return refused.get(fileId) ?? (found === undefined ? 'conversionUnsupported' : (found.code ?? 'success'))
      }
      return { list: fileIdArray.map((fileId) => ({ fileId, result: codes[codeOf(fileId)].code })) }
    },

    async visitContent(context: Context, { fileId, form, from }: Parsed<'visitContent'>) {
      const { link } = visitorOf(context)
      const shown = await showing.find(context, fileId, undefined, (link.rights & linkRights.download) !== 0)
      if (form !== 'original') return showing.sendMade(context, shown, { form, from, asked: markAsked(context) })
      // The original bytes are only for users who may have them.
      return showing.formOf(context, shown) === 'original' ? showing.sendStored(context, shown) : fail('noPermission')
    },
  }
}
