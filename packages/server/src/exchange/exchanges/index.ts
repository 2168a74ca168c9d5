// Exchange across networks: sending, deciding, delivering and picking up ([R258]-[R262]).
import { type FactsOfReceived, features } from '@cloudoc/contract'
import { codes, denial, fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import {
  countReviews,
  decide,
  hideReview,
  kindsOf,
  readReview,
  reviewObjects,
  reviewProgress,
  revoke,
  waitingFor,
  withdraw,
} from '../../approvals/review/index.ts'
import type { ObjectAccess } from '../../core/access.ts'
import { actorOf, type Context, whileAsked } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Objects } from '../../core/loaders.ts'
import { cancel, enqueue } from '../../core/queue/rows.ts'
import { unseal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { readNetworks, rulesOfSender } from '../rules/index.ts'
import { collectFiles, rootsOf } from './collect.ts'
import { receiveContent, receiveMessage } from './door.ts'
import { delivering, exchangeReview, exchangeReviewName } from './kind.ts'
import { pickUp } from './pickup.ts'
import { approvedDetail, listExchanges, readExchange, readReceived, receivedWaiting } from './read.ts'
import { exchangeRecords } from './records.ts'
import {
  applyExchange,
  findReceiversAt,
  networkOfSender,
  passwordPurpose,
  preApply,
  targetsFor,
  toTarget,
} from './send.ts'
import { openWire } from './wire.ts'

export { checkApproval } from './approval.ts'
export { addArrived, announceArrival, finishArrival, type Origin } from './arrivals.ts'
export { type Outgoing, readOutgoing, recordEvent } from './deliver.ts'
export { exchangeReview, exchangeReviewName, type RequestedExchange, toSender } from './kind.ts'
export { Manifest } from './messages.ts'

/** What was received, as objects of gates. It exists for its receiver only. */
export function receivedObjects(now: () => number): Objects<ObjectAccess<FactsOfReceived>> {
  return {
    kind: features.exchange.objects.exchangeReceived,
    async load(db, actor, ids) {
      if (actor.kind !== 'account' || actor.isGuest) return new Map()
      const { rows } = await sql<{ id: number; state: FactsOfReceived['state']; expiresAt: number }>`
        select id, state, expires_at as "expiresAt" from exchange_received
        where id = any(${ids.map(Number)}) and account_id = ${actor.accountId}`.execute(db)
      const at = now()
      return new Map(
        rows.map(({ id, state, expiresAt }) => [
          id,
          { facts: { state: state === 'waiting' && expiresAt <= at ? 'expired' : state } },
        ]),
      )
    },
    async lock(tx, id) {
      await sql`select 1 from exchange_received where id = ${Number(id)} for no key update`.execute(tx)
    },
  }
}

/** Asks a network whether it answers. */
async function pingNetwork(services: Pick<Services, 'secrets' | 'now'>, db: Db, code: string): Promise<void> {
  if ((await readNetworks(db, code)).length === 0) return fail('notFound')
  const wire = await openWire(services, db, code, services)
  await wire.say({ kind: 'ping' }, AbortSignal.timeout(15_000))
}

type Parts = Pick<Services, 'settings' | 'now' | 'contributed' | 'secrets' | 'blobs'>

/** The handlers of exchanges. */
export function exchangeHandlers(services: Parts) {
  const { settings, secrets } = services
  const kindOf = kindsOf(services)
  const reviews = reviewObjects(services)
  const received = receivedObjects(services.now)
  const { gates } = features.reviews.objects.review

  const mayOf = (context: Context, applyId: number) => {
    const { facts } = context.object(reviews, applyId)
    const may = (action: keyof typeof gates): boolean => denial(gates[action], facts) === undefined
    return { facts, may: { decide: may('decide'), cancel: may('end'), remind: may('remind'), remove: may('remove') } }
  }
  /** The state of the review of an exchange; other kinds of reviews are none. */
  const stateOf = async (tx: Tx, applyId: number) => {
    const { kind, state, launcher } = await readReview(tx, applyId)
    return kind === exchangeReviewName ? { state, senderId: launcher.accountId } : fail('notFound')
  }

  return implement(features.exchange.calls, {
    async getExchangeRules(context) {
      const actor = actorOf(context)
      const rules = await rulesOfSender(context.db, actor, context.now)
      const isOn = actor.settings.setting.exchange_file_enabled
      return {
        targets: isOn ? (await targetsFor(context)).map(toTarget) : [],
        mostFiles: actor.settings.inner.exchange_files,
        rules: (isOn ? rules : []).map(({ targetServerCode, itemIds, exts, maxLevel }) => ({
          ...{ targetServerCode, itemIds: [...itemIds], exts: [...exts], maxLevel },
        })),
      }
    },

    async getReceiverServers(context, input) {
      const files = await collectFiles(context.db, actorOf(context), rootsOf(context, input), context.now)
      return { list: (await targetsFor(context, files)).map(toTarget) }
    },

    async getExchangeReceivers(context, { targetServerCode, keyword }) {
      const network = await networkOfSender(context, targetServerCode)
      const list = await whileAsked(context, (signal) =>
        findReceiversAt(context, services, network, { keyword, ids: [] }, signal),
      )
      return context.commit(() => Promise.resolve({ list: [...list] }))
    },

    preApplyExchange: preApply,

    applyExchange: (context, input) => whileAsked(context, (signal) => applyExchange(context, services, input, signal)),

    getExchangeList: listExchanges,

    getExchangeRecords: (context, asked) => exchangeRecords(context, asked),

    async getExchangeCount(context) {
      const { db, now } = context
      const actor = actorOf(context)
      const query = { kind: exchangeReviewName, accountId: actor.accountId, now, side: 'launched' } as const
      return {
        sent: (await countReviews(db, query)).open,
        receive: await receivedWaiting(db, actor.accountId, now),
        review: await waitingFor(exchangeReviewName)(db, actor, now),
      }
    },

    async getExchangeDetail(context, { applyId }) {
      const { facts, may } = mayOf(context, applyId)
      const progress = await reviewProgress(context.db, applyId, facts, context.now)
      if (progress.kind !== exchangeReviewName) return fail('notFound')
      return readExchange(context, applyId, progress, may)
    },

    getReceivedDetail: (context, { approveId }) => readReceived(context, approveId),

    async cancelExchange(context, { applyId, comment }) {
      const { state } = await stateOf(context.tx, applyId)
      if (state === 'pending') await withdraw(context, kindOf, applyId, comment)
      else await revoke(context, { settings, kindOf }, applyId, comment)
      context.audit({ applicationId: applyId })
      return {}
    },

    async setExchangeNodeStatus(context, { applyId, status, comment }) {
      await stateOf(context.tx, applyId)
      const approve = status === 'approved'
      if (!approve && comment.trim() === '')
        return fail('badRequest', { zh: '请填写拒绝的原因', en: 'comment: a refusal needs a reason' })
      await decide(context, settings, exchangeReview, applyId, { approve, comments: comment, decision: {} })
      context.audit({ applicationId: applyId, state: status })
      return {}
    },

    async resendExchange(context, { applyId }) {
      const { tx, now } = context
      const { state, senderId } = await stateOf(tx, applyId)
      if (senderId !== actorOf(context).accountId) return fail('noPermission')
      const { rows } = await sql<{ server_id: number | null }>`
        update exchange set delivery = 'waiting', failures = 0, changed_at = ${now}
        where review_id = ${applyId} and delivery = 'failed' returning server_id`.execute(tx)
      const [row] = rows
      if (state !== 'approved' || row === undefined) return fail('alreadyHandled')
      context.audit({ applicationId: applyId })
      // Without a wire it waits for the next bundle.
      if (row.server_id === null) return {}
      // A waiting attempt is replaced by one that is due now.
      await cancel({ tx, now }, delivering, delivering.key({ applyId }))
      await enqueue({ tx, now }, delivering, { applyId }, { retryFailed: true })
      return {}
    },

    async getExchangePwd({ db, actor }, { applyId }) {
      const row = await db
        .selectFrom('exchange')
        .select(['sender_id', 'sealed_password'])
        .where('review_id', '=', applyId)
        .executeTakeFirst()
      if (row === undefined) return fail('notFound')
      if (actor?.kind !== 'account' || row.sender_id !== actor.accountId) return fail('noPermission')
      return { pwd: row.sealed_password === '' ? '' : unseal(secrets, passwordPurpose, row.sealed_password) }
    },

    async deleteExchangeRecord(context, { applyIdArray, approveIdArray }) {
      const { tx } = context
      const actor = actorOf(context)
      const sent = await reviews.load(tx, actor, applyIdArray)
      const arrived = await received.load(tx, actor, approveIdArray)
      const answer = []
      for (const id of applyIdArray) {
        const facts = sent.get(id)?.facts
        const isExchange = facts !== undefined && (await readReview(tx, id)).kind === exchangeReviewName
        const delivered = await sql`
          select 1 from exchange where review_id = ${id} and delivery in ('delivered', 'fetched', 'expired')`.execute(
          tx,
        )
        const code = !isExchange
          ? ('notFound' as const)
          : delivered.rows.length > 0
            ? undefined
            : denial(gates.remove, facts)
        if (code === undefined) await hideReview(tx, id, actor.accountId)
        answer.push(batchItem(id, code))
      }
      for (const id of approveIdArray) {
        const state = arrived.get(id)?.facts.state
        const code =
          state === undefined ? ('notFound' as const) : state === 'waiting' ? ('noPermission' as const) : undefined
        if (code === undefined) await sql`update exchange_received set is_hidden = true where id = ${id}`.execute(tx)
        answer.push(batchItem(id, code))
      }
      return answer
    },

    async testExchangeNetwork(context, { targetServerCode }) {
      const since = performance.now()
      await pingNetwork(services, context.db, targetServerCode)
      return context.commit(() => Promise.resolve({ milliseconds: Math.round(performance.now() - since) }))
    },

    verifyExchangePwd: pickUp,
    fileExchangeGetApproveFileDetail: (context, { approveId }) => approvedDetail(context, approveId),

    async fileExchangeDelRemind(context, { remindId }) {
      const { accountId } = actorOf(context)
      await sql`
        update notice set read_at = ${context.now}
        where account_id = ${accountId} and remind_id = ${remindId} and notice_group = 'fileExchange'
          and read_at is null`.execute(context.tx)
      return {}
    },

    exchangeMessage: (context, input) => receiveMessage(context, services, input),
    exchangeContent: (context, input) => receiveContent(context, services, input),
  })
}

function batchItem(id: number, code: keyof typeof codes | undefined) {
  const { code: result, zh } = codes[code ?? 'success']
  return { id: `${id}`, fType: 1 as const, name: '', result, msg: code === undefined ? '' : zh }
}
