// Applications for downloads and links: asking, deciding, revoking and listing ([R251]-[R254]).
import { createHash } from 'node:crypto'
import { features } from '@cloudoc/contract'
import { ApplyState, codes, denial, fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import type { Objects } from '../../core/loaders.ts'
import type { Services } from '../../core/services.ts'
import { applyForLinks, linkRequest } from '../links/index.ts'
import { checkChosen } from '../operations/index.ts'
import {
  decide,
  hideReview,
  kindsOf,
  launch,
  launchApproved,
  type ReviewKind,
  readReview,
  reviewObjects,
  revoke,
  withdraw,
} from '../review/index.ts'
import { collectItems, commonRule, isAutomatic, openItems, storeItems } from './collect.ts'
import { downloadApplication, type GrantedTerms, isMore, type RequestedDownload } from './kind.ts'
import { listingHandlers } from './listing.ts'
import { kindNames, readApplication, readFolder } from './read.ts'
import { departmentsOf, hourMs, mostSecret, rootsOf } from './roots.ts'

const keyOf = (roots: readonly Access[]): string =>
  createHash('sha256')
    .update(
      roots
        .map(({ row }) => row.id)
        .toSorted((a, b) => a - b)
        .join(' '),
    )
    .digest('base64url')

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
    ...listingHandlers(),

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
