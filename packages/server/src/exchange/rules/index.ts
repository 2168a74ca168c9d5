// Administration of the exchange across networks: rules, networks, keys.
import { type ExchangeRule, features } from '@cloudoc/contract'
import {
  type CodeName,
  codes,
  fail,
  levelsWithoutApprover,
  matchExchange,
  obstacleIn,
  ResultError,
  type WantedExchange,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { changeRules, isMissing, publicKey } from './changes.ts'
import { ownKey, peerKeyOf } from './keys.ts'
import { networkHandlers } from './network-handlers.ts'
import { exchangeRounds, readExchangeRules, readNetworks, rulesOfSender, type StoredRule } from './rules.ts'
import type { RuleSubject } from './tables.ts'

export { rulesChanged } from './changes.ts'

export {
  isSignedBy,
  type OwnKey,
  ownKey,
  ownKeys,
  type PublicKey,
  peerKeyOf,
  readPublicKey,
  retiredKeyMs,
} from './keys.ts'
export {
  exchangeRounds,
  mayDecideExchange,
  type Network,
  readNetworks,
  rulesOfSender,
  type StoredRule,
} from './rules.ts'

const tableOf = { user: 'account', group: 'org_group', role: 'role' } as const

interface EditedRule {
  readonly subjects: readonly RuleSubject[]
  readonly itemIds: readonly number[]
  readonly targetServerCode: string
  readonly maxLevel: number
  readonly levels: StoredRule['levels']
}

/** Refuses what does not exist, and levels that nobody could approve. */
async function checkRule(tx: Tx, { subjects, itemIds, targetServerCode, levels, maxLevel }: EditedRule): Promise<void> {
  for (const type of ['user', 'group', 'role'] as const) {
    const ids = subjects.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId)
    if (await isMissing(tx, tableOf[type], ids)) fail('notFound', 'subjects')
  }
  for (const { by, ids } of levels.flatMap(({ rounds }) => rounds)) {
    const named = by === 'people' || by === 'role'
    if (named && ids.length === 0) fail('levelWithoutApprover')
    if (named && (await isMissing(tx, by === 'people' ? 'account' : 'role', ids))) fail('notFound', 'levels')
  }
  if (await isMissing(tx, 'item', itemIds)) fail('notFound', 'itemIds')
  if ((await readNetworks(tx, targetServerCode)).length === 0) fail('notFound', 'targetServerCode')
  const [level] = levelsWithoutApprover({ levels, maxLevel })
  if (level !== undefined)
    fail('levelWithoutApprover', {
      zh: `密级 ${level} 还没有审批人，也没有设为不审批`,
      en: `level ${level} has no approver and is not set to leave without one`,
    })
}

/** An extension as rules hold it. */
const plainExt = (ext: string): string => ext.trim().replace(/^\./, '').toLowerCase()

/** The handlers of the administration. */
export function exchangeRuleHandlers({ secrets, settings }: Pick<Services, 'secrets' | 'settings'>) {
  return implement(features.exchangeRules.calls, {
    async getExchangeAdministration({ db, now }) {
      const rules = await readExchangeRules(db)
      const networks = await readNetworks(db)
      const { rows: servers } = await sql<{ serverId: number; serverName: string; apiHost: string }>`
        select id as "serverId", name as "serverName", api_host as "apiHost" from linked_server order by id`.execute(db)
      const { rows: libraries } = await sql<{ libraryId: number; name: string }>`
        select l.id as "libraryId", i.name from library l join item i on i.id = l.id
        where l.kind <> 'personal' and i.deleted_at is null order by i.name, l.id limit 500`.execute(db)
      return {
        rules: await withNames(db, rules),
        networks: networks.map(({ code, name, description, serverId, peerKeys }) => {
          const server = servers.find((one) => one.serverId === serverId)
          const peer = peerKeyOf(peerKeys)
          return {
            ...{ targetServerCode: code, targetName: name, description, serverId: serverId ?? 0 },
            transport: serverId === null ? ('bundle' as const) : ('wire' as const),
            ...{ serverName: server?.serverName ?? '', apiHost: server?.apiHost ?? '' },
            peerKey: peer === undefined ? null : publicKey({ ...peer, createdAt: peerKeys[0]?.since ?? 0 }),
            ruleCount: rules.filter(({ targetServerCode }) => targetServerCode === code).length,
          }
        }),
        servers: servers.map(({ serverId, serverName }) => ({ serverId, serverName })),
        libraries,
        ownKey: publicKey(await ownKey(db, secrets, now)),
      }
    },

    async setExchangeRule(context, { ruleId, ...input }) {
      const { tx } = context
      const levels = input.levels.toSorted((a, b) => a.level - b.level)
      await checkRule(tx, { ...input, levels })
      await changeRules(context)
      const values = {
        ...{ name: input.name, is_active: input.isActive, until_at: input.until },
        network_code: input.targetServerCode,
        subjects: JSON.stringify(input.subjects) as never,
        item_ids: [...new Set(input.itemIds)],
        receivers: [...new Set(input.receivers.map((name) => name.trim()))],
        exts: [...new Set(input.exts.map(plainExt))],
        ...{ max_level: input.maxLevel, max_files: input.maxFiles, max_bytes: input.maxBytes },
        needs_password: input.requirePwd,
        levels: JSON.stringify(levels.filter(({ level }) => level <= input.maxLevel)) as never,
        ...{ hours: input.hours, at_deadline: input.atDeadline },
      }
      context.audit({ targetServerCode: input.targetServerCode })
      if (ruleId !== 0) {
        const changed = await tx.updateTable('exchange_rule').set(values).where('id', '=', ruleId).executeTakeFirst()
        return changed.numUpdatedRows === 0n ? fail('notFound', 'ruleId') : { ruleId }
      }
      const { rows } = await sql<{ position: number }>`
        select coalesce(max(position), 0)::int + 1 as position from exchange_rule`.execute(tx)
      const added = await tx
        .insertInto('exchange_rule')
        .values({ ...values, position: rows[0]?.position ?? 1 })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { ruleId: added.id }
    },

    async removeExchangeRule(context, { ruleId }) {
      await changeRules(context)
      const gone = await context.tx.deleteFrom('exchange_rule').where('id', '=', ruleId).executeTakeFirst()
      if (gone.numDeletedRows === 0n) return fail('notFound', 'ruleId')
      return {}
    },

    async orderExchangeRules(context, { ruleIdArray }) {
      const { tx } = context
      await changeRules(context)
      const { rows } = await sql<{ id: number }>`select id from exchange_rule order by id`.execute(tx)
      const wanted = [...new Set(ruleIdArray)]
      if (wanted.length !== rows.length || rows.some(({ id }) => !wanted.includes(id)))
        return fail('notFound', 'ruleIdArray')
      await sql`
        update exchange_rule r set position = w.n
        from unnest(${wanted}::bigint[]) with ordinality w (id, n) where r.id = w.id`.execute(tx)
      return {}
    },

    async tryExchangeRules({ db, now }, { userId, folderId, ext, secretLevel, targetServerCode, receiver }) {
      const sender = (await loadAccounts(db as Tx, settings, [userId], now)).get(userId)
      if (sender === undefined) return fail('notFound', 'userId')
      const { rows: above } = await sql<{ id: number }>`
        with recursive up as (
          select id, parent_id from item where id = ${folderId} and f_type = 2
          union all select i.id, i.parent_id from up join item i on i.id = up.parent_id
        ) select id from up`.execute(db)
      const wanted: WantedExchange = {
        targetServerCode,
        files: [{ id: 0, path: above.map(({ id }) => id), ext: plainExt(ext), level: secretLevel, bytes: 0 }],
        receivers: receiver === '' ? [] : [{ account: receiver, name: receiver, groups: [] }],
        mostFiles: sender.settings.inner.exchange_files,
      }
      const inForce = await rulesOfSender(db, sender, now)
      const found = matchExchange(inForce, wanted)
      const decides = 'rule' in found ? found.rule : undefined
      const ofNetwork = (await readExchangeRules(db)).filter((rule) => rule.targetServerCode === targetServerCode)
      const upTo =
        decides === undefined ? undefined : ofNetwork.findIndex(({ ruleId }) => ruleId === decides.ruleId) + 1
      const tried = ofNetwork.slice(0, upTo).map((rule) => {
        const { ruleId, name: ruleName, isActive, until } = rule
        const isTheirs = inForce.some((one) => one.ruleId === ruleId)
        const unused: 'off' | 'over' | 'sender' | undefined = !isActive
          ? 'off'
          : until !== null && until <= now
            ? 'over'
            : isTheirs
              ? undefined
              : 'sender'
        return { ruleId, ruleName, reason: unused ?? obstacleIn(rule, wanted) ?? ('decides' as const) }
      })
      const rule = {
        ruleId: decides?.ruleId ?? 0,
        ruleName: decides?.name ?? '',
        requirePwd: decides?.requirePwd ?? false,
      }
      const refused = (code: CodeName) => ({ ...rule, tried, result: codes[code].code, rounds: [] })
      if ('refusal' in found) return refused(found.refusal.code)
      const approval = found.rule.levels.find(({ level }) => level === secretLevel)
      if (approval === undefined) return refused('levelWithoutApprover')
      const itemId = above[0]?.id ?? null
      try {
        const rounds = await exchangeRounds({ tx: db as Tx, now, itemId, launcherId: userId }, approval)
        const names = await namesOf(
          db,
          'account',
          rounds.flatMap(({ who }) => who.map(({ accountId }) => accountId)),
        )
        return {
          ...{ ...rule, tried, result: 0 },
          rounds: rounds.map(({ needed, who }) => ({
            needed,
            names: who.map(({ accountId }) => names.get(accountId) ?? ''),
          })),
        }
      } catch (error) {
        if (error instanceof ResultError) return refused(error.code)
        throw error
      }
    },

    ...networkHandlers({ secrets }),
  })
}

async function namesOf(db: Db, table: string, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from ${sql.table(table)} where id = any(${[...new Set(ids)]})`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The rules with the names of their subjects, reviewers and folders. */
async function withNames(db: Db, rules: readonly StoredRule[]): Promise<ExchangeRule[]> {
  const subjects = rules.flatMap((rule) => rule.subjects)
  const rounds = rules.flatMap(({ levels }) => levels.flatMap((level) => level.rounds))
  const idsOf = (type: string, by?: string): number[] => [
    ...subjects.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId),
    ...rounds.filter((round) => round.by === by).flatMap(({ ids }) => ids),
  ]
  const names = {
    user: await namesOf(db, 'account', idsOf('user', 'people')),
    group: await namesOf(db, 'org_group', idsOf('group')),
    role: await namesOf(db, 'role', idsOf('role', 'role')),
    item: await namesOf(
      db,
      'item',
      rules.flatMap(({ itemIds }) => itemIds),
    ),
  }
  return rules.map(({ itemIds, ...rule }) => ({
    ...rule,
    ...{ receivers: [...rule.receivers], exts: [...rule.exts] },
    subjects: rule.subjects.map((one) => ({
      ...one,
      subjectName: one.subjectType === 'everybody' ? '' : (names[one.subjectType].get(one.subjectId) ?? ''),
    })),
    items: itemIds.flatMap((fId) => {
      const fName = names.item.get(fId)
      return fName === undefined ? [] : [{ fId, fName }]
    }),
    levels: rule.levels.map((level) => ({
      ...level,
      rounds: level.rounds.map((round) => ({
        ...round,
        ids: [...round.ids],
        names: round.ids.flatMap((id) => {
          const name = (round.by === 'role' ? names.role : names.user).get(id)
          return name === undefined ? [] : [{ id, name }]
        }),
      })),
    })),
  }))
}
