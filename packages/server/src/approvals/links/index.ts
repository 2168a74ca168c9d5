// Requesting links and deciding on the requests ([R231]).
import { features, type LinkApplication } from '@cloudoc/contract'
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import { isMailSetUp } from '../../core/mail/index.ts'
import type { Services } from '../../core/services.ts'
import { accessToMany, recordOf } from '../../drive/tree/index.ts'
import { askApproval, policyOf, readLinks, readPolicies } from '../../sharing/links/index.ts'
import { decide, type Listed, listReviews, reviewSummary } from '../review/index.ts'
import { linkName, linkRequest, type RequestedLink, roundsOf } from './kind.ts'

/** The handlers of requests for links. */
export function linkApprovalHandlers(services: Pick<Services, 'settings' | 'contributed'>) {
  const { settings } = services
  const listOf = async (
    context: Context,
    side: 'launched' | 'asked',
    input: { readonly from: number; readonly rows: number; readonly state: 'all' | 'open' | 'handled' },
  ) => {
    const { db, now } = context
    const actor = actorOf(context)
    const { list, total } = await listReviews(db, {
      ...input,
      ...{ kind: linkName, accountId: actor.accountId, side, now },
    })
    return { list: await toApplications(context, actor, list), total }
  }

  return implement(features.linkApprovals.calls, {
    async getLinkPolicy(context, { fileId, folderId }) {
      const { db, now } = context
      const actor = actorOf(context)
      const { row, facts } = context.item(
        fileId === undefined ? { fType: 2, fId: folderId ?? 0 } : { fType: 1, fId: fileId },
      )
      const { approvers, ...policy } = policyOf(await readPolicies(db), actor)
      const ask = { tx: db as Tx, now, itemId: row.id, launcherId: actor.accountId, subject: { approvers } }
      const [round] = policy.needsApproval ? await roundsOf(ask) : []
      const { rows: reviewers } = await sql<{ userId: number; accountName: string }>`
        select id as "userId", name as "accountName" from account
        where id = any(${(round?.who ?? []).map(({ accountId }) => accountId)}) order by id`.execute(db)
      const { mayCreate, defaultDays, longestDays, needsPassword, mayDownload, needsApproval, domains } = policy
      return {
        ...{ mayCreate, defaultDays, longestDays, needsPassword, mayDownload, needsApproval },
        domains: [...(domains ?? [])],
        reviewers,
        mayGiveEdit: mayDownload && denial(gates.giveEdit, facts) === undefined,
        mayNameMails: domains?.length !== 0 && isMailSetUp(actor.settings),
      }
    },

    async linkApply(context, { externalId, comments, handleBefore }) {
      const { tx } = context
      const [link] = await readLinks(tx, sql`l.id = ${externalId}`)
      if (link === undefined) return fail('notFound')
      const { approvers, needsApproval } = policyOf(await readPolicies(tx), actorOf(context))
      // A rejected link can be requested again. A link that needs no approval or already has it cannot.
      if (link.approval === 'pending') return fail('duplicateRequest')
      if (link.approval === 'approved' || (link.approval === null && !needsApproval)) return fail('duplicateOperation')
      const reviewId = await askApproval(context, services, { link, approvers, comments, handleBefore })
      context.audit({ reviewId, externalLink: externalId })
      return { reviewId }
    },

    async linkApprove(context, { reviewId, comments }) {
      await decide(context, settings, linkRequest, reviewId, { approve: true, comments, decision: {} })
      context.audit({ reviewId })
      return {}
    },

    async linkReject(context, { reviewId, comments }) {
      await decide(context, settings, linkRequest, reviewId, { approve: false, comments })
      context.audit({ reviewId })
      return {}
    },

    async getLinkApplication(context, { reviewId }) {
      const { db, now } = context
      const actor = actorOf(context)
      const { list } = await listReviews(db, {
        ...{ kind: linkName, accountId: actor.accountId, side: 'asked', state: 'all' },
        ...{ from: 0, rows: 1, now, id: reviewId },
      })
      return (await toApplications(context, actor, list))[0] ?? fail('notFound')
    },

    getLinkApplicationList: (context, input) => listOf(context, 'launched', input),
    getLinkReviewList: (context, input) => listOf(context, 'asked', input),
  })
}

/** Requests as visible to the caller: the id of a link's item is included only if they see it. */
async function toApplications(
  { db, now }: Context,
  actor: Account,
  list: readonly Listed[],
): Promise<LinkApplication[]> {
  const found = await accessToMany(
    db,
    actor,
    list.flatMap(({ itemId }) => itemId ?? []),
    now,
  )
  return list.map((one) => {
    const access = one.itemId === null ? undefined : found.get(one.itemId)
    const seen = access !== undefined && denial(gates.see, access.facts) === undefined ? access : undefined
    const { approvers: _, people, mails = [], ...link } = one.subject as RequestedLink
    return {
      ...reviewSummary(one),
      ...link,
      people: [...people],
      mails: [...mails],
      fId: seen?.row.id ?? 0,
      fName: one.title,
      pathString: seen === undefined ? '' : recordOf(seen, actor).pathString,
    }
  })
}
