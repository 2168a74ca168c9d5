// Reads checked files: as objects of gates, in lists, and counted.
import {
  type FactsOfSensitive,
  features,
  type SensitiveCounts,
  type SensitiveFile,
  type SensitiveState,
} from '@cloudoc/contract'
import { SensitiveAudit } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ObjectAccess } from '../../core/access.ts'
import type { AccountActor } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { Objects } from '../../core/loaders.ts'
import { likeAnywhere } from '../../core/text-keys.ts'
import { accessToMany, visiblePath } from '../../drive/tree/index.ts'
import { mayAnswerFor } from '../review/index.ts'

/** Checked files as objects of gates. */
export function sensitiveObjects(now: () => number): Objects<ObjectAccess<FactsOfSensitive>> {
  return {
    kind: features.sensitiveFiles.objects.sensitive,
    async load(db, actor, ids) {
      // A visitor neither uploads into a review nor decides (X51).
      if (actor.kind !== 'account' || actor.isGuest) return new Map()
      const { accountId } = actor
      const isTurn = mayAnswerFor(accountId, now())
      const { rows } = await sql<{
        id: number
        state: SensitiveState
        mine: boolean
        awaited: boolean
        asked: boolean
      }>`
        select f.id, f.state, f.uploader_id = ${accountId} as mine,
          exists (select 1 from review_reviewer w
            where w.review_id = f.review_id and w.is_waiting and ${isTurn}) as awaited,
          exists (select 1 from review_reviewer w where w.review_id = f.review_id
            and (${isTurn} or w.answered_by = ${accountId})) as asked
        from sensitive_file f where f.id = any(${ids.map(Number)})`.execute(db)
      return new Map(
        rows
          .filter(({ mine, asked }) => mine || asked)
          .map(({ id, state, mine, awaited, asked }) => [
            id,
            { facts: { state, isUploader: mine, isAwaited: awaited, isReviewer: asked } },
          ]),
      )
    },
    async lock(tx, id) {
      await sql`
        select 1 from review where id = (select review_id from sensitive_file where id = ${Number(id)})
        for no key update`.execute(tx)
    },
  }
}

/** Which checked files. */
export interface ListQuery {
  readonly side: 'mine' | 'review'
  readonly state: 'all' | 'uninspected' | SensitiveState
  readonly since: number
  readonly keyword: string
  readonly from: number
  readonly rows: number
  readonly now: number
  readonly id?: number
}

interface ListedRow {
  readonly checkId: number
  readonly fId: number
  readonly fName: string
  readonly fileSize: number
  readonly version: number
  readonly state: SensitiveState
  readonly outcome: SensitiveFile['outcome']
  readonly reason: SensitiveFile['reason']
  readonly action: SensitiveFile['action']
  readonly hits: SensitiveFile['hits']
  readonly uploaderId: number
  readonly uploaderName: string
  readonly uploaderGroup: string
  readonly createTime: number
  readonly foundTime: number | null
  readonly decidedTime: number | null
  readonly decidedBy: string | null
  readonly comments: string | null
  readonly reviewId: number | null
  readonly waitsFor: SensitiveFile['waitsFor'] | null
  readonly isAwaited: boolean
  readonly isBlocked: boolean
}

const isUninspected = sql`f.outcome in ('partly', 'notInspected')`
/** What a person is shown of their own files: those in which nothing was found are no news. */
const isShown = sql`(f.state <> 'clean' or f.outcome <> 'inspected')`

function whoseOf({ side, now, id, since, keyword }: ListQuery, accountId: number) {
  const whose =
    side === 'mine'
      ? sql`f.uploader_id = ${accountId} and ${isShown}`
      : sql`f.review_id in (
          select w.review_id from review_reviewer w where ${mayAnswerFor(accountId, now)} or w.answered_by = ${accountId})
          and f.uploader_id <> ${accountId} and f.state <> 'replaced'`
  return sql`
    ${id === undefined ? whose : sql`f.id = ${id}`} and ${since === 0 ? sql`true` : sql`f.created_at >= ${since}`}
    and ${keyword === '' ? sql`true` : sql`f.name ilike ${likeAnywhere(keyword)}`}`
}

/** A page of checked files, those that wait first. */
export async function listChecks(db: Db, actor: AccountActor, query: ListQuery): Promise<SensitiveFile[]> {
  const { state, from, rows: most, now, side } = query
  const wanted = state === 'all' ? sql`true` : state === 'uninspected' ? isUninspected : sql`f.state = ${state}`
  const { rows } = await sql<ListedRow>`
    select f.id as "checkId", f.item_id as "fId", f.name as "fName", coalesce(v.size, 0) as "fileSize", f.version, f.state,
      f.outcome, f.reason, f.action, f.hits, f.uploader_id as "uploaderId", a.name as "uploaderName",
      g.name as "uploaderGroup", f.created_at as "createTime", f.found_at as "foundTime",
      f.decided_at as "decidedTime", d.name as "decidedBy", r.answer as comments, f.review_id as "reviewId",
      (select json_agg(json_build_object('userId', p.id, 'accountName', p.name) order by p.id)
        from review_reviewer w join account p on p.id = w.account_id
        where w.review_id = f.review_id and w.is_waiting) as "waitsFor",
      exists (select 1 from review_reviewer w where w.review_id = f.review_id and w.is_waiting
        and ${mayAnswerFor(actor.accountId, now)}) as "isAwaited",
      coalesce(i.held_for is not null and i.version = f.version, false) as "isBlocked"
    from sensitive_file f join account a on a.id = f.uploader_id join org_group g on g.id = a.group_id
      left join item i on i.id = f.item_id left join version v on v.item_id = f.item_id and v.number = f.version
      left join review r on r.id = f.review_id left join account d on d.id = r.decided_by
    where ${whoseOf(query, actor.accountId)} and ${wanted}
    order by ${side === 'review' ? sql`(f.state = 'waiting') desc,` : sql``} f.id desc
    offset ${from} limit ${most}`.execute(db)
  const seen = await accessToMany(
    db,
    actor,
    rows.map(({ fId }) => fId),
    now,
  )
  return rows.map(({ decidedBy, comments, reviewId, waitsFor, ...row }) => {
    const access = seen.get(row.fId)
    return {
      ...row,
      pathString:
        access === undefined
          ? ''
          : visiblePath(access.path)
              .map(({ name }) => name)
              .join('/'),
      auditState: auditStateOf(row.state, side),
      decidedBy: decidedBy ?? '',
      comments: comments ?? '',
      reviewId: reviewId ?? 0,
      waitsFor: waitsFor ?? [],
    }
  })
}

/** The number of a state on the wire (X13); 0 if nothing was found. */
function auditStateOf(state: SensitiveState, side: ListQuery['side']): number {
  switch (state) {
    case 'waiting':
      return side === 'review' ? SensitiveAudit.review : SensitiveAudit.added
    case 'approved':
      return SensitiveAudit.approved
    case 'disapproved':
      return SensitiveAudit.disapproved
    case 'deleted':
      return SensitiveAudit.deleted
    default:
      return 0
  }
}

/** The number of checked files in each state. */
export async function countChecks(db: Db, accountId: number, query: ListQuery): Promise<SensitiveCounts> {
  const { rows } = await sql<{ state: SensitiveState; n: number; uninspected: number }>`
    select f.state, count(*)::int as n, count(*) filter (where ${isUninspected})::int as uninspected
    from sensitive_file f where ${whoseOf(query, accountId)} group by f.state`.execute(db)
  const counts = new Map(rows.map(({ state, n }) => [state, n]))
  const of = (state: SensitiveState): number => counts.get(state) ?? 0
  return {
    all: rows.reduce((sum, { n }) => sum + n, 0),
    uninspected: rows.reduce((sum, { uninspected }) => sum + uninspected, 0),
    ...{ detecting: of('detecting'), clean: of('clean'), noted: of('noted'), waiting: of('waiting') },
    ...{ approved: of('approved'), disapproved: of('disapproved'), deleted: of('deleted'), replaced: of('replaced') },
  }
}
