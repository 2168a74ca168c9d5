// Nothing leaves without an approval that its rule demands: rules, chains and levels against a model ([R258], [R259]).
import { ExchangeStatus } from '@cloudoc/domain'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { openRule } from '../../../test/exchange.ts'
import { few } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'

const net = 'island'
const names = ['ra', 'rb', 'rc'] as const
let world: World
let admin: Person
let lin: Person
const reviewers: Person[] = []

beforeAll(async () => {
  world = await openWorld()
  admin = await world.admin()
  lin = await world.person('lin', { secretLevel: 2 })
  for (const name of names) reviewers.push(await world.person(name, { secretLevel: 2 }))
  // The key of the other side: any but the present one of this server.
  const { ownKey } = await admin.call('getExchangeAdministration', {})
  await admin.call('renewExchangeKey', {})
  await admin.call('setExchangeNetwork', { targetServerCode: net, targetName: '单机网', peerKey: ownKey.text })
})

/** A step of the chain: who decides, and whether all of them have to. */
interface Step {
  readonly who: readonly number[]
  readonly needs: 'any' | 'all'
}
interface Act {
  readonly by: number
  readonly status: 'approved' | 'rejected'
}

const someStep = fc.record({
  who: fc.uniqueArray(fc.nat({ max: names.length - 1 }), { minLength: 1, maxLength: 3 }),
  needs: fc.constantFrom('any' as const, 'all' as const),
})
/** For each level a chain; an empty one leaves without an approval. */
const someLevels = fc.array(fc.array(someStep, { maxLength: 3 }), { minLength: 3, maxLength: 3 })
const someActs = fc.array(
  fc.record({
    by: fc.nat({ max: names.length - 1 }),
    status: fc.oneof({ weight: 5, arbitrary: fc.constant('approved' as const) }, fc.constant('rejected' as const)),
  }),
  { maxLength: 8 },
)

/** How far a chain is after the acts: each act in its turn, others change nothing. */
function turn(chain: readonly Step[], acts: readonly Act[]): { at: number; agreed: number[]; isRejected: boolean } {
  let [at, agreed] = [0, [] as number[]]
  for (const { by, status } of acts) {
    const step = chain[at]
    if (step === undefined) break
    if (!step.who.includes(by) || agreed.includes(by)) continue
    if (status === 'rejected') return { at, agreed, isRejected: true }
    agreed = [...agreed, by]
    if (agreed.length < (step.needs === 'all' ? step.who.length : 1)) continue
    ;[at, agreed] = [at + 1, []]
  }
  return { at, agreed, isRejected: false }
}

/** What the chain says of the acts so far. */
function model(chain: readonly Step[], acts: readonly Act[]): 'open' | 'approved' | 'rejected' {
  const { at, isRejected } = turn(chain, acts)
  if (isRejected) return 'rejected'
  return at >= chain.length ? 'approved' : 'open'
}

/** Whether those who have approved are enough for another chain. */
function satisfies(chain: readonly Step[], acts: readonly Act[], later: readonly Step[]): boolean {
  const counted = acts.filter(({ status }, n) => {
    const [before, after] = [acts.slice(0, n), acts.slice(0, n + 1)]
    return status === 'approved' && JSON.stringify(turn(chain, before)) !== JSON.stringify(turn(chain, after))
  })
  const approvers = new Set(counted.map(({ by }) => by))
  return later.every(
    ({ who, needs }) => who.filter((n) => approvers.has(n)).length >= (needs === 'all' ? who.length : 1),
  )
}

const statusOf = { approved: [ExchangeStatus.approved], rejected: [ExchangeStatus.rejected] } as const

const someLevel = fc.nat({ max: 2 })
/** What is changed between the approval and the moment at which the file leaves. */
const somethingLater = fc.option(fc.record({ levels: someLevels, level: someLevel }), { nil: undefined })

/** Makes these chains those of the only rule. */
async function setLevels(levels: readonly (readonly Step[])[]): Promise<void> {
  const { rules } = await admin.call('getExchangeAdministration', {})
  await admin.call('setExchangeRule', {
    ...openRule(net),
    ...(rules[0] && { ruleId: rules[0].ruleId }),
    levels: levels.map((chain, level) => ({
      level,
      isFree: chain.length === 0,
      rounds: chain.map(({ who, needs }) => ({
        ...{ by: 'people' as const, needs },
        ids: who.map((n) => reviewers[n]?.userId ?? 0),
      })),
    })),
  })
}

let made = 0
const runs = few(6, Array.from({ length: 60 })).length

// [R259] Nothing leaves before the approvals that its rule demands for its level, whatever the chain and the order of
// the decisions, and also if the rule or the level is another one when it leaves.
test('[R258] [R259] a file leaves if the chain of its level has approved it, and never otherwise', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(someLevels, someLevel, someActs, somethingLater, async (levels, secretLevel, acts, later) => {
      await setLevels(levels)
      const fileId = await lin.upload(lin.library, `文件${(made += 1)}.txt`, String(made))
      if (secretLevel > 0)
        await lin.call('setSecretLevel', { fileIdArray: [fileId], secretLevel, duration: 3, unit: 2 })
      const { applyId } = await lin.call('applyExchange', { fileId, targetServerCode: net, receiverIds: ['zhou'] })
      const chain = levels[secretLevel] ?? []
      const done: Act[] = []
      const check = async (): Promise<void> => {
        const expected = model(chain, done)
        const { waiting } = await admin.call('getExchangeBundles', {})
        expect(waiting.some((one) => one.applyId === applyId)).toBe(expected === 'approved')
        const { remindStatus } = await lin.call('getExchangeDetail', { applyId })
        if (expected === 'open') expect([ExchangeStatus.toReview, ExchangeStatus.reviewing]).toContain(remindStatus)
        else expect(statusOf[expected]).toContain(remindStatus)
      }
      await check()
      for (const act of acts) {
        await reviewers[act.by]?.wire('setExchangeNodeStatus', { applyId, status: act.status, comment: '说明' })
        done.push(act)
        await check()
      }
      // The rule is changed, and the file may be more secret, before it leaves.
      if (later !== undefined) {
        await setLevels(later.levels)
        if (later.level > secretLevel)
          await lin.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: later.level, duration: 3, unit: 2 })
      }
      const level = Math.max(secretLevel, later?.level ?? 0)
      const demanded = (later?.levels ?? levels)[level] ?? []
      const isSame = chain.length > 0 && level === secretLevel && JSON.stringify(chain) === JSON.stringify(demanded)
      const holds = isSame || satisfies(chain, done, demanded)
      const leaving = await admin.wire('exportExchangeBundle', { targetServerCode: net, applyIdArray: [applyId] })
      const expected = holds ? 'success' : 'exchangeOutsideRules'
      expect(leaving.code).toBe(model(chain, done) === 'approved' ? expected : 'alreadyHandled')
      if (leaving.code === 'exchangeOutsideRules') await lin.call('cancelExchange', { applyId, comment: '' })
    }),
    { numRuns: runs },
  )
})

// [R261] The administrator tries which rule decides if somebody sends a file: each rule before it says why it does not.
test('[R261] trying the rules tells which one decides, why the others do not, and who approves', async () => {
  const { rules } = await admin.call('getExchangeAdministration', {})
  for (const { ruleId } of rules) await admin.call('removeExchangeRule', { ruleId })
  const [first, second] = reviewers
  const chain = (needs: 'any' | 'all') => ({
    levels: [0, 1, 2].map((level) => ({
      level,
      rounds: [{ by: 'people' as const, ids: [first?.userId ?? 0, second?.userId ?? 0], needs }],
    })),
  })
  const set = (name: string, more: object) => admin.call('setExchangeRule', { ...openRule(net), name, ...more })
  await set('停用', { isActive: false })
  await set('过期', { until: 1 })
  await set('别人', { subjects: [{ subjectType: 'user', subjectId: first?.userId ?? 0 }] })
  await set('图纸', { exts: ['dwg'] })
  await set('低密级', { maxLevel: 0, levels: [{ level: 0, isFree: true }] })
  await set('指定接收人', { receivers: ['周航'] })
  await set('合同', { exts: ['pdf'], requirePwd: true, ...chain('all') })
  await set('其他', chain('any'))
  const asked = { userId: lin.userId, targetServerCode: net, receiver: '钱工' }
  const tried = await admin.call('tryExchangeRules', { ...asked, ext: '.PDF', secretLevel: 1 })
  expect(tried.tried.map(({ ruleName, reason }) => `${ruleName} ${reason}`)).toEqual([
    '停用 off',
    '过期 over',
    '别人 sender',
    '图纸 kind',
    '低密级 level',
    '指定接收人 receiver',
    '合同 decides',
  ])
  expect(tried).toMatchObject({ result: 0, ruleName: '合同', requirePwd: true })
  expect(tried.rounds).toEqual([{ needed: 2, names: ['ra', 'rb'] }])
  const other = await admin.call('tryExchangeRules', { ...asked, ext: 'txt', secretLevel: 1 })
  expect([other.ruleName, other.rounds]).toEqual(['其他', [{ needed: 1, names: ['ra', 'rb'] }]])
  const none = await admin.call('tryExchangeRules', { ...asked, secretLevel: 3 })
  expect([none.ruleId, none.tried.at(-1)?.reason]).toEqual([0, 'level'])
  expect(none.result).toBeLessThan(0)
  expect(await lin.refusal('tryExchangeRules', asked)).toBe('noPermission')
})
