// A request for rights as a kind of review: any owner or manager of the library decides. An approval creates a share
// that ends with it ([R217]).
import {
  AuthorizationResult,
  closeRights,
  fail,
  hasRight,
  OperateType,
  Right,
  rights,
  selectableRights,
} from '@cloudoc/domain'
import type { Account } from '../../core/actor.ts'
import { actorOf } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import { personal } from '../../core/events.ts'
import { addApplied, removeApplied } from '../../drive/rights/index.ts'
import { accessToMany, lockItem } from '../../drive/tree/index.ts'
import { type Ask, type Review, type Round, requestItem, reviewersBy, reviewKind } from '../review/index.ts'

/** The request. */
export interface RequestedRight {
  readonly fType: 1 | 2
  readonly right: number
  readonly deadline: number | null
}

/** The grant. */
export interface GrantedRight {
  readonly right: number
  readonly deadline: number | null
}

export const authorizationName = 'authorization'

/** The owner and the managers of the library; one of them is enough. */
export async function roundsOf(ask: Pick<Ask<unknown>, 'tx' | 'now' | 'itemId' | 'launcherId'>): Promise<Round[]> {
  const who = await reviewersBy(ask, [{ by: 'owner' }, { by: 'managers' }])
  return who.length === 0 ? [] : [{ who, needed: 1 }]
}

/**
 * The rights of a mask from outside, with those they require. Refused if it is empty or contains a deny or bits that
 * cannot be granted.
 */
export function rightsOf(mask: number, { settings }: Account): number {
  if (mask === 0 || (mask & ~(selectableRights & ~Right.deny)) !== 0)
    return fail('badRequest', { zh: '申请的权限无效', en: 'right: none, a deny, or bits that nobody gives' })
  return closeRights(rights(mask), { printRights: settings.setting.print_rights })
}

export function checkDeadline(deadline: number | null, now: number): void {
  if (deadline !== null && deadline <= now)
    fail('badRequest', { zh: '截止时间已过', en: 'deadline: it is over already' })
}

/** An account's rights on the item of a request; undefined if they do not see it. */
async function accessOf(tx: Tx, account: Account, { itemId }: Review<RequestedRight>, now: number) {
  if (itemId === null) return undefined
  const access = (await accessToMany(tx, account, [itemId], now)).get(itemId)
  return access === undefined || access.row.deleted_at !== null ? undefined : access
}

export const authorizationRequest = reviewKind<RequestedRight, GrantedRight>({
  name: authorizationName,
  rounds: roundsOf,

  async mayDecide(tx, review, account, now) {
    const access = await accessOf(tx, account, review, now)
    return access !== undefined && hasRight(access.facts.rights, 'grant')
  },

  async approved(context, review, decision, by) {
    const { tx, now } = context
    if (review.itemId === null) return fail('notFound')
    await lockItem(tx, review.itemId, 'change')
    const access = (await accessOf(tx, by, review, now)) ?? fail('notFound')
    const held = access.facts.rights
    const right = rightsOf(decision.right, by)
    checkDeadline(decision.deadline, now)
    // A reviewer cannot grant more than they hold.
    if (!hasRight(held, 'grant') || (!hasRight(held, 'full') && (right & ~held) !== 0)) return fail('noPermission')
    const { deadline } = decision
    const applied = { reviewId: review.id, accountId: review.launcher.accountId, rights: right, expireTime: deadline }
    await addApplied(context, access.row, by, applied)
    return { decision: { right, deadline }, endsAt: deadline }
  },

  revoked: (context, review, settings) => removeApplied(context, settings, actorOf(context), review.id),

  asks: (review, people, isReminder) => [
    personal('authorizationApply', people, {
      ...noticeOf(review, review.subject.right),
      ...(isReminder && { reminder: true as const }),
    }),
  ],

  answers: (review, { approved, decision }, now) => [
    personal('authorizationReply', [review.launcher.accountId], {
      ...noticeOf(review, decision?.right ?? review.subject.right),
      result: approved ? AuthorizationResult.approved : AuthorizationResult.rejected,
      handleTime: now,
    }),
  ],

  late: (review, now) => [
    personal('authorizationReply', [review.launcher.accountId], {
      ...noticeOf(review, review.subject.right),
      result: AuthorizationResult.late,
      handleTime: now,
    }),
  ],
})

const noticeOf = ({ id, launcher, itemId, title, subject, createdAt }: Review<RequestedRight>, right: number) => ({
  serverId: 0,
  authorizationId: id,
  userId: launcher.accountId,
  userName: launcher.name,
  fType: subject.fType,
  fId: itemId ?? 0,
  ...requestItem(subject.fType, itemId, OperateType.rights),
  fName: title,
  right,
  createTime: createdAt,
})
