// Reading applications: the terms of a new one, lists, counts.
import type { features } from '@cloudoc/contract'
import { ApplyType } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { linkRequest, linkTermsFor } from '../links/index.ts'
import { ruledRounds } from '../operations/index.ts'
import { countReviews, listReviews, waitingFor } from '../review/index.ts'
import { collectItems, commonRule, isAutomatic, openItems } from './collect.ts'
import { downloadApplyName } from './kind.ts'
import { kindNames, toApplication } from './read.ts'
import { departmentsOf, hourMs, mostSecret, rootsOf } from './roots.ts'

/** The handlers that read terms and lists. */
export function listingHandlers(): Pick<
  Handlers<typeof features.applications.calls>,
  'getApplyTerms' | 'getApplyList' | 'getApplyCount'
> {
  return {
    async getApplyTerms(context, { operateType, ...asked }) {
      const { db, now } = context
      const actor = actorOf(context)
      const roots = rootsOf(context, asked)
      const top = mostSecret(roots)
      const isLink = operateType === ApplyType.external
      const rule = await commonRule(db, actor, isLink ? 'link' : 'download', roots)
      const items = isLink ? [] : await collectItems(db, actor, roots, now)
      const secretLevel = Math.max(top.facts.secretLevel, ...items.map((one) => one.secretLevel))
      // Only reads, so no transaction is needed.
      const ask = { tx: db as Tx, now, itemId: top.row.id, launcherId: actor.accountId }
      const link = isLink ? await linkTermsFor(db, actor, top) : undefined
      const rounds = link?.needsApproval === false ? [] : await ruledRounds(ask, rule, secretLevel, [])
      const people = await describePeople(
        db,
        rounds.flatMap(({ who }) => who.map(({ accountId }) => accountId)),
        now,
      )
      const { operation_items, operation_days, operation_downloads, operation_comment, operation_version } =
        actor.settings.inner
      return {
        mostItems: operation_items,
        mostDays: isLink ? (link?.longestDays ?? 0) : operation_days,
        mostDownloads: isLink ? 0 : operation_downloads,
        onlyVersion: operation_version,
        needsComment: operation_comment,
        mayChoose: rule?.mayChoose ?? true,
        isAutomatic: isLink
          ? link?.needsApproval === false
          : isAutomatic(rule, actor, roots, items, await departmentsOf(db, roots)),
        rounds: rounds.map(({ who, needed, fromLevel }) => ({
          ...{ needed, fromLevel },
          reviewers: who.flatMap(({ accountId, why }) => {
            const one = people.get(accountId)
            if (one === undefined || why === 'handedOn' || why === 'added' || why === 'later') return []
            return [{ ...one, why }]
          }),
        })),
        handleBefore: rule === undefined || rule.hours === 0 ? null : now + rule.hours * hourMs,
        atDeadline: rule?.atDeadline ?? 'wait',
        openItems: isLink
          ? []
          : await openItems(
              db,
              actor.accountId,
              roots.map(({ row }) => row.id),
            ),
      }
    },

    async getApplyList(context, { operateType, side, state, keyword, since, from, rows }) {
      const { db, now } = context
      const query = {
        ...{ kind: kindNames[operateType], accountId: actorOf(context).accountId, now, keyword, since },
        side: side === 'creation' ? ('launched' as const) : ('asked' as const),
      }
      const wanted = state === 'handled' && side === 'review' ? 'mine' : state
      const { list, total } = await listReviews(db, { ...query, state: wanted, from, rows })
      const { all, open, mine, others } = await countReviews(db, query)
      return {
        list: list.map((one) => toApplication(one, operateType)),
        total,
        counts: { all, open, handled: mine, others },
      }
    },

    async getApplyCount(context) {
      const { db, now } = context
      const actor = actorOf(context)
      const { rows } = await sql<{ kind: string; n: number }>`
        select kind, count(*)::int as n from review
        where launcher_id = ${actor.accountId} and state = 'pending' and kind in (${downloadApplyName}, ${linkRequest.name})
        group by kind`.execute(db)
      const mine = (kind: string): number => rows.find((row) => row.kind === kind)?.n ?? 0
      return {
        downloadCreation: mine(downloadApplyName),
        downloadReview: await waitingFor(downloadApplyName)(db, actor, now),
        linkCreation: mine(linkRequest.name),
        linkReview: await waitingFor(linkRequest.name)(db, actor, now),
      }
    },
  }
}

/** Reviewers with their current stand-ins, and how long they usually take. */
async function describePeople(db: Db, ids: readonly number[], now: number) {
  const { rows } = await sql<{
    id: number
    name: string
    stand_in_id: number | null
    stand_in: string | null
    minutes: number | null
  }>`
    select a.id, a.name, b.id as stand_in_id, b.name as stand_in, (
      select round(percentile_cont(0.5) within group (order by w.at - r.created_at) / 60000)::int from (
        select w.at, w.review_id from review_reviewer w where w.account_id = a.id and w.at is not null
        order by w.review_id desc limit 50) w join review r on r.id = w.review_id) as minutes
    from account a
      left join review_stand_in s on s.account_id = a.id and s.from_at <= ${now}
        and (s.until_at is null or s.until_at > ${now})
      left join account b on b.id = s.stand_in_id
    where a.id = any(${[...new Set(ids)]})`.execute(db)
  return new Map(
    rows.map(({ id, name, stand_in_id: standInId, stand_in: standIn, minutes }) => [
      id,
      {
        ...{ userId: id, accountName: name },
        standIn: standInId === null ? null : { userId: standInId, accountName: standIn ?? '' },
        ...(minutes !== null && { minutes }),
      },
    ]),
  )
}
