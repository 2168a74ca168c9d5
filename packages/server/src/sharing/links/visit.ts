/*
 * Visits by a link ([R228]). A visitor is an outsider (ADR 0074): the link's creator is responsible for them. Visitors
 * get the intersection of the creator's rights and the link's rights, on the items below the link's item. The state of
 * the link is read with each request (link-state.ts), so a visitor loses access as soon as the link ends.
 */
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { factsOfRecord, type features, type Parsed as InputOf, itemsOfZip, type VisitKind } from '@cloudoc/contract'
import { codeMessage, codes, denial, type Facts, fail, gates, linkRights, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Context, StagedContext, WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import type { Db } from '../../core/db/database.ts'
import { personal, writeEvents } from '../../core/events.ts'
import { sameSecret, unseal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { checkBase, type StoredVersions, storeNewFile, storeVersion } from '../../drive/content/index.ts'
import { grantMeter, type Meter, needsGrant } from '../../drive/downloads/index.ts'
import type { NotifyDownloads } from '../../drive/follow/index.ts'
import { type LogDownloads, sendContent, sendZip } from '../../drive/transfer/index.ts'
import { listChildren } from '../../drive/tree/index.ts'
import { type Asked, type CachedChoice, canBeMarked, markedContent, placeOf } from '../../drive/watermarks/index.ts'
import { tryLinkPassword } from '../../people/auth/index.ts'
import type { Previews } from '../../viewing/preview/index.ts'
import { mailOfCode, sendCode } from './code.ts'
import { type LinkRow, type ResolvedLink, refusalOf } from './link-state.ts'
import { passwordPurpose } from './link-views.ts'
import { asksName, describeLink, isCollecting } from './visited-link.ts'
import { findLink, linkPassTokens, type Pass, passCookie, readPass, resolveLink, visitorOf } from './visitor.ts'

/** How long a pass is valid. */
const passLifeMs = 12 * 60 * 60_000
const longestAgent = 200
/** This many addresses within this time are unusual ([R228]); reported once in that time. */
const spread = { addresses: 10, withinMs: 60 * 60_000 }

type Calls = typeof features.externalLinks.calls
type Parsed<N extends keyof Calls> = InputOf<Calls[N]>

const pathOf = (token: string): string => `/services2/visit/${token}`
interface Parts extends Pick<Services, 'settings' | 'secrets' | 'blobs' | 'db'> {
  readonly contents: Contents
  readonly storedVersion: StoredVersions
  readonly showing: Previews
  readonly notifyDownloads: NotifyDownloads
  readonly logDownloads: LogDownloads
  readonly cachedChoice: CachedChoice
}

type VisitEvent = 'open' | 'upload' | 'edit' | 'guessed' | 'guessedWidely' | 'spread'

interface Happened {
  readonly what: VisitKind
  readonly itemId?: number
  readonly name?: string
  readonly bytes?: number
  readonly visitor?: string
  readonly accountId?: number | null
  readonly pass?: string
}

async function writeVisit(db: Db, context: Context, linkId: number, happened: Happened): Promise<void> {
  const { request, address, now } = context
  await db
    .insertInto('external_visit')
    .values({
      link_id: linkId,
      at: now,
      what: happened.what,
      item_id: happened.itemId ?? null,
      name: happened.name ?? '',
      visitor: happened.visitor ?? '',
      account_id: happened.accountId ?? null,
      pass: happened.pass ?? null,
      address,
      agent: (request.headers['user-agent'] ?? '').slice(0, longestAgent),
      bytes: happened.bytes ?? 0,
    })
    .execute()
}

/** The link's watermark settings ([R222]). */
const markAsked = (context: Context): Asked => {
  const { link, pass } = visitorOf(context)
  return { link: { name: `#${link.id}`, marked: link.marked, templateId: link.template_id, visitor: pass.name } }
}

const recordVisit = (db: Db, context: Context, happened: Happened): Promise<void> => {
  const { link, pass } = visitorOf(context)
  return writeVisit(db, context, link.id, {
    visitor: pass.name,
    accountId: pass.accountId,
    pass: pass.id,
    ...happened,
  })
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

const visitNotice = (context: Context, link: LinkRow, what: VisitEvent, visitor: string) =>
  personal('linkVisited', [link.account_id], {
    serverId: 0,
    externalId: link.id,
    what,
    fType: link.f_type,
    fId: link.item_id,
    fName: link.item_name,
    note: link.note,
    visitor,
    address: context.address,
    time: context.now,
  })

/** Whether a link is opened from many addresses and this was not reported recently; records the report. */
async function hasSpread(tx: Db, link: LinkRow, now: number): Promise<boolean> {
  const since = now - spread.withinMs
  if (link.spread_told_at !== null && link.spread_told_at > since) return false
  const { rows } = await sql`
    update external_link set spread_told_at = ${now}
    where id = ${link.id} and (spread_told_at is null or spread_told_at <= ${since}) and ${spread.addresses} <= (
      select count(distinct address) from external_visit
      where link_id = ${link.id} and what = 'open' and at > ${since})
    returning 1`.execute(tx)
  return rows.length > 0
}

/** Counts one download of a link if one is left. */
async function countDownload(db: Db, linkId: number): Promise<boolean> {
  const { rows } = await sql`
    update external_link set downloads = downloads + 1
    where id = ${linkId} and cancelled_at is null and (download_limit = 0 or downloads < download_limit)
    returning 1`.execute(db)
  return rows.length > 0
}

/** The handlers of visitor calls. */
export function visitHandlers({
  settings,
  secrets,
  blobs,
  contents,
  storedVersion,
  showing,
  notifyDownloads,
  logDownloads,
  cachedChoice,
  db: own,
}: Parts) {
  const tell = (context: Context, link: LinkRow, what: VisitEvent, visitor: string) =>
    own.transaction().execute((tx) => writeEvents(tx, [visitNotice(context, link, what, visitor)], context.now))

  /** The signed-in user, if the link has named recipients. */
  const personOf = (context: Context, link: LinkRow): { accountId: number; name: string } | undefined => {
    if (!link.is_named) return undefined
    const { actor } = context
    if (actor?.kind !== 'account') return fail('notLoggedIn')
    if (!link.people.map(Number).includes(actor.accountId) && actor.accountId !== link.account_id)
      return fail('noPermission')
    return { accountId: actor.accountId, name: actor.name }
  }

  const checkPassword = async (context: Context, link: LinkRow, password: string): Promise<void> => {
    if (link.password === null) return
    const isRight = sameSecret(password, unseal(secrets, passwordPurpose, link.password))
    const tried = await tryLinkPassword(own, link.id, context.address, context.now, isRight)
    if (tried === 'right') return
    await writeVisit(own, context, link.id, { what: 'wrongPassword' })
    if (tried !== 'wrong') await tell(context, link, tried === 'spread' ? 'guessedWidely' : 'guessed', '')
    fail('wrongLinkPassword')
  }

  /** A link that can be entered now, restricted to what its creator may grant. */
  const opened = async (context: StagedContext, linkToken: string): Promise<ResolvedLink> => {
    const found = (await findLink(context.db, linkToken)) ?? fail('notFound')
    const met = await resolveLink(context.db, settings, found, context.now)
    const code = refusalOf(met.reason, false)
    return code === undefined ? met : fail(code)
  }

  const checkCode = async (
    context: StagedContext,
    link: LinkRow,
    shown: { readonly codeTicket: string; readonly code: string },
  ): Promise<string> => {
    const mail = await mailOfCode(own, link, shown, context.now)
    if (mail !== undefined) return mail
    await writeVisit(own, context, link.id, { what: 'wrongCode' })
    return fail('wrongVerificationCode')
  }

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
    if (isWhole)
      await recordVisit(own, context, {
        what: 'download',
        name: happened.name,
        bytes: happened.bytes,
        ...(happened.taken.length === 1 ? { itemId: happened.taken[0]?.row.id ?? 0 } : {}),
      })
  }

  /** Counts a download by the grant of the creator's application; undefined if they need none. */
  const meterOf = (context: Context, row: ItemRow, facts: Facts): Meter | undefined => {
    if (context.request.method === 'HEAD' || !needsGrant(facts)) return undefined
    const { responsible, pass } = visitorOf(context)
    return grantMeter(own, {
      ...{ accountId: responsible.accountId, itemId: row.id, version: row.version },
      ...{ now: context.now, address: context.address, visitor: pass.name },
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

  const who = (actor: Account) => ({
    userId: actor.accountId,
    secretLevel: actor.secretLevel,
    isGuest: actor.isGuest,
    capabilities: actor.capabilities,
    settings: actor.settings.setting,
  })

  return {
    async getVisitedLink(context: Context, { linkToken }: Parsed<'getVisitedLink'>) {
      const { db, now, request } = context
      const met = await resolveLink(db, settings, (await findLink(db, linkToken)) ?? fail('notFound'), now)
      return describeLink(settings, met, await readPass(db, request, now))
    },

    async sendVisitCode(context: StagedContext, input: Parsed<'sendVisitCode'>) {
      const { link } = await opened(context, input.linkToken)
      // Without mail recipients there is no code to request.
      return link.mails.length === 0 ? fail('noPermission') : sendCode(context, { settings, secrets }, link, input)
    },

    async openVisit(context: StagedContext, { linkToken, password, name, ...shown }: Parsed<'openVisit'>) {
      const met = await opened(context, linkToken)
      const { link } = met
      const isByMail = link.mails.length > 0 && shown.codeTicket !== ''
      const person = isByMail ? undefined : personOf(context, link)
      await checkPassword(context, link, password)
      const mail = isByMail ? await checkCode(context, link, shown) : null
      const called = name.trim()
      if (asksName(link) && person === undefined && called === '') return fail('badRequest', 'name')
      const visitor = person?.name ?? (mail === null ? called : called === '' ? mail : `${called} <${mail}>`)
      const expiresAt = context.now + passLifeMs
      const pass: Pass = {
        linkId: link.id,
        version: link.pass_version,
        name: visitor,
        accountId: person?.accountId ?? null,
        mail,
        id: randomBytes(12).toString('base64url'),
      }
      const token = await context.commit(async (write) => {
        const { rows } = await sql`
          update external_link set visits = visits + 1
          where id = ${link.id} and cancelled_at is null and pass_version = ${link.pass_version}
            and (visit_limit = 0 or visits < visit_limit)
          returning 1`.execute(write.tx)
        if (rows.length === 0) return fail('linkExpired')
        await writeVisit(write.tx, context, link.id, {
          what: 'open',
          visitor,
          accountId: pass.accountId,
          pass: pass.id,
        })
        if (link.notify) write.event(visitNotice(context, link, 'open', visitor))
        if (await hasSpread(write.tx, link, context.now)) write.event(visitNotice(context, link, 'spread', ''))
        write.audit({ externalLink: link.id })
        return linkPassTokens.issue(write.tx, pass, expiresAt)
      })
      const secure = context.request.protocol === 'https' ? '; Secure' : ''
      context.reply.header(
        'set-cookie',
        `${passCookie}=${token}; Path=${pathOf(link.token)}; SameSite=Strict; HttpOnly; Max-Age=${passLifeMs / 1000}${secure}`,
      )
      return { pass: token, expiresAt, link: await describeLink(settings, met, pass) }
    },

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
        await recordVisit(context.tx, context, { what: 'preview', itemId: fileId, name: shown.name })
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
      const { name } = context.item({ fType: 1, fId: fileId }).row
      if (!(await countDownload(tx, visitorOf(context).link.id))) return fail('linkDownloadLimit')
      await recordVisit(tx, context, { what: 'print', itemId: fileId, name })
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

    async visitUpload(context: StagedContext, { folderId, fileName }: Parsed<'visitUpload'>) {
      const { link, pass } = visitorOf(context)
      const body = context.upload ?? fail('badRequest', 'file')
      const stored = await storeNewFile(context, blobs, {
        folderId,
        name: fileName,
        conflict: 'keepBoth',
        content: body.content,
        secretLevel: 0,
        secretUntil: null,
      })
      const { fileId, fName, fileSize, sha256 } = stored
      await recordVisit(own, context, { what: 'upload', itemId: fileId, name: fName, bytes: fileSize })
      // For a collecting link the creator is always notified; otherwise only on request.
      if (link.notify || isCollecting(link)) await tell(context, link, 'upload', pass.name)
      return { fileId, fName, fileSize, sha256 }
    },

    async visitVersion(context: StagedContext, { fileId, version: base }: Parsed<'visitVersion'>) {
      const { link, pass } = visitorOf(context)
      const body = context.upload ?? fail('badRequest', 'file')
      // A visitor cannot overwrite users who edit the file (the link's creator included) or a newer version.
      const check = ({ row }: Access): void => {
        if (row.editor_id !== null) fail('fileLocked', row.editor ?? '')
        checkBase({ row }, base)
      }
      const stored = await storeVersion(context, blobs, { fileId, content: body.content, check })
      const { version, fName, fileSize, sha256 } = stored
      await recordVisit(own, context, { what: 'edit', itemId: fileId, name: fName, bytes: fileSize })
      await tell(context, link, 'edit', pass.name)
      return { version, fileSize, sha256 }
    },
  }
}
