// The registry of linked servers, as people and administrators see and change it.

import type { features, ServerState } from '@cloudoc/contract'
import { fail, mainServerId } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext, whileAsked } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { isForbiddenHost } from '../../core/outbound-http.ts'
import { createSettings } from '../../core/settings.ts'
import { linkAccount } from './accounts.ts'
import { describeAuthorities, pinnedAuthorities } from './authorities.ts'
import type { Caller } from './calls.ts'
import { readCard } from './card.ts'
import { checkPeer } from './greeting.ts'
import { currentKey, fingerprintOf, makeKey } from './keys.ts'
import { findPeer } from './states.ts'

/** The name of a server whose company has no name. */
export const productName = '云文档'

/** The name of a server by its number. */
export async function nameOfServer(db: Db, serverId: number): Promise<string> {
  if (serverId === mainServerId) return (await createSettings(db).current()).company_name || productName
  return (await findPeer(db, serverId)).name
}

type OfServers = Handlers<typeof features.servers.calls>
type RegistryCall =
  | 'getServerList'
  | 'getLinkedServers'
  | 'probeServer'
  | 'setLinkedServer'
  | 'pauseLinkedServer'
  | 'checkLinkedServer'
  | 'removeLinkedServer'
  | 'rotateServerKey'
  | 'revokeLinkedKey'
  | 'linkServerAccount'

const stateOf = (row: { readonly is_paused: boolean; readonly visits: boolean; readonly state: ServerState }) =>
  row.is_paused || !row.visits ? ('paused' as const) : row.state

type KeyRow = {
  readonly public_key: string
  readonly since: number
  readonly retired_at: number | null
  readonly revoked_at: number | null
}

const keyOf = ({ public_key: publicKey, since, retired_at, revoked_at }: KeyRow) => ({
  publicKey,
  fingerprint: fingerprintOf(publicKey),
  since,
  state: revoked_at !== null ? ('revoked' as const) : retired_at !== null ? ('retired' as const) : ('current' as const),
})

/** The linked servers with everything that administrators see of them. */
async function listForAdministrators(db: Db, current: string) {
  const [rows, keys, confirmed] = await Promise.all([
    db.selectFrom('linked_server').selectAll().orderBy('id').execute(),
    db.selectFrom('linked_server_key').selectAll().orderBy('since', 'desc').execute(),
    db
      .selectFrom('linked_account')
      .select(['server_id', sql<number>`count(*)::int`.as('count')])
      .groupBy('server_id')
      .execute(),
  ])
  const keysOf = Map.groupBy(keys, (key) => key.server_id)
  const countOf = new Map(confirmed.map((row) => [row.server_id, row.count]))
  return rows.map((row) => ({
    ...{ serverId: row.id, serverName: row.name, apiHost: row.api_host, serverCode: row.server_code },
    ...{ caCertificate: row.ca_certificate, authorities: describeAuthorities(row.ca_certificate) },
    ...{ bestServer: row.best_server, admits: row.admits, visits: row.visits, sameNames: row.same_names },
    ...{ isPaused: row.is_paused, checkedWith: row.checked_with, checkedAt: row.checked_at },
    state: row.is_paused ? ('paused' as const) : row.state,
    ...{ cause: row.cause, detail: row.cause_detail, since: row.state_since, seenAt: row.seen_at },
    ...{ failures: row.failures, latencyMs: row.latency_ms, version: row.version },
    knowsKey: row.told_key === current,
    keys: (keysOf.get(row.id) ?? []).map(keyOf),
    confirmed: countOf.get(row.id) ?? 0,
  }))
}

/** The next number that no server has had: keys of removed servers keep theirs. */
async function nextNumber(tx: Tx): Promise<number> {
  await sql`lock table linked_server in share row exclusive mode`.execute(tx)
  const { rows } = await sql<{ next: number }>`
    select greatest((select max(id) from linked_server), (select max(server_id) from linked_server_key), 0) + 1 as next`.execute(
    tx,
  )
  return rows[0]?.next ?? 1
}

/** Trusts a key of a server; the one before is kept for what it has signed. */
export async function trustKey(tx: Tx, serverId: number, publicKey: string, now: number): Promise<void> {
  const known = await tx
    .selectFrom('linked_server_key')
    .select(['server_id', 'revoked_at'])
    .where('public_key', '=', publicKey)
    .executeTakeFirst()
  if (known !== undefined && known.revoked_at !== null)
    return fail('alreadyExists', { zh: '这个密钥已被撤销', en: 'this key was revoked' })
  if (known !== undefined && known.server_id !== serverId) {
    const other = await tx
      .selectFrom('linked_server')
      .select('name')
      .where('id', '=', known.server_id)
      .executeTakeFirst()
    if (other !== undefined)
      return fail('alreadyExists', {
        zh: `这个密钥属于“${other.name}”`,
        en: `this key belongs to “${other.name}”`,
      })
  }
  await tx
    .updateTable('linked_server_key')
    .set({ retired_at: now, next_key: publicKey })
    .where('server_id', '=', serverId)
    .where('public_key', '<>', publicKey)
    .where('retired_at', 'is', null)
    .execute()
  const row = { server_id: serverId, retired_at: null, next_key: '' }
  await tx
    .insertInto('linked_server_key')
    .values({ public_key: publicKey, since: now, ...row })
    .onConflict((conflict) => conflict.column('public_key').doUpdateSet(row))
    .execute()
}

/** Ends the sessions that a linked server has opened here. */
async function endItsSessions(context: WriteContext, serverId: number): Promise<void> {
  const ended = await context.tx.deleteFrom('session').where('via_server', '=', serverId).returning('id').execute()
  if (ended.length > 0) context.event({ kind: 'session', sessionIds: ended.map((row) => row.id), elsewhere: false })
}

/** The handlers of the registry. */
export function registryHandlers(caller: Caller): Pick<OfServers, RegistryCall> {
  const { secrets } = caller
  return {
    async getServerList(context) {
      const { settings, isGuest } = actorOf(context)
      const rows = await context.db
        .selectFrom('linked_server')
        .select(['id', 'name', 'api_host', 'server_code', 'best_server', 'state', 'state_since', 'latency_ms'])
        .select(['is_paused', 'visits'])
        .orderBy('id')
        .execute()
      const main = {
        ...{ serverId: mainServerId, serverName: settings.company_name || productName, isMain: true, apiHost: '' },
        ...{ serverCode: settings.setting.server_code, bestServer: settings.best_server, state: 'ok' as const },
        ...{ since: 0, latencyMs: 0 },
      }
      const linked = rows.map((row) => ({
        ...{ serverId: row.id, serverName: row.name, isMain: false, apiHost: row.api_host },
        ...{ serverCode: row.server_code, bestServer: row.best_server, state: stateOf(row) },
        ...{ since: row.state_since, latencyMs: row.latency_ms },
      }))
      // Guests use this server alone (X51).
      return { list: isGuest ? [main] : [main, ...linked] }
    },

    async getLinkedServers({ db, now }) {
      const current = await currentKey(db, secrets, now)
      const own = await db.selectFrom('server_key').selectAll().orderBy('created_at', 'desc').execute()
      return {
        list: await listForAdministrators(db, current.publicKey),
        keys: own.map((row) => keyOf({ ...row, since: row.created_at })),
      }
    },

    probeServer(context, { apiHost, caCertificate }) {
      if (isForbiddenHost(apiHost)) return forbidden()
      const server = { api_host: apiHost, ca_certificate: pinnedAuthorities(caCertificate) }
      return whileAsked(context, (signal) => readCard(server, signal, context.now))
    },

    async setLinkedServer(context, { serverId: wanted, publicKey, ...input }) {
      const { tx, now } = context
      if (isForbiddenHost(input.apiHost)) return forbidden()
      const own = await currentKey(tx, secrets, now)
      if (own.publicKey === publicKey)
        return fail('alreadyExists', { zh: '这是本服务器自己的密钥', en: 'this is the key of this server itself' })
      const serverId = wanted ?? (await nextNumber(tx))
      const row = {
        ...{ name: input.serverName, api_host: input.apiHost, server_code: input.serverCode },
        ca_certificate: pinnedAuthorities(input.caCertificate),
        ...{ best_server: input.bestServer, admits: input.admits, visits: input.visits },
        ...{ same_names: input.sameNames, checked_with: input.checkedWith },
        ...{ checked_at: input.checkedWith === '' ? 0 : now, public_key: publicKey },
        // It is asked again at once, whatever was found before.
        ...{ retry_at: 0, failures: 0 },
      }
      const before = await tx
        .selectFrom('linked_server')
        .select('public_key')
        .where('id', '=', serverId)
        .forUpdate()
        .executeTakeFirst()
      const isSameKey = before?.public_key === publicKey
      await tx
        .insertInto('linked_server')
        .values({ id: serverId, ...row, told_key: own.publicKey, state: 'ok', cause: '', state_since: now })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({
            ...row,
            ...(!isSameKey && { told_key: own.publicKey, state: 'ok' as const, cause: '' as const, state_since: now }),
          }),
        )
        .execute()
      await trustKey(tx, serverId, publicKey, now)
      if (!input.admits) await endItsSessions(context, serverId)
      context.audit({ serverId, apiHost: input.apiHost })
      return { serverId }
    },

    async pauseLinkedServer(context, { serverId, paused }) {
      const row = await context.tx
        .updateTable('linked_server')
        .set({ is_paused: paused, retry_at: 0 })
        .where('id', '=', serverId)
        .returning('id')
        .executeTakeFirst()
      if (row === undefined) return fail('interconnectedServerMissing')
      if (paused) await endItsSessions(context, serverId)
      context.audit({ serverId })
      return {}
    },

    checkLinkedServer: (context, { serverId }) => whileAsked(context, (signal) => checkPeer(caller, serverId, signal)),

    async removeLinkedServer(context, { serverId }) {
      await endItsSessions(context, serverId)
      const gone = await context.tx
        .deleteFrom('linked_server')
        .where('id', '=', serverId)
        .returning('id')
        .executeTakeFirst()
      if (gone === undefined) return fail('interconnectedServerMissing')
      await context.tx
        .updateTable('linked_server_key')
        .set({ retired_at: context.now })
        .where('server_id', '=', serverId)
        .where('retired_at', 'is', null)
        .execute()
      context.audit({ serverId })
      return {}
    },

    async rotateServerKey({ tx, now }, { revoke }) {
      await currentKey(tx, secrets, now)
      await tx
        .updateTable('server_key')
        .set({ retired_at: now, ...(revoke && { revoked_at: now }) })
        .where((eb) => eb.or([eb('retired_at', 'is', null), eb.and([eb.val(revoke), eb('revoked_at', 'is', null)])]))
        .execute()
      const { publicKey } = await makeKey(tx, secrets, now)
      // The other servers are told soon.
      await tx.updateTable('linked_server').set({ retry_at: 0, seen_at: 0 }).execute()
      return { publicKey, fingerprint: fingerprintOf(publicKey) }
    },

    async revokeLinkedKey(context, { serverId, publicKey }) {
      const { tx, now } = context
      const row = await tx
        .updateTable('linked_server_key')
        .set({ revoked_at: now })
        .where('server_id', '=', serverId)
        .where('public_key', '=', publicKey)
        .returning('public_key')
        .executeTakeFirst()
      if (row === undefined) return fail('notFound')
      await tx
        .updateTable('linked_server')
        .set({ public_key: '', state: 'invalid', cause: 'key', cause_detail: '', state_since: now })
        .where('id', '=', serverId)
        .where('public_key', '=', publicKey)
        .execute()
      await endItsSessions(context, serverId)
      context.audit({ serverId })
      return {}
    },

    async linkServerAccount(context, input) {
      const linked = await whileAsked(context, (signal) => linkAccount(caller, actorOf(context), input, signal))
      return context.commit((write) => {
        write.audit({ serverId: input.serverId, account: linked.account })
        return Promise.resolve(linked)
      })
    },
  }
}

function forbidden(): never {
  return fail('badRequest', {
    zh: '不能使用链路本地地址或云平台的元数据地址',
    en: 'apiHost: no link-local address and no metadata service',
  })
}
