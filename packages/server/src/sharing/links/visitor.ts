/*
 * The visitor of a link ([R228]): an outsider, identified by the link's address and their pass. The state of the link
 * is read with each request (link-state.ts), so a visitor loses access as soon as the link ends.
 */
import type { GateUse } from '@cloudoc/contract'
import { type CodeName, fail, isVirtualFolder, linkRights, linkTokenShape } from '@cloudoc/domain'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Access, ObjectAccess } from '../../core/access.ts'
import type { OutsiderActor, Outsiders } from '../../core/actor.ts'
import type { Context } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import type { Services } from '../../core/services.ts'
import type { Asked } from '../../drive/watermarks/index.ts'
import { cookieOf, loadAccounts } from '../../people/auth/index.ts'
import { type LinkRow, type ResolvedLink, readLinks, refusalOf, resolveLinks } from './link-state.ts'

export const passCookie = 'cloudoc_visit'
const passHeader = 'x-link-pass'

/** The content of a pass. */
export interface Pass {
  readonly linkId: number
  readonly version: number
  readonly name: string
  readonly accountId: number | null
  /** The address the visitor entered with, if the link has mail recipients; absent in passes of older builds. */
  readonly mail?: string | null
  /** Distinguishes visitors. */
  readonly id: string
}

/** Passes of visitors. */
export const linkPassTokens = oneTimeToken<Pass>('linkPass')

/** A visitor with the link they use. */
export interface Visitor extends OutsiderActor {
  readonly link: LinkRow
  readonly pass: Pass
  readonly resolved: ResolvedLink
}

/** The visitor is determined before the input is validated, so the token may be any string. */
export const findLink = async (db: Db, token: string): Promise<LinkRow | undefined> =>
  linkTokenShape.test(token) ? (await readLinks(db, sql`l.token = ${token}`, 1))[0] : undefined
const passOf = (request: FastifyRequest): string | undefined => {
  const sent = request.headers[passHeader]
  return typeof sent === 'string' ? sent : cookieOf(request, passCookie)
}

export const visitorOf = ({ actor }: Pick<Context, 'actor'>): Visitor =>
  actor?.kind === 'visitor' && 'link' in actor ? (actor as Visitor) : fail('notLoggedIn')

/** The link's watermark settings ([R222]). */
export const markAsked = (context: Context): Asked => {
  const { link, pass } = visitorOf(context)
  return { link: { name: `#${link.id}`, marked: link.marked, templateId: link.template_id, visitor: pass.name } }
}

/** The pass of a request, for any link. */
export async function readPass(db: Db, request: FastifyRequest, now: number): Promise<Pass | undefined> {
  const shown = passOf(request)
  return shown === undefined ? undefined : linkPassTokens.peek(db, shown, now)
}

/** Restricts the creator's rights to those of the link. */
function limitOf(link: LinkRow) {
  return (use: GateUse, found: Access | ObjectAccess | undefined): CodeName | undefined => {
    if (!('item' in use)) return 'noPermission'
    if (found === undefined || isVirtualFolder(use.item.fId)) return 'notFound'
    const { path, facts } = found as Access
    if (use.item.fId !== link.item_id && !path.some(({ id }) => id === link.item_id)) return 'notFound'
    // Items more secret than the link's level are answered as not found.
    if (facts.secretLevel > link.secret_level) return 'notFound'
    const gives = (right: number): boolean => (link.rights & right) !== 0
    switch (use.action) {
      case 'see':
        return gives(linkRights.preview) || use.item.fId === link.item_id ? undefined : 'notFound'
      case 'preview':
        return gives(linkRights.preview) ? undefined : 'noPermission'
      case 'takeDownload':
      case 'printItem':
        return gives(linkRights.download) ? undefined : 'linkCopyProtected'
      case 'upload':
        return gives(linkRights.upload) ? undefined : 'noPermission'
      case 'newVersion':
        return gives(linkRights.edit) ? undefined : 'noPermission'
      default:
        return 'noPermission'
    }
  }
}

export async function resolveLink(
  db: Db,
  settings: Services['settings'],
  link: LinkRow,
  now: number,
): Promise<ResolvedLink> {
  const [met] = await resolveLinks(db, settings, [link], now)
  return met ?? fail('notFound')
}

/** Whether a visitor who entered by mail is still a recipient. */
export const isForStill = ({ mails }: LinkRow, { mail }: Pass): boolean =>
  mail === undefined || mail === null || mails.includes(mail)

async function visitorBy(
  db: Db,
  settings: Services['settings'],
  link: LinkRow | undefined,
  pass: Pass | undefined,
  now: number,
): Promise<Visitor> {
  if (link === undefined) return fail('notFound')
  const met = await resolveLink(db, settings, link, now)
  const code = refusalOf(met.reason, true)
  if (code !== undefined) return fail(code)
  // Restricted to what its creator may grant now.
  const given = met.link
  if (pass === undefined || pass.linkId !== link.id || pass.version !== link.pass_version || met.creator === undefined)
    return fail('notLoggedIn')
  if (!isForStill(given, pass)) return fail('notLoggedIn')
  // A named recipient has access as long as their account is usable.
  if (pass.accountId !== null && !(await loadAccounts(db, settings, [pass.accountId], now)).has(pass.accountId))
    return fail('notLoggedIn')
  return {
    kind: 'visitor',
    reference: link.id,
    name: pass.name,
    responsible: met.creator,
    limit: limitOf(given),
    link: given,
    pass,
    resolved: met,
  }
}

/** The visitors of links: identified by the link's address and their pass. */
export function visitors({ settings }: Pick<Services, 'settings'>): Outsiders {
  return {
    kind: 'visitor',
    async authenticate(db, request, now) {
      const { linkToken } = request.params as { linkToken?: unknown }
      if (typeof linkToken !== 'string' || passOf(request) === undefined) return undefined
      return visitorBy(db, settings, await findLink(db, linkToken), await readPass(db, request, now), now)
    },
    async anew(db, actor, now) {
      const { link, pass } = actor as Visitor
      return visitorBy(db, settings, await findLink(db, link.token), pass, now)
    },
  }
}
