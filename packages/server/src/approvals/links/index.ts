// What one may do with links, and asking for their approval ([R231]).
import { features } from '@cloudoc/contract'
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { isMailSetUp } from '../../core/mail/index.ts'
import type { Services } from '../../core/services.ts'
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
import { roundsOf } from './kind.ts'

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
  })
}
