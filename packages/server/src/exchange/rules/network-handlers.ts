// Administration of the networks that files are exchanged with, and of the key of this server.
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Handlers } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { changeRules, isMissing, publicKey } from './changes.ts'
import { addKey, ownKey, readPublicKey } from './keys.ts'
import { readNetworks } from './rules.ts'

/** The handlers of networks and keys. */
export function networkHandlers({
  secrets,
}: Pick<Services, 'secrets'>): Pick<
  Handlers<typeof features.exchangeRules.calls>,
  'setExchangeNetwork' | 'removeExchangeNetwork' | 'renewExchangeKey'
> {
  return {
    async setExchangeNetwork(context, { targetServerCode: code, targetName, description, serverId, peerKey }) {
      const { tx, now } = context
      if (serverId !== 0 && (await isMissing(tx, 'linked_server', [serverId]))) return fail('notFound', 'serverId')
      await changeRules(context)
      const [before] = await readNetworks(tx, code)
      const known = before?.peerKeys ?? []
      const key = peerKey.trim() === '' ? undefined : readPublicKey(peerKey)
      if (peerKey.trim() !== '' && key === undefined)
        return fail('badRequest', { zh: '这不是对方服务器的公钥', en: 'peerKey: this is no public key of a server' })
      const own = await ownKey(tx, secrets, now)
      if (key?.text === own.text)
        return fail('badRequest', { zh: '这是本服务器的公钥', en: 'peerKey: this is the key of this server' })
      const keys =
        key === undefined || known[0]?.text === key.text
          ? known
          : [{ text: key.text, since: now }, ...known.filter(({ text }) => text !== key.text)].slice(0, 10)
      const row = { name: targetName, description, server_id: serverId === 0 ? null : serverId }
      const values = { ...row, peer_keys: JSON.stringify(keys) as never }
      await tx
        .insertInto('exchange_network')
        .values({ code, ...values, created_at: now })
        .onConflict((conflict) => conflict.column('code').doUpdateSet(values))
        .execute()
      context.audit({ targetServerCode: code, ...(key !== undefined && { fingerprint: key.fingerprint }) })
      return {}
    },

    async removeExchangeNetwork(context, { targetServerCode }) {
      await changeRules(context)
      const gone = await context.tx
        .deleteFrom('exchange_network')
        .where('code', '=', targetServerCode)
        .executeTakeFirst()
      if (gone.numDeletedRows === 0n) return fail('notFound', 'targetServerCode')
      context.audit({ targetServerCode })
      return {}
    },

    async renewExchangeKey(context) {
      const { tx, now } = context
      await sql`select pg_advisory_xact_lock(hashtext('exchange_key'))`.execute(tx)
      await sql`update exchange_key set retired_at = ${now} where retired_at is null`.execute(tx)
      await addKey(tx, secrets, now)
      const key = await ownKey(tx, secrets, now)
      context.audit({ fingerprint: key.fingerprint })
      return publicKey(key)
    },
  }
}
