// The calls that linked servers make here: who they are is proven by their signatures.
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { attempt, openSession, type Proof } from '../../people/auth/index.ts'
import { accountOfTraveller } from './accounts.ts'
import { type GreetingText, greetingText, isKeyProven } from './greeting.ts'
import { currentKey, ownKey } from './keys.ts'
import { readMessage, takeMessage } from './messages.ts'
import { productName, trustKey } from './registry.ts'
import { sessionText } from './remote.ts'

type OfServers = Handlers<typeof features.servers.calls>
type DoorCall = 'getServerCard' | 'greetServer' | 'announceServerKey' | 'loginByServer' | 'acceptServerAccount'

/** The handlers of the calls that other servers make. */
export function doorHandlers({
  secrets,
  settings,
  backups: { product: version },
}: Pick<Services, 'secrets' | 'settings' | 'backups'>): Pick<OfServers, DoorCall> {
  const nameOf = async () => (await settings.current()).company_name || productName
  return {
    async getServerCard({ db, now }) {
      const { publicKey } = await currentKey(db, secrets, now)
      const { setting } = await settings.current()
      return { serverName: await nameOf(), serverCode: setting.server_code, version, publicKey, time: now }
    },

    async greetServer({ db, now }, input) {
      const key = await ownKey(db, secrets, input.to)
      if (key === undefined) return fail('interconnectedServerInvalid')
      const read = await readMessage(db, secrets, 'greetServer', input, now)
      if (read === 'forged' || read === 'otherKey') return fail('interconnectedServerInvalid')
      const refused = typeof read === 'string' ? read : read.isOldKey ? ('revoked' as const) : undefined
      const text: GreetingText & { answer: 'ok' | 'unknown' | 'revoked' | 'paused' | 'clock' } = {
        answer: refused ?? 'ok',
        time: now,
        version,
        serverName: await nameOf(),
      }
      return { ...text, signature: key.sign(greetingText(input.nonce, text)) }
    },

    async announceServerKey(context, input) {
      const { tx, now } = context
      const read = await readMessage(tx, secrets, 'announceServerKey', input, now)
      if (typeof read === 'string' || !isKeyProven(input.from, input.newKey, input.proof))
        return fail('interconnectedServerInvalid')
      const { peer } = read
      context.audit({ serverId: peer.id })
      // Repeated, because the first answer was lost.
      if (read.isOldKey) {
        const row = await tx
          .selectFrom('linked_server_key')
          .select('next_key')
          .where('public_key', '=', input.from)
          .executeTakeFirstOrThrow()
        return row.next_key === input.newKey ? {} : fail('interconnectedServerInvalid')
      }
      await trustKey(tx, peer.id, input.newKey, now)
      await tx.updateTable('linked_server').set({ public_key: input.newKey }).where('id', '=', peer.id).execute()
      return {}
    },

    async loginByServer(context, input) {
      const { db, now, address } = context
      const { account, accountId, clientType } = input
      const tried = await attempt(db, undefined, address, now)
      const read = await readMessage(db, secrets, 'loginByServer', input, now)
      if (typeof read === 'string' || read.isOldKey || !read.peer.admits)
        return tried.wrong('interconnectedServerInvalid', true, { call: 'loginByServer', accountId: null })
      const { peer } = read
      const proof: Proof = {
        // The other server has asked for the second factor.
        skipsSecondFactor: true,
        keepsOthers: true,
        async account({ tx }) {
          await takeMessage(tx, secrets, 'loginByServer', input, now)
          return (await accountOfTraveller(tx, peer, { accountId, account })) ?? fail('notFound')
        },
        opened: async ({ tx }, sessionId) => {
          await tx.updateTable('session').set({ via_server: peer.id }).where('id', '=', sessionId).execute()
        },
      }
      const { token, ...person } = await openSession(context, proof, { clientType })
      const key = (await ownKey(db, secrets, input.to)) ?? fail('interconnectedServerInvalid')
      return {
        ...{ accessToken: token, account: person.account, accountName: person.name, userId: person.accountId },
        signature: key.sign(sessionText(input.nonce, token)),
      }
    },

    async acceptServerAccount(context, input) {
      const { tx, now } = context
      const peer = await takeMessage(tx, secrets, 'acceptServerAccount', input, now)
      const actor = actorOf(context)
      if (!peer.admits || actor.isGuest) return fail('interconnectedServerInvalid')
      const row = { their_account: input.account, account_id: actor.accountId, created_at: now }
      await tx
        .insertInto('linked_account')
        .values({ server_id: peer.id, their_number: input.accountId, ...row })
        .onConflict((conflict) => conflict.columns(['server_id', 'their_number']).doUpdateSet(row))
        .execute()
      context.audit({ serverId: peer.id, account: input.account })
      return {}
    },
  }
}
