/*
 * Counted downloads that an approved application grants ([R251]). One download of a file by one person is a delivery:
 * its requests together send the content once, with 5 % to spare for ranges that overlap. Bytes are reserved before the
 * first one is sent, in one transaction that locks the grants of the file and the person, so concurrent downloads
 * cannot exceed them. Bytes that were not sent are given back.
 */
import type { DownloadMethod } from '@cloudoc/contract'
import { type Facts, fail, hasRight } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { AccountActor } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { extensionPoint } from '../../core/extension-points.ts'

const deliveryMs = 24 * 60 * 60_000
/** A delivery may send this many times the size of the file. */
const spare = 1.05

/** A download by a grant. */
export interface GrantedDownload {
  readonly accountId: number
  readonly itemId: number
  readonly version: number
  readonly now: number
  readonly address: string
  readonly way: DownloadMethod
  /** The visitor of a link, if they download by the grant of the link's creator. */
  readonly visitor?: { readonly linkId: number; readonly name: string }
}

/** Why a grant does not permit a download: its downloads are used up, or it is for another version, or it has ended. */
export type GrantRefusal = 'used' | 'version' | 'ended'

interface GrantRow {
  readonly id: number
  readonly version: number
  readonly only_version: boolean
  readonly most: number
  readonly used: number
}

/** Whether a user may download an item by the grant of an application only, so that the download is counted. */
export function needsGrant({ rights, downloadByApplication, downloadGranted }: Facts): boolean {
  return downloadGranted && (downloadByApplication || !hasRight(rights, 'download'))
}

/** A grant as its user sees it. */
export interface GrantInForce {
  readonly applicationId: number
  readonly version: number
  readonly onlyVersion: boolean
  readonly count: number
  readonly used: number
  readonly endTime: number
}

/** Finds those of the applications that a user may read. */
export type FindReadable = (
  db: Db,
  actor: AccountActor,
  applicationIds: readonly number[],
) => Promise<ReadonlySet<number>>

/** The feature of the applications that grants come from. */
export const grantApplications = extensionPoint<FindReadable>('applications of grants')

/** The grants of a user for a file that are in force, the first to end first. */
export async function grantsInForce(db: Db, itemId: number, accountId: number, now: number): Promise<GrantInForce[]> {
  const { rows } = await sql<GrantInForce>`
    select review_id as "applicationId", version, only_version as "onlyVersion", most as count, used,
      ends_at as "endTime"
    from download_grant
    where item_id = ${itemId} and account_id = ${accountId} and ended_at is null and ends_at > ${now}
    order by ends_at, id`.execute(db)
  return rows
}

/** Reserves `length` bytes of a file of `size` bytes. Returns the delivery they belong to, or why there is none. */
export function reserveDelivery(
  db: Db,
  { accountId, itemId, version, now, address, way, visitor }: GrantedDownload,
  length: number,
  size: number,
): Promise<number | GrantRefusal> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<GrantRow>`
      select id, version, only_version, most, used from download_grant
      where item_id = ${itemId} and account_id = ${accountId} and ended_at is null and ends_at > ${now}
      order by ends_at, id for no key update`.execute(tx)
    if (rows.length === 0) return 'ended'
    const able = rows.filter((one) => (one.only_version ? one.version === version : one.version <= version))
    if (able.length === 0) return 'version'
    const open = await sql<{ id: number }>`
      update download_delivery set sent = sent + ${length} where id = (
        select id from download_delivery
        where grant_id = any(${able.map(({ id }) => id)}) and version = ${version} and at > ${now - deliveryMs}
          and size = ${size} and sent + ${length} <= floor(size * ${spare}::numeric)
          and visitor = ${visitor?.name ?? ''} and link_id is not distinct from ${visitor?.linkId ?? null}::bigint
        order by at desc, id desc limit 1)
      returning id`.execute(tx)
    const [known] = open.rows
    if (known !== undefined) return known.id
    const grant = able.find(({ most, used }) => most === 0 || used < most)
    if (grant === undefined) return 'used'
    await sql`update download_grant set used = used + 1 where id = ${grant.id}`.execute(tx)
    const { id } = await tx
      .insertInto('download_delivery')
      .values({
        ...{ grant_id: grant.id, version, at: now, size, sent: length, address, way },
        ...{ visitor: visitor?.name ?? '', link_id: visitor?.linkId ?? null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

/** Gives back reserved bytes that were not sent. A delivery of which nothing was sent counts nothing. */
export async function releaseDelivery(db: Db, deliveryId: number, unsent: number): Promise<void> {
  if (unsent <= 0) return
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ grant_id: number }>`
      select g.id as grant_id from download_grant g join download_delivery d on d.grant_id = g.id
      where d.id = ${deliveryId} for no key update of g`.execute(tx)
    const grantId = rows[0]?.grant_id
    if (grantId === undefined) return
    const left = await sql<{ sent: number }>`
      update download_delivery set sent = greatest(0, sent - ${unsent}) where id = ${deliveryId}
      returning sent`.execute(tx)
    if (left.rows[0]?.sent !== 0) return
    await sql`delete from download_delivery where id = ${deliveryId}`.execute(tx)
    await sql`update download_grant set used = greatest(0, used - 1) where id = ${grantId}`.execute(tx)
  })
}

/** What an approval grants of one item. */
export interface NewGrant {
  readonly itemId: number
  readonly version: number
  /** 0: no limit. */
  readonly most: number
}

/** Grants downloads of items to one user, in the transaction of the approval. */
export async function addGrants(
  tx: Tx,
  terms: {
    readonly reviewId: number
    readonly accountId: number
    readonly onlyVersion: boolean
    readonly endsAt: number
  },
  grants: readonly NewGrant[],
): Promise<void> {
  if (grants.length === 0) return
  await sql`
    insert into download_grant (review_id, item_id, account_id, version, only_version, most, ends_at)
    select ${terms.reviewId}, g."itemId", ${terms.accountId}, g.version, ${terms.onlyVersion}, g.most, ${terms.endsAt}
    from jsonb_to_recordset(${JSON.stringify(grants)}::jsonb) as g("itemId" bigint, version int, most int)`.execute(tx)
  await showGrants(
    tx,
    grants.map(({ itemId }) => itemId),
  )
}

/** Ends everything that an application grants. Returns the ids of the items. */
export async function endGrants(tx: Tx, reviewId: number, now: number): Promise<readonly number[]> {
  const { rows } = await sql<{ item_id: number }>`
    update download_grant set ended_at = ${now} where review_id = ${reviewId} and ended_at is null
    returning item_id`.execute(tx)
  const ids = rows.map(({ item_id }) => item_id)
  await showGrants(tx, ids)
  return ids
}

/** Ends grants whose time is over. Returns the applications that they belong to, and whether there may be more. */
export async function endExpiredGrants(
  tx: Tx,
  now: number,
): Promise<{ readonly reviewIds: readonly number[]; readonly isMore: boolean }> {
  const most = 500
  const { rows } = await sql<{ item_id: number; review_id: number }>`
    update download_grant set ended_at = ends_at where id in (
      select id from download_grant where ended_at is null and ends_at <= ${now} order by ends_at limit ${most}
      for no key update skip locked)
    returning item_id, review_id`.execute(tx)
  await showGrants(
    tx,
    rows.map(({ item_id }) => item_id),
  )
  return { reviewIds: [...new Set(rows.map(({ review_id }) => review_id))], isMore: rows.length === most }
}

/** Marks the items that have grants, so that only their readers look for them. */
async function showGrants(tx: Tx, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length === 0) return
  const ids = [...new Set(itemIds)]
  await sql`select 1 from item where id = any(${ids}) order by id for no key update`.execute(tx)
  await sql`
    update item i set granted = g.granted from (
      select o.id, exists (select 1 from download_grant d where d.item_id = o.id and d.ended_at is null) as granted
      from item o where o.id = any(${ids})) g
    where i.id = g.id and i.granted <> g.granted`.execute(tx)
}

/** Counts the bytes of a download that is limited. */
export interface Meter {
  /** Reserves bytes of a content of `size` bytes before the first one is sent; fails if there are none left. */
  begin(length: number, size: number): Promise<void>
  /** Reports how many of them were sent. */
  end(sent: number): Promise<void>
}

/** Counts the bytes that a download by a grant sends. */
export function grantMeter(db: Db, download: GrantedDownload): Meter {
  let reserved: { readonly delivery: number; readonly length: number } | undefined
  return {
    async begin(length, size) {
      const delivery = await reserveDelivery(db, download, length, size)
      if (typeof delivery === 'string') return refuseDelivery(delivery)
      reserved = { delivery, length }
    },
    async end(sent) {
      if (reserved !== undefined) await releaseDelivery(db, reserved.delivery, reserved.length - sent)
      reserved = undefined
    },
  }
}

function refuseDelivery(why: GrantRefusal): never {
  switch (why) {
    case 'used':
      return fail('downloadLimit', {
        zh: '申请到的下载次数已用完，可以再次申请',
        en: 'the downloads that the application gave are used up; apply again',
      })
    case 'version':
      return fail('noPermission', {
        zh: '批准的是另一个版本，请从下载申请里下载它，或再次申请',
        en: 'another version was approved: download it from the application, or apply again',
      })
    case 'ended':
      return fail('noPermission', { zh: '下载申请已结束，可以再次申请', en: 'the application is over; apply again' })
  }
}
