/*
 * A user leaves: their account is frozen and their property is handed over, in one transaction. Either exactly what the
 * preview showed happens, or nothing does and the new list is returned: both are made from the same lists
 * (core/leavers.ts).
 */
import { createHash } from 'node:crypto'
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import type { Handover, HandoverPart, Leaver } from '../../core/leavers.ts'
import type { Services } from '../../core/services.ts'
import { bump } from '../../core/settings.ts'
import { endSessions } from '../../people/auth/index.ts'
import { administratorsAmong } from '../../people/organisation/index.ts'

/** Maximum number of listed items per kind. */
const mostNamed = 200

interface Listed {
  readonly leaver: Leaver
  readonly part: HandoverPart
}

interface Person {
  readonly id: number
  readonly name: string
  readonly account: string
  readonly state: string
}

async function listAll(tx: Tx, leavers: readonly Leaver[], who: Handover): Promise<Listed[]> {
  const all: Listed[] = []
  for (const leaver of leavers) {
    const part = await leaver.list(tx, who)
    if (part.items.length > 0) all.push({ leaver, part })
  }
  return all
}

async function peopleOf(tx: Tx, leaverId: number, successorId: number, ownId: number): Promise<[Person, Person]> {
  const { rows } = await sql<Person>`
    select id, name, account, state from account where id = any(${[leaverId, successorId]})
      and state <> 'disabled'`.execute(tx)
  const leaver = rows.find(({ id }) => id === leaverId) ?? fail('notFound', 'userId')
  const successor = rows.find(({ id }) => id === successorId) ?? fail('notFound', 'successorId')
  if (leaverId === ownId) fail('ownAccount')
  if ((await administratorsAmong(tx, [leaverId])).size > 0) fail('adminAccount')
  if (leaverId === successorId || successor.state !== 'normal') fail('badRequest', unfit)
  return [leaver, successor]
}

const unfit = {
  zh: '接收人须是另一个正常使用的账号',
  en: 'the successor must be another account that is in use',
} as const

/** The answer: counts are complete, lists may be truncated. */
function toAnswer(all: readonly Listed[]) {
  return {
    parts: all.map(({ leaver, part }) => {
      const count = (outcome: string): number => part.items.filter((item) => item.outcome === outcome).length
      return {
        kind: leaver.kind,
        count: part.count ?? part.items.length,
        bytes: part.bytes ?? 0,
        passes: count('passes'),
        merges: count('merges'),
        ends: count('ends'),
        waits: count('waits'),
        // Items that do not simply pass are listed first.
        items: [
          ...part.items.filter(({ outcome }) => outcome === 'waits'),
          ...part.items.filter(({ outcome }) => outcome !== 'waits'),
        ]
          .slice(0, mostNamed)
          .map(({ name, detail = '', outcome, why = '' }) => ({ name, detail, outcome, why })),
      }
    }),
    seen: createHash('sha256')
      .update(JSON.stringify(all.map(({ leaver, part }) => [leaver.kind, part])))
      .digest('base64url'),
  }
}

/** The handlers of the handover. */
export function leaverHandlers({ leavers }: Pick<Services, 'leavers'>) {
  return implement(features.leavers.calls, {
    async getHandover(context, { userId, successorId }) {
      const { db, now } = context
      const ownId = actorOf(context).accountId
      return db.transaction().execute(async (tx) => {
        await peopleOf(tx, userId, successorId, ownId)
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from session where account_id = ${userId} and expires_at > ${now}`.execute(tx)
        const all = await listAll(tx, leavers(), { leaverId: userId, successorId, now })
        return { ...toAnswer(all), sessions: rows[0]?.n ?? 0 }
      })
    },

    async handOver(context, { userId, successorId, seen }) {
      const { tx, now } = context
      // Serialized with concurrent freezes and changes of administrative powers.
      await sql`
        select 1 from account where id = any(${[userId, successorId]}) order by id for no key update`.execute(tx)
      const [leaver, successor] = await peopleOf(tx, userId, successorId, actorOf(context).accountId)
      const who = { leaverId: userId, successorId, now }
      const all = await listAll(tx, leavers(), who)
      const plan = toAnswer(all)
      if (plan.seen !== seen) return { ...plan, done: false, sessions: 0 }
      for (const { leaver: one, part } of all) await one.carryOut(context, who, part.items)
      await sql`update account set state = 'frozen' where id = ${userId}`.execute(tx)
      const ended = await endSessions(tx, userId, { programs: true })
      if (ended !== undefined) context.event(ended)
      context.changed({ kind: 'person', change: { accountId: userId, name: leaver.name, what: 'state' } })
      context.event({ kind: 'refetch', accountIds: [successorId] })
      await bump(tx, 'organisation')
      context.audit({
        userId,
        account: leaver.account,
        to: successor.account,
        ...Object.fromEntries(plan.parts.map(({ kind, count }) => [kind, count])),
      })
      return { ...plan, done: true, sessions: ended?.sessionIds.length ?? 0 }
    },
  })
}
