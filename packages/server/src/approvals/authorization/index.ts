// Requesting rights and deciding on the requests ([R217]-[R221]).
import { type Authorization, features } from '@cloudoc/contract'
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { accessToMany, recordOf } from '../../drive/tree/index.ts'
import { decide, type Listed, launch, listReviews, readReview } from '../review/index.ts'
import {
  authorizationName,
  authorizationRequest,
  checkDeadline,
  type GrantedRight,
  type RequestedRight,
  rightsOf,
  roundsOf,
} from './kind.ts'

interface Named {
  readonly fileId?: number | undefined
  readonly folderId?: number | undefined
}

const refOf = ({ fileId, folderId }: Named) =>
  fileId === undefined ? { fType: 2 as const, fId: folderId ?? 0 } : { fType: 1 as const, fId: fileId }

/** The handlers of requests for rights. */
export function authorizationHandlers({ settings }: Pick<Services, 'settings'>) {
  const listOf = async (context: Context, side: 'launched' | 'asked', input: Page) => {
    const { db, now } = context
    const actor = actorOf(context)
    const { list, total } = await listReviews(db, {
      ...input,
      ...{ kind: authorizationName, accountId: actor.accountId, side, now },
    })
    return { list: await toAuthorizations(context, actor, list), total }
  }

  return implement(features.authorization.calls, {
    async getAuthorizationReviewers(context, input) {
      const { db, now } = context
      const actor = actorOf(context)
      const access = context.item(refOf(input))
      const { row, facts } = access
      // Only reads, so no transaction is needed.
      const tx = db as Tx
      const [round] = await roundsOf({ tx, now, itemId: row.id, launcherId: actor.accountId })
      const asked = round?.who ?? []
      const { rows } = await sql<{ id: number; name: string; stand_in_id: number | null; stand_in: string | null }>`
        select a.id, a.name, b.id as stand_in_id, b.name as stand_in from account a
        left join review_stand_in s on s.account_id = a.id and s.from_at <= ${now}
          and (s.until_at is null or s.until_at > ${now})
        left join account b on b.id = s.stand_in_id
        where a.id = any(${asked.map(({ accountId }) => accountId)})`.execute(db)
      const people = new Map(rows.map((one) => [one.id, one]))
      const pending = await sql<{ id: number }>`
        select id from review where kind = ${authorizationName} and launcher_id = ${actor.accountId}
          and key = ${String(row.id)} and state = 'pending'`.execute(db)
      return {
        right: facts.rights,
        pathString: recordOf(access, actor).pathString,
        list: asked.flatMap(({ accountId, why }) => {
          const one = people.get(accountId)
          if (one === undefined || why === 'handedOn' || why === 'added' || why === 'later') return []
          const standIn =
            one.stand_in_id === null ? {} : { standIn: { userId: one.stand_in_id, accountName: one.stand_in ?? '' } }
          return [{ userId: accountId, accountName: one.name, why, ...standIn }]
        }),
        pendingId: pending.rows[0]?.id ?? null,
      }
    },

    async authorizationApply(context, input) {
      const { tx, now } = context
      const actor = actorOf(context)
      const { row, facts } = context.item(refOf(input))
      const right = rightsOf(input.right, actor)
      checkDeadline(input.deadline, now)
      if ((right & ~facts.rights) === 0)
        return fail('badRequest', { zh: '你已拥有该权限', en: 'right: you have that already' })
      // If the secret level of the file leaves no reviewer, the refusal says so.
      const [round] = await roundsOf({ tx, now, itemId: row.id, launcherId: actor.accountId })
      if (round === undefined && facts.secretLevel > 0) return fail('levelWithoutApprover')
      const authorizationId = await launch<RequestedRight, GrantedRight>(context, authorizationRequest, {
        itemId: row.id,
        title: row.name,
        key: String(row.id),
        subject: { fType: row.f_type, right, deadline: input.deadline },
        comments: input.comments,
        handleBefore: input.handleBefore,
      })
      context.audit({ authorizationId, right })
      return { authorizationId }
    },

    async authorizationApprove(context, { authorizationId, right, deadline, comments }) {
      const { subject } = (await readReview(context.tx, authorizationId)) as { subject: RequestedRight }
      const decision: GrantedRight = {
        right: right ?? subject.right,
        deadline: deadline === undefined ? subject.deadline : deadline,
      }
      await decide(context, settings, authorizationRequest, authorizationId, { approve: true, comments, decision })
      context.audit({ authorizationId, right: decision.right })
      return {}
    },

    async authorizationReject(context, { authorizationId, comments }) {
      await decide(context, settings, authorizationRequest, authorizationId, { approve: false, comments })
      context.audit({ authorizationId })
      return {}
    },

    async getAuthorization(context, { authorizationId }) {
      const { db, now } = context
      const actor = actorOf(context)
      const { list } = await listReviews(db, {
        ...{ kind: authorizationName, accountId: actor.accountId, side: 'asked', state: 'all' },
        ...{ from: 0, rows: 1, now, id: authorizationId },
      })
      return (await toAuthorizations(context, actor, list))[0] ?? fail('notFound')
    },

    getAuthorizationCreationList: (context, input) => listOf(context, 'launched', input),
    getAuthorizationReviewList: (context, input) => listOf(context, 'asked', input),
  })
}

interface Page {
  readonly from: number
  readonly rows: number
  readonly state: 'all' | 'open' | 'handled'
}

/** Requests as visible to the caller: an item's current name is shown only if they see it. */
async function toAuthorizations(
  { db, now }: Context,
  actor: Account,
  list: readonly Listed[],
): Promise<Authorization[]> {
  const ids = list.flatMap(({ itemId }) => itemId ?? [])
  const found = await accessToMany(db, actor, ids, now)
  return list.map((one) => {
    const access = one.itemId === null ? undefined : found.get(one.itemId)
    const seen = access !== undefined && denial(gates.see, access.facts) === undefined ? access : undefined
    const { fType, right, deadline } = one.subject as RequestedRight
    return {
      authorizationId: one.id,
      userId: one.launcherId,
      userName: one.launcher,
      groupName: one.groupName,
      fType,
      fId: seen?.row.id ?? 0,
      fName: seen?.row.name ?? one.title,
      pathString: seen === undefined ? '' : recordOf(seen, actor).pathString,
      secretLevel: seen?.facts.secretLevel ?? 0,
      right,
      deadline,
      comments: one.comments,
      createTime: one.createdAt,
      handleBefore: one.handleBefore,
      state: one.state,
      given: one.decision as GrantedRight | null,
      handleTime: one.decidedAt,
      handledBy: one.decidedBy,
      answer: one.answer,
      waitsFor: [...one.waitsFor],
      isAwaited: one.isAwaited,
    }
  })
}
