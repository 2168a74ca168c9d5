// Applications for downloads and links: asking, deciding, revoking and listing ([R251]-[R254]).
import { createHash } from 'node:crypto'
import { features } from '@cloudoc/contract'
import { ApplyState, ApplyType, codes, denial, fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Objects } from '../../core/loaders.ts'
import type { Services } from '../../core/services.ts'
import { applyForLinks, linkRequest, linkTermsFor } from '../links/index.ts'
import { checkChosen, ruledRounds } from '../operations/index.ts'
import {
  countReviews,
  decide,
  hideReview,
  kindsOf,
  launch,
  launchApproved,
  listReviews,
  type ReviewKind,
  readReview,
  reviewObjects,
  revoke,
  waitingFor,
  withdraw,
} from '../review/index.ts'
import { collectItems, commonRule, isAutomatic, openItems, storeItems } from './collect.ts'
import { downloadApplication, downloadApplyName, type GrantedTerms, isMore, type RequestedDownload } from './kind.ts'
import { kindNames, readApplication, readFolder, toApplication } from './read.ts'

const hourMs = 60 * 60_000

interface Asked {
  readonly fileIdArray: readonly number[]
  readonly folderIdArray: readonly number[]
}

/** The items of an input, each once. */
const rootsOf = (context: Context, { fileIdArray, folderIdArray }: Asked): Access[] => [
  ...[...new Set(fileIdArray)].map((fId) => context.item({ fType: 1, fId })),
  ...[...new Set(folderIdArray)].map((fId) => context.item({ fType: 2, fId })),
]

/** The item by which reviewers are found: the most secret one, which the fewest may know. */
function mostSecret(roots: readonly Access[]): Access {
  const [first, ...others] = roots
  if (first === undefined) return fail('badRequest', 'fileIdArray')
  return others.reduce((most, one) => (one.facts.secretLevel > most.facts.secretLevel ? one : most), first)
}

const keyOf = (roots: readonly Access[]): string =>
  createHash('sha256')
    .update(
      roots
        .map(({ row }) => row.id)
        .toSorted((a, b) => a - b)
        .join(' '),
    )
    .digest('base64url')

/** The departments of libraries. */
async function departmentsOf(db: Db, roots: readonly Access[]): Promise<Map<number, number>> {
  const ids = [...new Set(roots.map(({ library }) => library.id))]
  const { rows } = await sql<{ id: number; group_id: number | null }>`
    select id, group_id from library where id = any(${ids})`.execute(db)
  return new Map(rows.flatMap(({ id, group_id }) => (group_id === null ? [] : [[id, group_id] as const])))
}

/** Checks an application against the limits of the installation. */
function checkLimits(
  { settings }: Account,
  roots: readonly Access[],
  { comment, validDays, count, hasVersionLimit }: Terms,
): void {
  const { operation_items, operation_days, operation_downloads, operation_comment, operation_version } = settings.inner
  if (roots.length > operation_items)
    fail('tooMany', { zh: `一次最多申请 ${operation_items} 个文件`, en: `at most ${operation_items} files at once` })
  if (validDays > operation_days)
    fail('badRequest', { zh: `最长 ${operation_days} 天`, en: `at most ${operation_days} days` })
  if (isMore(count, operation_downloads))
    fail('badRequest', { zh: `每个文件最多 ${operation_downloads} 次`, en: `at most ${operation_downloads} downloads` })
  if (operation_version && !hasVersionLimit)
    fail('badRequest', { zh: '只能申请现在的版本', en: 'only the present version can be applied for' })
  if (operation_comment && comment.trim() === '')
    fail('badRequest', { zh: '请填写申请理由', en: 'comment: a reason is required' })
}

interface Terms {
  readonly comment: string
  readonly validDays: number
  readonly count: number
  readonly hasVersionLimit: boolean
}

/** The handlers of applications. */
export function applicationHandlers(services: Pick<Services, 'settings' | 'now' | 'contributed' | 'secrets'>) {
  const { settings } = services
  const kindOf = kindsOf(services)
  const objects = reviewObjects(services)

  const mayOf = (context: Context, applicationId: number) => {
    const { facts } = context.object(objects as Objects<{ facts: never }>, applicationId)
    const { gates } = features.reviews.objects.review
    const may = (action: keyof typeof gates): boolean => denial(gates[action], facts) === undefined
    return {
      ...{ decide: may('decide'), withdraw: may('withdraw'), remind: may('remind') },
      ...{ revoke: may('end') && !may('withdraw'), remove: may('remove') },
    }
  }
  const kindOfApplication = async (tx: Tx, id: number): Promise<ReviewKind> => {
    const { kind } = await readReview(tx, id)
    return Object.values(kindNames).some((name) => name === kind) ? kindOf(kind) : fail('notFound')
  }

  return implement(features.applications.calls, {
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

    async applyDownload(context, input) {
      const { tx, now } = context
      const actor = actorOf(context)
      const roots = rootsOf(context, input)
      const top = mostSecret(roots)
      checkLimits(actor, roots, input)
      // Applications of one person are made one after the other, so that two cannot be open for the same item.
      await sql`select pg_advisory_xact_lock(hashtext('apply'), ${actor.accountId}::int)`.execute(tx)
      const open = await openItems(
        tx,
        actor.accountId,
        roots.map(({ row }) => row.id),
      )
      if (open.length > 0) {
        const names = roots.filter(({ row }) => open.includes(row.id)).map(({ row }) => row.name)
        return fail('duplicateRequest', {
          zh: `已在另一份申请中：${names.join('、')}`,
          en: `in another application already: ${names.join(', ')}`,
        })
      }
      const rule = await commonRule(tx, actor, 'download', roots)
      const items = await collectItems(tx, actor, roots, now)
      const secretLevel = Math.max(...items.map((one) => one.secretLevel))
      const ask = { tx, now, itemId: top.row.id, launcherId: actor.accountId }
      await checkChosen(ask, rule, secretLevel, input.verifierIdArray)
      const subject: RequestedDownload = {
        ...{ ruleId: rule?.id ?? null, atDeadline: rule?.atDeadline ?? 'wait', verifiers: input.verifierIdArray },
        ...{ onlyVersion: input.hasVersionLimit, validDays: input.validDays, count: input.count, secretLevel },
        ...{ itemCount: roots.length, fType: roots[0]?.row.f_type ?? 1 },
      }
      const request = {
        ...{ itemId: top.row.id, title: roots[0]?.row.name ?? '', key: keyOf(roots), subject },
        comments: input.comment,
      }
      const automatic = isAutomatic(rule, actor, roots, items, await departmentsOf(tx, roots))
      const applicationId = automatic
        ? await launchApproved<RequestedDownload, GrantedTerms>(
            context,
            downloadApplication,
            request,
            { validDays: input.validDays, count: input.count, rejected: [] },
            (id) => storeItems(tx, id, items),
          )
        : await launch<RequestedDownload, GrantedTerms>(context, downloadApplication, {
            ...request,
            handleBefore: rule === undefined || rule.hours === 0 ? null : now + rule.hours * hourMs,
          })
      if (!automatic) await storeItems(tx, applicationId, items)
      context.audit({ applicationId, items: items.length })
      return { applicationId, nodeState: automatic ? ApplyState.approved : ApplyState.pending }
    },

    async applyLink(context, input) {
      const roots = rootsOf(context, input)
      const { operation_items } = actorOf(context).settings.inner
      if (roots.length > operation_items)
        return fail('tooMany', { zh: `一次最多 ${operation_items} 个文件`, en: `at most ${operation_items} at once` })
      return { list: await applyForLinks(context, services, roots, input) }
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

    getApplyDetail: (context, { applicationId }) =>
      readApplication(context, applicationId, mayOf(context, applicationId), services),
    getApplyFolder: (context, input) =>
      readFolder(context, input, mayOf(context, input.applicationId).decide, services),

    async applyApprove(context, { applicationId, comment, ...input }) {
      const kind = await kindOfApplication(context.tx, applicationId)
      context.audit({ applicationId })
      if (kind.name === linkRequest.name) {
        if (input.results.some(({ approve }) => !approve)) return fail('badRequest', 'results')
        await decide(context, settings, linkRequest, applicationId, {
          ...{ approve: true, comments: comment, decision: {} },
        })
        return {}
      }
      await approveDownload(context, services, applicationId, comment, input)
      return {}
    },

    async applyReject(context, { applicationId, comment }) {
      const kind = await kindOfApplication(context.tx, applicationId)
      await decide(context, settings, kind, applicationId, { approve: false, comments: comment })
      context.audit({ applicationId })
      return {}
    },

    async applyRevoke(context, { applicationId, comment }) {
      const { tx } = context
      await kindOfApplication(tx, applicationId)
      const { state } = await readReview(tx, applicationId)
      if (state === 'pending') await withdraw(context, kindOf, applicationId, comment)
      else await revoke(context, { settings, kindOf }, applicationId, comment)
      context.audit({ applicationId })
      return {}
    },

    async applyDelete(context, { applicationIdArray }) {
      const { tx } = context
      const actor = actorOf(context)
      const found = await objects.load(tx, actor, applicationIdArray)
      const { remove } = features.reviews.objects.review.gates
      const answer = []
      for (const id of applicationIdArray) {
        const facts = found.get(id)?.facts
        const code = facts === undefined ? ('notFound' as const) : denial(remove, facts)
        if (code === undefined) await hideReview(tx, id, actor.accountId)
        answer.push(batchItem(id, code))
      }
      return answer
    },
  })
}

function batchItem(id: number, code: keyof typeof codes | undefined) {
  const { code: result, zh } = codes[code ?? 'success']
  return { id: `${id}`, fType: 1 as const, name: '', result, msg: code === undefined ? '' : zh }
}

/** Approves an application for downloads with what earlier rounds and this reviewer permit. */
async function approveDownload(
  context: WriteContext,
  { settings }: Pick<Services, 'settings'>,
  id: number,
  comment: string,
  input: {
    readonly results: readonly { readonly id: number; readonly approve: boolean }[]
    readonly validDays?: number | undefined
    readonly count?: number | undefined
  },
): Promise<void> {
  const { tx } = context
  const { rows } = await sql<{ ids: number[]; decision: GrantedTerms | null; subject: RequestedDownload }>`
    select to_json(array(select item_id from application_item where review_id = r.id and item_id = root_id)) as ids,
      r.decision, r.subject from review r where r.id = ${id}`.execute(tx)
  const [row] = rows
  if (row === undefined) return fail('notFound')
  const unknown = input.results.some((one) => !row.ids.includes(one.id))
  if (unknown) return fail('notFound', 'results')
  const most = row.decision ?? { validDays: row.subject.validDays, count: row.subject.count, rejected: [] }
  const terms: GrantedTerms = {
    validDays: input.validDays ?? most.validDays,
    count: input.count ?? most.count,
    rejected: [...new Set([...most.rejected, ...input.results.filter(({ approve }) => !approve).map((one) => one.id)])],
  }
  if (terms.validDays < 1 || terms.validDays > most.validDays || isMore(terms.count, most.count))
    return fail('badRequest', {
      zh: '有效天数和次数只能降低，不能提高',
      en: 'days and downloads can be lowered, not raised',
    })
  const isNone = row.ids.every((one) => terms.rejected.includes(one))
  // Kept for the next round; replaced by what is granted after the last one.
  await sql`update review set decision = ${JSON.stringify(terms)}::jsonb where id = ${id}`.execute(tx)
  await decide(context, settings, downloadApplication, id, {
    ...{ approve: !isNone, comments: comment, decision: terms },
  })
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
