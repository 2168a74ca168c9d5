// Linked servers: the list, the sign-in of their users, and copies from them ([R123], [R343], [R345]).
import { features } from '@cloudoc/contract'
import { fail, mainServerId } from '@cloudoc/domain'
import { actorOf, whileAsked } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { isForbiddenHost } from '../../core/outbound-http.ts'
import { sameSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { accountKey, attempt, openSession, type Proof } from '../../people/auth/index.ts'
import { copyFrom } from './copy.ts'
import { openRemote, type RemoteTimes, signTicket } from './remote.ts'

export type { RemoteTimes } from './remote.ts'

/** The name of a server whose company has no name. */
const productName = '云文档'
/** Maximum remaining validity of an arriving ticket: its lifetime plus clock differences. */
const ticketMost = 3 * 60_000
/** The tickets of other servers that have signed somebody in. Each is valid once. */
const usedTickets = oneTimeToken<Record<string, never>>('serverTicket')

/** The handlers of the calls about other servers. */
export function serverHandlers({ blobs }: Pick<Services, 'blobs'>, times: RemoteTimes) {
  return implement(features.servers.calls, {
    async getServerList(context) {
      const rows = await context.db
        .selectFrom('linked_server')
        .select(['id as serverId', 'name as serverName', 'api_host as apiHost'])
        .orderBy('id')
        .execute()
      const main = {
        serverId: mainServerId,
        serverName: actorOf(context).settings.company_name || productName,
        apiHost: '',
      }
      return { list: [{ ...main, isMain: true }, ...rows.map((row) => ({ ...row, isMain: false }))] }
    },

    async setLinkedServer(context, { serverId, serverName, apiHost, key }) {
      if (isForbiddenHost(apiHost))
        return fail('badRequest', {
          zh: '不能使用链路本地地址或云平台的元数据地址',
          en: 'apiHost: no link-local address and no metadata service',
        })
      const row = { name: serverName, api_host: apiHost, key }
      await context.tx
        .insertInto('linked_server')
        .values({ id: serverId, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute()
      context.audit({ serverId, apiHost })
      return {}
    },

    async removeLinkedServer(context, { serverId }) {
      const gone = await context.tx
        .deleteFrom('linked_server')
        .where('id', '=', serverId)
        .returning('id')
        .executeTakeFirst()
      if (gone === undefined) return fail('interconnectedServerMissing')
      context.audit({ serverId })
      return {}
    },

    async loginByServer(context, { signature, ...ticket }) {
      const { db, now, address } = context
      const { account, clientType, expiresAt, nonce } = ticket
      const tried = await attempt(db, undefined, address, now)
      const servers = await db.selectFrom('linked_server').select('key').execute()
      const isSigned = servers.some(({ key }) => sameSecret(signTicket(ticket, key), signature))
      if (!isSigned || expiresAt <= now || expiresAt > now + ticketMost) {
        return tried.wrong('interconnectedServerInvalid', true, { call: 'loginByServer', accountId: null })
      }
      const proof: Proof = {
        // The other server has asked for the second factor.
        skipsSecondFactor: true,
        async account({ tx }) {
          const isNew = await usedTickets.issueAs(tx, nonce, { value: {}, expiresAt: now + 2 * ticketMost })
          if (!isNew) return fail('interconnectedServerInvalid')
          const person = await tx
            .selectFrom('account')
            .select(['id', 'is_admin'])
            .where('account_key', '=', accountKey(account))
            .executeTakeFirst()
          // Another server can vouch for users, but not for the first administrator.
          return person === undefined || person.is_admin ? fail('notFound') : person.id
        },
      }
      const { token } = await openSession(context, proof, { clientType })
      return { accessToken: token }
    },

    async copyFilesAndFolders(context, input) {
      const { sourceServerId, sourceFileIds, sourceFolderIds, targetFolderId, conflict } = input
      const server = await context.db
        .selectFrom('linked_server')
        .select(['api_host', 'key'])
        .where('id', '=', sourceServerId)
        .executeTakeFirst()
      if (server === undefined) return fail('interconnectedServerMissing')
      return whileAsked(context, async (signal) => {
        const remote = await openRemote(server, actorOf(context).account, context.now, { signal, times })
        try {
          const wanted = [
            ...sourceFolderIds.map((fId) => ({ fType: 2 as const, fId })),
            ...sourceFileIds.map((fId) => ({ fType: 1 as const, fId })),
          ]
          const place = { folderId: targetFolderId, conflict }
          return await copyFrom(context, blobs, remote, wanted, place, localeOf(context.request))
        } finally {
          await remote.close()
        }
      })
    },
  })
}
