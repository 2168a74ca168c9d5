/*
 * Whether what was approved may still leave. Between an approval and the moment at which files leave lie seconds, or
 * days where bundles are carried. The contents and receivers are pinned; rules, levels and the sender may be others by
 * then. Whatever forbids the exchange now keeps it here.
 */
import { approvalOf, type ExchangedFile, extNameOf, fail, matchExchange, secretLevelNow } from '@cloudoc/domain'
import { sql } from 'kysely'
import { readReview } from '../../approvals/review/index.ts'
import type { Tx } from '../../core/db/database.ts'
import type { Settings } from '../../core/settings.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { exchangeRounds, rulesOfSender } from '../rules/index.ts'
import { checkPinned } from './collect.ts'
import type { RequestedExchange } from './kind.ts'
import type { KnownReceiver } from './tables.ts'

interface Approved {
  readonly review_id: number
  readonly sender_id: number
  readonly network_code: string
  readonly receivers: readonly KnownReceiver[]
}

/**
 * Fails if an approved exchange must not leave any more: something harmful was found in it, its sender is disabled, the
 * rules do not permit it, or they demand an approval that it does not have.
 */
export async function checkApproval(tx: Tx, settings: Settings, exchange: Approved, now: number): Promise<void> {
  const { review_id: id, sender_id: senderId, network_code: targetServerCode, receivers } = exchange
  await checkPinned(tx, id)
  const sender = (await loadAccounts(tx, settings, [senderId], now)).get(senderId) ?? fail('accountFrozen')
  if (!sender.settings.setting.exchange_file_enabled) return fail('noPermission')
  const files = await filesNow(tx, id, now)
  const found = matchExchange(await rulesOfSender(tx, sender, now), {
    ...{ targetServerCode, files, receivers, mostFiles: sender.settings.inner.exchange_files },
  })
  if ('refusal' in found) return fail(found.refusal.code)
  const top = files.reduce((most, one) => (one.level > most.level ? one : most))
  const demanded = approvalOf(found.rule, top.level) ?? fail('levelWithoutApprover')
  if (demanded.isFree) return
  const asked = (await readReview(tx, id)).subject as RequestedExchange
  const isSame = !asked.isFree && JSON.stringify(asked.rounds) === JSON.stringify(demanded.rounds)
  if (isSame && asked.level === top.level) return
  const rounds = await exchangeRounds({ tx, now, itemId: top.id, launcherId: senderId }, demanded)
  const approvers = await approversOf(tx, id)
  const isApproved = rounds.every(
    ({ who, needed }) => who.filter(({ accountId }) => approvers.has(accountId)).length >= needed,
  )
  if (!isApproved) return fail('exchangeOutsideRules')
}

/** The pinned files as the rules see them now: at their present places, with the higher of both levels. */
async function filesNow(tx: Tx, reviewId: number, now: number): Promise<ExchangedFile[]> {
  const { rows } = await sql<{
    id: number
    name: string
    bytes: number
    pinned_level: number
    secret_level: number | null
    secret_until: number | null
    path: number[]
  }>`
    select f.item_id as id, f.name, f.bytes, f.secret_level as pinned_level, i.secret_level, i.secret_until,
      to_json(array(
        with recursive up as (
          select o.id, o.parent_id from item o where o.id = f.item_id
          union all
          select p.id, p.parent_id from item p join up u on p.id = u.parent_id
        ) select id from up)) as path
    from exchange_file f left join item i on i.id = f.item_id where f.review_id = ${reviewId}`.execute(tx)
  return rows.map(({ id, name, bytes, pinned_level, secret_level, secret_until, path }) => ({
    ...{ id, bytes, path, ext: extNameOf(name) },
    level: Math.max(pinned_level, secretLevelNow(secret_level ?? 0, secret_until, now)),
  }))
}

/** Who has approved, and for whom. */
async function approversOf(tx: Tx, reviewId: number): Promise<Set<number>> {
  const { rows } = await sql<{ asked: number; by: number | null }>`
    select account_id as asked, answered_by as by from review_reviewer
    where review_id = ${reviewId} and answer = 'approved'`.execute(tx)
  return new Set(rows.flatMap(({ asked, by }) => [asked, by ?? asked]))
}
