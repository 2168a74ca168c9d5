// What is recorded and told of the visits of a link ([R226], [R228]).
import type { VisitKind } from '@cloudoc/contract'
import { sql } from 'kysely'
import type { Context } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { personal, writeEvents } from '../../core/events.ts'
import type { LinkRow } from './link-state.ts'
import { visitorOf } from './visitor.ts'

const longestAgent = 200
/** This many addresses within this time are unusual ([R228]); reported once in that time. */
const spread = { addresses: 10, withinMs: 60 * 60_000 }

export type VisitEvent = 'open' | 'upload' | 'edit' | 'guessed' | 'guessedWidely' | 'spread'

interface Happened {
  readonly what: VisitKind
  readonly itemId?: number
  readonly name?: string
  readonly bytes?: number
  readonly version?: number
  readonly visitor?: string
  readonly accountId?: number | null
  readonly pass?: string
}

/** Records what somebody did with a link. */
export async function writeVisit(db: Db, context: Context, linkId: number, happened: Happened): Promise<void> {
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
      version: happened.version ?? null,
    })
    .execute()
}

/** Records what the visitor of the request did. */
export const recordVisit = (db: Db, context: Context, happened: Happened): Promise<void> => {
  const { link, pass } = visitorOf(context)
  return writeVisit(db, context, link.id, {
    visitor: pass.name,
    accountId: pass.accountId,
    pass: pass.id,
    ...happened,
  })
}

/** The notice of a visit for the creator of the link. */
export const visitNotice = (context: Context, link: LinkRow, what: VisitEvent, visitor: string) =>
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
export async function hasSpread(tx: Db, link: LinkRow, now: number): Promise<boolean> {
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

/** Notifies the creator of the link of what was recorded already. */
export function notifyCreator(
  db: Db,
  context: Context,
  link: LinkRow,
  what: VisitEvent,
  visitor: string,
): Promise<void> {
  return db.transaction().execute((tx) => writeEvents(tx, [visitNotice(context, link, what, visitor)], context.now))
}
