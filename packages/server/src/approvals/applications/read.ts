// Reading applications: lists, one application with its items and uses, the content of a folder that was applied for.
import type { ApplicationItem, OperationApplication, OperationApplicationDetail } from '@cloudoc/contract'
import { ApplyState, ApplyType, denial, extNameOf, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Services } from '../../core/services.ts'
import { accessToMany, recordOf, visitDescendants } from '../../drive/tree/index.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { factsInReview } from '../../viewing/preview/index.ts'
import { linkName, type RequestedLink } from '../links/index.ts'
import { type Listed, listReviews, readReview, reviewSummary } from '../review/index.ts'
import { downloadApplyName, type GrantedTerms, type RequestedDownload } from './kind.ts'
import { deliveriesOf, linksOf, visitsOf } from './uses.ts'

/** Maximum number of items in a folder whose link is decided about. */
const mostInLinkedFolder = 5000
const dayMs = 24 * 60 * 60_000

/** The kinds of reviews that are applications, by their number on the wire. */
export const kindNames = { [ApplyType.download]: downloadApplyName, [ApplyType.external]: linkName } as const
export type OperateType = (typeof ApplyType)[keyof typeof ApplyType]

const nodeStates = {
  pending: ApplyState.pending,
  approved: ApplyState.approved,
  rejected: ApplyState.rejected,
  ...{ withdrawn: ApplyState.over, revoked: ApplyState.over, over: ApplyState.over },
} as const

const isGranted = ({ state }: Listed): boolean => state === 'approved' || state === 'revoked' || state === 'over'

/** An application as it is listed. */
export function toApplication(one: Listed, operateType: OperateType): OperationApplication {
  const common = {
    ...reviewSummary(one),
    applicationId: one.id,
    operateType,
    applicationTitle: one.title,
    nodeState: nodeStates[one.state],
    ...(one.state === 'over' && { reason: 'expired' as const }),
    ...((one.state === 'revoked' || one.state === 'withdrawn') && { reason: 'revoked' as const }),
    handlerUserName: one.decidedBy?.accountName ?? '',
  }
  if (operateType === ApplyType.external) {
    const { fType, startTime, endTime, downloadLimit, externalId, onlyVersion = false } = one.subject as RequestedLink
    const validDays = Math.max(1, Math.ceil((endTime - Math.max(startTime, one.createdAt)) / dayMs))
    return {
      ...common,
      ...{ applicationTitleType: fType, itemCount: 1, hasVersionLimit: onlyVersion, validDays, count: downloadLimit },
      ...{ endTime, approvedCount: isGranted(one) ? 1 : 0, externalId },
    }
  }
  const asked = one.subject as RequestedDownload
  const granted = isGranted(one) ? (one.decision as GrantedTerms | null) : null
  return {
    ...common,
    ...{ applicationTitleType: asked.fType, itemCount: asked.itemCount, hasVersionLimit: asked.onlyVersion },
    validDays: granted?.validDays ?? asked.validDays,
    count: granted?.count ?? asked.count,
    endTime: one.endsAt,
    approvedCount: granted === null ? 0 : asked.itemCount - granted.rejected.length,
    externalId: 0,
  }
}

interface ItemRow {
  readonly itemId: number
  readonly rootId: number
  readonly fType: 1 | 2
  readonly name: string
  readonly path: string
  readonly size: number
  readonly version: number
  readonly level: number
  readonly result: 'approved' | 'rejected' | null
  readonly used: number
  readonly fileCount: number
  readonly total: number
}

/** `isDeciding`: the application waits for the actor, who may look at what they decide about. */
function toItem(
  row: ItemRow,
  actor: Account,
  found: ReadonlyMap<number, Access>,
  isDeciding: boolean,
): ApplicationItem {
  const access = found.get(row.itemId)
  const seen = access !== undefined && denial(gates.see, access.facts) === undefined ? access : undefined
  const shown = access !== undefined && isDeciding ? factsInReview(access.facts) : access?.facts
  return {
    itemId: row.itemId,
    fId: seen?.row.deleted_at === null ? row.itemId : 0,
    fType: row.fType,
    fName: row.name,
    extName: row.fType === 1 ? extNameOf(row.name) : '',
    fileSize: row.fType === 1 ? row.size : row.total,
    version: row.version,
    secretLevel: row.level,
    secretName: row.level === 0 ? '' : (actor.settings.secret_names[row.level - 1] ?? `${row.level}`),
    fileCount: row.fileCount,
    result: row.result ?? 'pending',
    used: row.used,
    mayPreview: row.fType === 1 && shown !== undefined && denial(gates.preview, shown) === undefined,
  }
}

const itemColumns = sql.raw(`a.item_id as "itemId", a.root_id as "rootId", a.f_type as "fType", a.name, a.path, a.size,
  a.version, a.secret_level as level, a.result,
  coalesce((select g.used from download_grant g where g.review_id = a.review_id and g.item_id = a.item_id), 0) as used`)

/** The items that an application names, not those in its folders. */
async function itemsOf(context: Context, reviewId: number, isDeciding: boolean): Promise<ApplicationItem[]> {
  const { db, now } = context
  const actor = actorOf(context)
  const { rows } = await sql<ItemRow>`
    select ${itemColumns}, coalesce(c.n, 0)::int as "fileCount", coalesce(c.bytes, 0) as total
    from application_item a left join lateral (
      select count(*) as n, sum(b.size)::bigint as bytes from application_item b
      where b.review_id = a.review_id and b.root_id = a.item_id and b.f_type = 1 and a.f_type = 2) c on true
    where a.review_id = ${reviewId} and a.item_id = a.root_id order by a.f_type desc, a.name, a.item_id`.execute(db)
  const found = await accessToMany(
    db,
    actor,
    rows.map(({ itemId }) => itemId),
    now,
  )
  return rows.map((row) => toItem(row, actor, found, isDeciding))
}

interface FolderQuery {
  readonly applicationId: number
  readonly folderId: number
  readonly from: number
  readonly rows: number
}

/** The content of a folder when it was applied for; of a link to a folder, what it would hand out now. */
export async function readFolder(
  context: Context,
  asked: FolderQuery,
  isDeciding: boolean,
  services: Pick<Services, 'settings'>,
) {
  const { db, now } = context
  const { applicationId, folderId, from, rows: most } = asked
  const { kind, itemId, launcher } = await readReview(db, applicationId)
  if (kind === linkName) {
    // Nobody else has a reason to look into the folder as it is now.
    const maySee = isDeciding || launcher.accountId === actorOf(context).accountId
    return maySee && itemId === folderId
      ? readLinkedFolder(context, asked, launcher.accountId, isDeciding, services)
      : fail('notFound')
  }
  const actor = actorOf(context)
  const counted = await sql<{ total: number; bytes: number }>`
    select count(*)::int as total, coalesce(sum(size), 0)::bigint as bytes from application_item
    where review_id = ${applicationId} and root_id = ${folderId} and item_id <> root_id and f_type = 1`.execute(db)
  const root = await sql`
    select 1 from application_item where review_id = ${applicationId} and item_id = ${folderId} and root_id = ${folderId}
      and f_type = 2`.execute(db)
  if (root.rows.length === 0) return fail('notFound')
  const { rows } = await sql<ItemRow>`
    select ${itemColumns}, 0 as "fileCount", 0 as total from application_item a
    where a.review_id = ${applicationId} and a.root_id = ${folderId} and a.item_id <> a.root_id and a.f_type = 1
    order by a.path, a.name, a.item_id limit ${most} offset ${from}`.execute(db)
  const found = await accessToMany(
    db,
    actor,
    rows.map(({ itemId }) => itemId),
    now,
  )
  return {
    list: rows.map((row) => ({ ...toItem(row, actor, found, isDeciding), path: row.path })),
    total: counted.rows[0]?.total ?? 0,
    fileSize: counted.rows[0]?.bytes ?? 0,
  }
}

/** The files in the folder of a link as its maker sees them, in the order of their paths; none too secret for the reader. */
async function readLinkedFolder(
  context: Context,
  { folderId, from, rows: most }: FolderQuery,
  launcherId: number,
  isDeciding: boolean,
  { settings }: Pick<Services, 'settings'>,
) {
  const { db, now } = context
  const actor = actorOf(context)
  const launcher = (await loadAccounts(db, settings, [launcherId], now)).get(launcherId) ?? fail('notFound')
  const root = (await accessToMany(db, launcher, [folderId], now)).get(folderId)
  if (root === undefined || denial(gates.see, root.facts) !== undefined) return fail('notFound')
  const paths = new Map([[folderId, '']])
  const files: (ItemRow & { readonly path: string })[] = []
  const isWhole = await visitDescendants(db, launcher, root, now, { most: mostInLinkedFolder }, (row, facts) => {
    const path = paths.get(row.parent_id ?? 0)
    if (path === undefined || row.link_to !== null) return
    if (row.f_type === 2) paths.set(row.id, `${path}${row.name}/`)
    else if (facts.secretLevel <= actor.secretLevel && denial(gates.preview, facts) === undefined)
      files.push({
        ...{ itemId: row.id, rootId: folderId, fType: 1, name: row.name, path, size: row.size, version: row.version },
        ...{ level: facts.secretLevel, result: null, used: 0, fileCount: 0, total: 0 },
      })
  })
  if (!isWhole)
    return fail('tooMany', {
      zh: `文件夹超过 ${mostInLinkedFolder} 项，无法在这里列出`,
      en: `the folder contains more than ${mostInLinkedFolder} items, which cannot be listed here`,
    })
  files.sort((a, b) => compareText(a.path, b.path) || compareText(a.name, b.name) || a.itemId - b.itemId)
  const page = files.slice(from, from + most)
  const found = await accessToMany(
    db,
    actor,
    page.map(({ itemId }) => itemId),
    now,
  )
  return {
    list: page.map((row) => ({ ...toItem(row, actor, found, isDeciding), path: row.path })),
    total: files.length,
    fileSize: files.reduce((sum, { size }) => sum + size, 0),
  }
}

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The application with this id as the caller may see it. */
async function findListed(context: Context, id: number): Promise<{ one: Listed; operateType: OperateType }> {
  for (const operateType of [ApplyType.download, ApplyType.external] as const) {
    const { list } = await listReviews(context.db, {
      ...{ kind: kindNames[operateType], accountId: actorOf(context).accountId, side: 'asked', state: 'all' },
      ...{ from: 0, rows: 1, now: context.now, id },
    })
    if (list[0] !== undefined) return { one: list[0], operateType }
  }
  return fail('notFound')
}

/** One application with everything about it. `facts` are those of the request as the caller sees it. */
export async function readApplication(
  context: Context,
  id: number,
  may: OperationApplicationDetail['may'],
  services: Pick<Services, 'settings'>,
): Promise<OperationApplicationDetail> {
  const { db, now } = context
  const actor = actorOf(context)
  const { one, operateType } = await findListed(context, id)
  const listed = toApplication(one, operateType)
  const isLink = operateType === ApplyType.external
  const items = isLink ? await linkItem(context, one, may.decide) : await itemsOf(context, id, may.decide)
  const first = one.itemId === null ? undefined : (await accessToMany(db, actor, [one.itemId], now)).get(one.itemId)
  const isSeen = first !== undefined && denial(gates.see, first.facts) === undefined
  const asked = isLink ? undefined : (one.subject as RequestedDownload)
  return {
    ...listed,
    items,
    pathString: isSeen ? recordOf(first, actor).pathString : '',
    applied: { validDays: asked?.validDays ?? listed.validDays, count: asked?.count ?? listed.count },
    link: isLink ? linkTerms(one.subject as RequestedLink) : null,
    may,
    recent: one.launcherId === actor.accountId ? null : await recentOf(context, one.launcherId),
    links: await linksOf(context, services, { ...one, kind: kindNames[operateType] }),
    uses: isLink ? await visitsOf(db, one) : await deliveriesOf(db, one),
  }
}

function linkTerms(subject: RequestedLink): OperationApplicationDetail['link'] {
  const { rights, startTime, endTime, hasPassword, visitLimit, downloadLimit, people, mails = [], note } = subject
  return {
    ...{ rights, startTime, endTime, hasPassword, visitLimit, downloadLimit, note },
    people: [...people],
    mails: [...mails],
  }
}

/** The item of a link, as it is now. */
async function linkItem(context: Context, one: Listed, isDeciding: boolean): Promise<ApplicationItem[]> {
  const { db, now } = context
  const actor = actorOf(context)
  const { fType } = one.subject as RequestedLink
  const { rows } = await sql<ItemRow>`
    select i.id as "itemId", i.id as "rootId", i.f_type as "fType", i.name, '' as path, i.size, i.version,
      i.secret_level as level, null as result, 0 as used, 0 as "fileCount", i.size as total
    from item i where i.id = ${one.itemId} and i.f_type = ${fType}`.execute(db)
  const found = await accessToMany(
    db,
    actor,
    rows.map(({ itemId }) => itemId),
    now,
  )
  const result =
    one.state === 'pending' ? null : one.state === 'rejected' ? ('rejected' as const) : ('approved' as const)
  return rows.map((row) => toItem({ ...row, name: one.title, result }, actor, found, isDeciding))
}

/** What an applicant did in the last 30 days. */
async function recentOf({ db, now }: Context, accountId: number) {
  const since = now - 30 * dayMs
  const { rows } = await sql<{ applications: number; approved: number; downloads: number }>`
    select count(*)::int as applications,
      (count(*) filter (where r.state in ('approved', 'revoked')))::int as approved, (
        select count(*)::int from download_grant g join download_delivery d on d.grant_id = g.id
        where g.account_id = ${accountId} and d.at >= ${since}) as downloads
    from review r where r.launcher_id = ${accountId} and r.created_at >= ${since}
      and r.kind in (${downloadApplyName}, ${linkName})`.execute(db)
  return rows[0] ?? { applications: 0, approved: 0, downloads: 0 }
}
