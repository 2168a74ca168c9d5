// Two kinds of request that exist only in this test: the engine knows nothing about them but their declaration.
import { fail } from '@cloudoc/domain'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import type { WriteContext } from '../../core/call/context.ts'
import { contribute, contributedBy } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { allFeatures } from '../../installation.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { decide, launch, type ReviewKind, reviewersBy, reviewKind, reviewKinds } from './index.ts'
import { kindsOf } from './kind.ts'

interface Payment {
  /** The reviewers of each round, and the number of required approvals. */
  readonly rounds: readonly { readonly who: readonly number[]; readonly needed: number }[]
}
interface Keys {
  readonly roleId: number
}

const given: string[] = []
/** In order: any, all, a number of them. */
const payment = reviewKind<Payment, { sum: number }>({
  name: 'test payment',
  rounds: async (ask) =>
    Promise.all(
      ask.subject.rounds.map(async ({ who, needed }) => ({
        who: await reviewersBy(ask, [{ by: 'people', accountIds: who }]),
        needed,
      })),
    ),
  async approved(_context, review, decision) {
    given.push(`${review.title} ${decision.sum}`)
    return { decision, endsAt: null }
  },
  async rejected(_context, review) {
    given.push(`${review.title} rejected`)
  },
  async revoked(_context, review) {
    given.push(`${review.title} taken back`)
  },
  asks: () => [],
  answers: () => [],
  late: () => [],
})
/** By role, one is enough; a reviewer must belong to the department. */
const keys = reviewKind<Keys, object>({
  name: 'test keys',
  rounds: async (ask) => [{ who: await reviewersBy(ask, [{ by: 'role', roleId: ask.subject.roleId }]), needed: 1 }],
  mayDecide: async (_tx, _review, account) => account.subjects.groupIds.has(departmentId),
  approved: async (_context, _review, decision) => ({ decision, endsAt: Date.now() - 1 }),
  revoked: async () => undefined,
  asks: () => [],
  answers: () => [],
  late: () => [],
})

/** The kinds belong to a feature that exists only in this test. */
const kinds = feature({ open: () => ({ contributions: [contribute(reviewKinds, payment, keys)] }) })
const world = sharedWorld({ features: [...allFeatures, kinds] })

let departmentId = 0
let people: Record<string, Person>
beforeAll(async () => {
  const { groupId } = await world.group('审批部')
  departmentId = groupId
  const names = ['asker', 'f1', 'f2', 'l1', 'l2', 'b1', 'b2', 'b3']
  people = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await world.person(name, { groupId })] as const)),
  )
})
const one = (name: string): Person => people[name] ?? fail('notFound', name)
const ids = (...names: string[]): number[] => names.map((name) => one(name).userId)

/** Runs work like the handler of a user's call. */
async function as<T>(person: Person, work: (context: WriteContext) => Promise<T>): Promise<T> {
  const { db, services } = world.app
  return db.transaction().execute(async (tx) => {
    const account = (await loadAccounts(tx, services.settings, [person.userId], Date.now())).get(person.userId)
    const actor = { ...(account ?? fail('notFound')), kind: 'account', isGuest: false }
    return work({ tx, db: tx, now: Date.now(), actor, event: () => undefined } as unknown as WriteContext)
  })
}

const ask = <S, D>(kind: ReviewKind<S, D>, title: string, subject: S): Promise<number> =>
  as(one('asker'), (context) =>
    launch(context, kind, {
      ...{ itemId: null, title, key: title, subject, comments: '', handleBefore: null },
    }),
  )
const answer = (name: string, id: number, approve: boolean, sum = 0): Promise<void> =>
  as(one(name), (context) =>
    decide(context, world.app.services.settings, payment, id, { approve, comments: '', decision: { sum } }),
  )
/** The reviewers a request waits for, and its outcome. */
async function standing(id: number): Promise<[string, ...string[]]> {
  const { state, rounds } = await one('asker').call('getReviewWay', { reviewId: id })
  const waiting = rounds.flatMap(({ reviewers }) => reviewers.filter(({ isWaiting }) => isWaiting))
  return [state, ...waiting.map(({ accountName }) => accountName.replace(/-\d+$/, '')).sort()]
}

describe('a kind that asks in order', () => {
  const rounds = () => [
    { who: ids('f1', 'f2'), needed: 1 },
    { who: ids('l1', 'l2'), needed: 2 },
    { who: ids('b1', 'b2', 'b3'), needed: 2 },
  ]

  // [R141] Managers, owners, visitors, and reviewers by rule: owner, managers, named people, a role; in order, any, all or
  // some of them. Requests for rights, downloads, links and exchanges and the review of sensitive files use one engine;
  // signers are at R275.
  test('[R141] waits for any of the first, for all of the second and for two of three, and does what it gives once', async () => {
    const id = await ask(payment, '采购', { rounds: rounds() })
    expect(await standing(id)).toEqual(['pending', 'f1', 'f2'])
    // A reviewer of a later round is not asked yet.
    await expect(answer('l1', id, true)).rejects.toMatchObject({ code: 'noPermission' })
    await answer('f2', id, true)
    expect(await standing(id)).toEqual(['pending', 'l1', 'l2'])
    await answer('l1', id, true)
    expect(await standing(id)).toEqual(['pending', 'l2'])
    await answer('l2', id, true)
    await answer('b3', id, true, 5)
    expect(await standing(id)).toEqual(['pending', 'b1', 'b2'])
    expect(given).toEqual([])
    await answer('b1', id, true, 7)
    expect(await standing(id)).toEqual(['approved'])
    expect(given).toEqual(['采购 7'])
    await one('b1').call('revokeReview', { reviewId: id })
    expect(given.at(-1)).toBe('采购 taken back')
  })

  test('ends with the first who rejects, whoever else has approved', async () => {
    const id = await ask(payment, '差旅', { rounds: rounds() })
    await answer('f1', id, true)
    await answer('l2', id, true)
    await answer('l1', id, false)
    expect(await standing(id)).toEqual(['rejected'])
    expect(given.at(-1)).toBe('差旅 rejected')
    await expect(answer('b1', id, true)).rejects.toMatchObject({ code: 'noPermission' })
  })

  test('where all have to, who is added has to as well; who hands on has not', async () => {
    const id = await ask(payment, '合同', { rounds: rounds().slice(1, 2) })
    await one('l1').call('addReviewer', { reviewId: id, userId: one('b1').userId })
    await one('l2').call('handOnReview', { reviewId: id, userId: one('b2').userId })
    expect(await standing(id)).toEqual(['pending', 'b1', 'b2', 'l1'])
    await answer('l1', id, true)
    await answer('b2', id, true)
    expect(await standing(id)).toEqual(['pending', 'b1'])
    await answer('b1', id, true)
    expect(await standing(id)).toEqual(['approved'])
  })

  test('with fewer people than have to approve is not asked', async () => {
    const few = [{ who: ids('f1'), needed: 2 }]
    await expect(ask(payment, '无人', { rounds: few })).rejects.toMatchObject({ code: 'folderWithoutApprover' })
    await expect(ask(payment, '自己', { rounds: [{ who: ids('asker'), needed: 1 }] })).rejects.toMatchObject({
      code: 'folderWithoutApprover',
    })
  })
})

describe('a kind that asks whoever has a role', () => {
  test('takes one of them, hands on to those alone whom it lets, and tells what has come to its end', async () => {
    const admin = await world.admin()
    const { roleId } = await admin.call('createRole', { roleName: '钥匙管理员' })
    await admin.call('setRoleMembers', { roleId, userIds: ids('f1', 'b2'), groupIds: [], titles: [] })
    const id = await ask(keys, '机房', { roleId })
    expect(await standing(id)).toEqual(['pending', 'b2', 'f1'])
    const stranger = await world.person('stranger')
    expect(await one('f1').refusal('handOnReview', { reviewId: id, userId: stranger.userId })).toBe('noPermission')
    await one('f1').call('handOnReview', { reviewId: id, userId: one('l1').userId })
    expect(await standing(id)).toEqual(['pending', 'b2', 'l1'])
    await as(one('l1'), (context) =>
      decide(context, world.app.services.settings, keys, id, { approve: true, comments: '', decision: {} }),
    )
    expect(await standing(id)).toEqual(['over'])
  })
})

test('a kind exists only where a feature contributes it', async () => {
  const id = await ask(payment, '押金', { rounds: [{ who: ids('f1'), needed: 1 }] })
  const { contributed } = world.app.services
  expect(kindsOf({ contributed })(payment.name)).toBe(payment)
  const without = contributedBy([contribute(reviewKinds, keys)])
  expect(() => kindsOf({ contributed: without })(payment.name)).toThrow('no feature declares')
  const twice = contributedBy([contribute(reviewKinds, keys), contribute(reviewKinds, keys)])
  expect(() => kindsOf({ contributed: twice })(keys.name)).toThrow('declared twice')
  expect(await standing(id)).toEqual(['pending', 'f1'])
})
