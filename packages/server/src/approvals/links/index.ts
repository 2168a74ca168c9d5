// Requesting links and deciding on the requests ([R231]).
import { features, type LinkApplication } from '@cloudoc/contract'
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { isMailSetUp } from '../../core/mail/index.ts'
import type { Services } from '../../core/services.ts'
import { accessToMany, recordOf } from '../../drive/tree/index.ts'
import {
  askApproval,
  needsApproval as asksApproval,
  createLink,
  policyOf,
  readLinks,
  readPolicies,
  resolveLinks,
} from '../../sharing/links/index.ts'
import { readRules, ruleFor } from '../operations/index.ts'
import { decide, type Listed, listReviews, reviewSummary } from '../review/index.ts'
import { linkName, linkRequest, type RequestedLink, roundsOf } from './kind.ts'

export { linkName, linkRequest, type RequestedLink } from './kind.ts'

const dayMs = 24 * 60 * 60_000

/** What a user may do with a link to an item. */
export async function linkTermsFor(
  db: Db,
  actor: Account,
  { facts }: Access,
): Promise<{ readonly needsApproval: boolean; readonly longestDays: number }> {
  const { needsApproval, longestDays } = policyOf(await readPolicies(db), actor)
  return { needsApproval: needsApproval || facts.linkByApplication, longestDays }
}

/** Creates one link to each item, and requests the approvals that they need ([R251]). */
export async function applyForLinks(
  context: WriteContext,
  services: Pick<Services, 'settings' | 'secrets' | 'contributed'>,
  roots: readonly Access[],
  input: {
    readonly comment: string
    readonly hasVersionLimit: boolean
    readonly verifierIdArray: readonly number[]
    readonly validDays: number
    readonly count: number
    readonly rights: number
    readonly password: string
  },
) {
  const list = []
  for (const access of roots) {
    const { externalId, reviewId = 0 } = await createLink(context, services, access, {
      ...{ rights: input.rights, password: input.password, startTime: 0, visitLimit: 0 },
      ...{ endTime: context.now + input.validDays * dayMs, downloadLimit: input.count, userIdArray: [], mailArray: [] },
      ...{ note: '', greeting: '', notify: false, watermark: false, watermarkTemplateId: 0 },
      ...{ comments: input.comment, handleBefore: null },
      ...{ hasVersionLimit: input.hasVersionLimit, verifiers: input.verifierIdArray },
    })
    list.push({ fType: access.row.f_type, fId: access.row.id, externalId, applicationId: reviewId })
  }
  return list
}

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
      const ref =
        fileId === undefined ? ({ fType: 2, fId: folderId ?? 0 } as const) : ({ fType: 1, fId: fileId } as const)
      const { row, facts } = context.item(ref)
      const access = context.item(ref)
      const { approvers, ...policy } = policyOf(await readPolicies(db), actor)
      const needsApproval = policy.needsApproval || facts.linkByApplication
      const rule = ruleFor(await readRules(db), 'link', actor, access)
      const subject = { approvers, ...(rule !== undefined && { ruleId: rule.id }), secretLevel: facts.secretLevel }
      const ask = { tx: db as Tx, now, itemId: row.id, launcherId: actor.accountId, subject }
      const [round] = needsApproval ? await roundsOf(ask) : []
      const { rows: reviewers } = await sql<{ userId: number; accountName: string }>`
        select id as "userId", name as "accountName" from account
        where id = any(${(round?.who ?? []).map(({ accountId }) => accountId)}) order by id`.execute(db)
      const { mayCreate, defaultDays, longestDays, needsPassword, mayDownload, domains } = policy
      return {
        ...{ mayCreate, defaultDays, longestDays, needsPassword, mayDownload, needsApproval },
        domains: [...(domains ?? [])],
        reviewers,
        mayGiveEdit: mayDownload && denial(gates.giveEdit, facts) === undefined,
        mayNameMails: domains?.length !== 0 && isMailSetUp(actor.settings),
      }
    },

    async linkApply(context, { externalId, comments, handleBefore }) {
      const { tx, now } = context
      const [link] = await readLinks(tx, sql`l.id = ${externalId}`)
      if (link === undefined) return fail('notFound')
      const { approvers } = policyOf(await readPolicies(tx), actorOf(context))
      const [met] = await resolveLinks(tx, settings, [link], now)
      const isNeeded = met !== undefined && asksApproval(met)
      const isOtherVersion = link.only_version !== null && met?.access?.row.version !== link.only_version
      // A rejected link can be requested again. A link that needs no approval or already has it cannot.
      if (link.approval === 'pending') return fail('duplicateRequest')
      if (!isOtherVersion && (link.approval === 'approved' || (link.approval === null && !isNeeded)))
        return fail('duplicateOperation')
      const reviewId = await askApproval(context, services, {
        ...{ link, approvers, verifiers: [], comments, handleBefore },
      })
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
    const { externalId, fType, rights, startTime, endTime, hasPassword, visitLimit, downloadLimit, people, note } =
      one.subject as RequestedLink
    const { mails = [] } = one.subject as RequestedLink
    return {
      ...reviewSummary(one),
      ...{ externalId, fType, rights, startTime, endTime, hasPassword, visitLimit, downloadLimit, note },
      people: [...people],
      mails: [...mails],
      fId: seen?.row.id ?? 0,
      fName: one.title,
      pathString: seen === undefined ? '' : recordOf(seen, actor).pathString,
    }
  })
}
