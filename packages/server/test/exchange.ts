// Networks, rules and exchanges for tests.
import { createHash } from 'node:crypto'
import type { calls, Input } from '@cloudoc/contract'
import { sql } from 'kysely'
import type { Person, World } from './harness.ts'

type RuleInput = Input<(typeof calls)['setExchangeRule']>

/** A rule by which everybody may send everything to a network without an approval; `more` changes it. */
export const openRule = (targetServerCode: string, more: Partial<RuleInput> = {}): RuleInput => ({
  ...{ name: '规则', targetServerCode, maxLevel: 2 },
  subjects: [{ subjectType: 'everybody', subjectId: 0 }],
  levels: [0, 1, 2].map((level) => ({ level, isFree: true })),
  ...more,
})

/** An approval by these people, one after the other. */
export const approvedBy = (...people: readonly Person[]) => ({
  levels: [0, 1, 2].map((level) => ({
    level,
    rounds: people.map(({ userId }) => ({ by: 'people' as const, ids: [userId] })),
  })),
})

/** Something that somebody has received from another network, without the network. */
export async function storeReceived({ app: { db } }: World, accountId: number, text = '来自别的网络'): Promise<number> {
  const sha256 = createHash('sha256').update(text).digest()
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into blob (sha256, size, key, created_at) values (${sha256}, ${Buffer.byteLength(text)}, ${`sample-${accountId}`}, 0)
      on conflict (sha256, size) do update set size = excluded.size returning id
    ), arrival as (
      insert into exchange_arrival (origin, number, network_name, manifest, complete_at, created_at)
      values ('sample', ${`KW-2026-${accountId}`}, '样例网', ${JSON.stringify({
        ...{ number: `KW-2026-${accountId}`, from: '样例', sender: { name: '周航', group: '研发中心' } },
        ...{ title: '来件.txt', comment: '', secretLevel: 0, passwordHash: '', approvers: ['钱工'], ruleName: '规则' },
        keepDays: 7,
        files: [
          ...[{ name: '来件.txt', path: '', bytes: Buffer.byteLength(text), sha256: sha256.toString('hex') }],
        ].map((file) => ({ ...file, version: 1, secretLevel: 0 })),
        receivers: [{ userId: accountId, account: '' }],
      })}::jsonb, 1, 1) returning id
    ), content as (
      insert into exchange_arrival_content (arrival_id, sha256, blob_id)
      select arrival.id, ${sha256}, made.id from arrival, made
    )
    insert into exchange_received (arrival_id, account_id, state, created_at, expires_at)
    select id, ${accountId}, 'waiting', 1, 99999999999999 from arrival returning id`.execute(db)
  return rows[0]?.id ?? 0
}

/** Objects of the exchange for the samples of calls: what the administrator has sent and received. */
export async function exchangeSamples(world: World, admin: Person, reviewer: Person, fileId: number) {
  const targetServerCode = 'sample-net'
  await admin.call('setExchangeNetwork', { targetServerCode, targetName: '样例网' })
  await admin.call('setExchangeRule', openRule(targetServerCode, approvedBy(reviewer)))
  const { applyId } = await admin.call('applyExchange', { fileId, targetServerCode, receiverIds: ['zhou'] })
  return { exchangeId: applyId, receivedId: await storeReceived(world, admin.userId) }
}
