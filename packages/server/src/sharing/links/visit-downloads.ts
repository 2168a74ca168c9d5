/*
 * What the visitor of a link takes away: files, zips and prints ([R228]). Each counts for the link, and for the application
 * of its creator if they may download by its approval only ([R251]).
 */
import type { ServerResponse } from 'node:http'
import { type features, type Parsed as InputOf, itemsOfZip } from '@cloudoc/contract'
import { type Facts, fail, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Context, WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import type { StoredVersions } from '../../drive/content/index.ts'
import { grantMeter, type Meter, needsGrant } from '../../drive/downloads/index.ts'
import type { NotifyDownloads } from '../../drive/follow/index.ts'
import { type LogDownloads, sendContent, sendZip } from '../../drive/transfer/index.ts'
import { type CachedChoice, canBeMarked, markedContent, placeOf } from '../../drive/watermarks/index.ts'
import { recordVisit } from './visit-records.ts'
import { markAsked, visitorOf } from './visitor.ts'

type Calls = typeof features.externalLinks.calls
type Parsed<N extends keyof Calls> = InputOf<Calls[N]>

/** What the downloads of visitors need. */
export interface DownloadParts {
  readonly db: Db
  readonly contents: Contents
  readonly storedVersion: StoredVersions
  readonly notifyDownloads: NotifyDownloads
  readonly logDownloads: LogDownloads
  readonly cachedChoice: CachedChoice
}

/** Whether an answer has been sent completely; its end may still be in transit. */
function isSentWhole(raw: ServerResponse): Promise<boolean> {
  if (raw.writableFinished) return Promise.resolve(true)
  if (raw.destroyed || raw.closed) return Promise.resolve(false)
  return new Promise((resolve) => {
    raw.once('finish', () => resolve(true))
    raw.once('close', () => resolve(raw.writableFinished))
  })
}

/** Counts one download of a link if one is left. */
async function countDownload(db: Db, linkId: number): Promise<boolean> {
  const { rows } = await sql`
    update external_link set downloads = downloads + 1
    where id = ${linkId} and cancelled_at is null and (download_limit = 0 or downloads < download_limit)
    returning 1`.execute(db)
  return rows.length > 0
}

/** The handlers of what visitors take away. */
export function downloadHandlers({
  db: own,
  contents,
  storedVersion,
  notifyDownloads,
  logDownloads,
  cachedChoice,
}: DownloadParts) {
  /**
   * Counts a download at its start, so that concurrent downloads cannot exceed the limit, and returns it if the
   * download breaks off. If the process dies in between, the download stays counted.
   */
  const deliver = async (
    context: Context,
    happened: { readonly taken: readonly Access[]; readonly name: string; readonly bytes: number },
    /** Returns whether it was sent completely. */
    send: (limited: boolean) => Promise<boolean>,
  ): Promise<void> => {
    const { link } = visitorOf(context)
    const limited = link.download_limit > 0
    const { method, headers } = context.request
    if (method === 'HEAD') {
      if (limited && link.downloads >= link.download_limit) return fail('linkDownloadLimit')
      await send(limited)
      return
    }
    // Of the range requests of one file only the first counts, unless there is a limit.
    if (!limited && headers.range !== undefined && !headers.range.startsWith('bytes=0-')) {
      await send(false)
      return
    }
    if (!(await countDownload(own, link.id))) return fail('linkDownloadLimit')
    let isWhole = false
    try {
      await Promise.all([
        notifyDownloads(
          context,
          happened.taken.filter(({ row }) => row.f_type === 1),
        ),
        logDownloads(context, happened.taken),
      ])
      const isSent = await send(limited)
      isWhole = isSent && context.reply.raw.statusCode < 300
    } finally {
      if (!isWhole)
        await sql`update external_link set downloads = downloads - 1 where id = ${link.id} and downloads > 0`.execute(
          own,
        )
    }
    const only = happened.taken.length === 1 ? happened.taken[0] : undefined
    if (isWhole)
      await recordVisit(own, context, {
        what: 'download',
        name: happened.name,
        bytes: happened.bytes,
        ...(only === undefined
          ? {}
          : { itemId: only.row.id, ...(only.row.f_type === 1 && { version: only.row.version }) }),
      })
  }

  /** Counts a download by the grant of the creator's application; undefined if they need none. */
  const meterOf = (context: Context, row: ItemRow, facts: Facts): Meter | undefined => {
    if (context.request.method === 'HEAD' || !needsGrant(facts)) return undefined
    const { link, responsible, pass } = visitorOf(context)
    return grantMeter(own, {
      ...{ accountId: responsible.accountId, itemId: row.id, version: row.version },
      ...{ now: context.now, address: context.address, way: 'link', visitor: { linkId: link.id, name: pass.name } },
    })
  }
  /** Counts a file of a zip; false if none is left. */
  const mayDeliver = async (context: Context, row: ItemRow, facts: Facts, size: number): Promise<boolean> => {
    try {
      await meterOf(context, row, facts)?.begin(size, size)
      return true
    } catch (error) {
      if (!(error instanceof ResultError)) throw error
      return false
    }
  }

  return {
    async visitDownload(context: Context, { fileId }: Parsed<'visitDownload'>) {
      const access = context.item({ fType: 1, fId: fileId })
      const content = (await storedVersion(fileId, access.row.version)) ?? fail('versionMissing')
      const { name } = access.row
      const meter = meterOf(context, access.row, access.facts)
      await deliver(context, { taken: [access], name, bytes: content.size }, async (limited) => {
        const chosen = (await cachedChoice(context, markAsked(context)))(placeOf(access), 'download')
        if (chosen !== undefined && canBeMarked(access.row.ext)) {
          const marked = await markedContent(contents, 'copy', content, access.row.ext, chosen)
          const { modifiedAt } = content
          const sent = { ...marked.content, name, modifiedAt }
          await sendContent(context, marked.contents, sent, { whole: limited, meter })
        } else await sendContent(context, contents, { ...content, name }, { whole: limited, meter })
        return isSentWhole(context.reply.raw)
      })
    },

    async visitPrint(context: WriteContext, { fileId }: Parsed<'visitPrint'>) {
      const { tx } = context
      const { name, version } = context.item({ fType: 1, fId: fileId }).row
      if (!(await countDownload(tx, visitorOf(context).link.id))) return fail('linkDownloadLimit')
      await recordVisit(tx, context, { what: 'print', itemId: fileId, name, version })
      return {}
    },

    async visitZip(context: Context, { files }: Parsed<'visitZip'>) {
      const { link, responsible } = visitorOf(context)
      const met = itemsOfZip(files).map((ref) => ({ ref, access: context.item(ref) }))
      const items = await Promise.all(
        met.map(async ({ ref, access }) => {
          const content = ref.fType === 1 ? await storedVersion(ref.fId, access.row.version) : undefined
          return { access, content }
        }),
      )
      const taken = met.map(({ access }) => access)
      const [first] = taken
      const name = taken.length === 1 ? (first?.row.name ?? '') : `${first?.row.name ?? ''} +${taken.length - 1}`
      const bytes = items.reduce((sum, { content }) => sum + (content?.size ?? 0), 0)
      await deliver(context, { taken, name, bytes }, async () => {
        // Throws if it is not sent completely.
        await sendZip(context, responsible, contents, items, {
          choose: await cachedChoice(context, markAsked(context)),
          isThere: ({ secretLevel }) => secretLevel <= link.secret_level,
          mayTake: (row, facts, { size }) => mayDeliver(context, row, facts, size),
        })
        return true
      })
    },
  }
}
