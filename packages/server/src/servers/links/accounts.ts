/*
 * Which account of one server belongs to a person of another. A server that is asked to sign somebody in takes the
 * account that the person has confirmed by its password; otherwise, if the link says so, the account of the same name.
 */
import { calls, callsByName, placeInput } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import type { Db } from '../../core/db/database.ts'
import { accountKey } from '../../people/auth/index.ts'
import type { Caller } from './calls.ts'
import { keyFor, type Peer, signMessage } from './messages.ts'
import { parseKnown } from './newer-answers.ts'
import { requestAs, type Traveller } from './remote.ts'
import { withPeer } from './states.ts'
import { dataOf, PeerFailure, requestPeer, usualTimes } from './transport.ts'

/** The client type under which a password is tried at a linked server. */
const confirmingClient = 199

/** The account here of a person of a linked server; undefined if there is none that it may vouch for. */
export async function accountOfTraveller(db: Db, peer: Peer, person: Traveller): Promise<number | undefined> {
  const confirmed = await db
    .selectFrom('linked_account as l')
    .innerJoin('account as a', 'a.id', 'l.account_id')
    .select(['a.id', 'a.is_admin'])
    .where('l.server_id', '=', peer.id)
    .where('l.their_number', '=', person.accountId)
    .executeTakeFirst()
  const found =
    confirmed ??
    (peer.same_names
      ? await db
          .selectFrom('account')
          .select(['id', 'is_admin'])
          .where('account_key', '=', accountKey(person.account))
          .executeTakeFirst()
      : undefined)
  // Another server can vouch for users, but not for the first administrator.
  return found === undefined || found.is_admin ? undefined : found.id
}

interface Confirmed {
  readonly serverId: number
  readonly userName: string
  readonly password: string
  readonly factorCode?: string | undefined
}

/**
 * Signs a person in at a linked server with the password of their account there, and lets that server remember the
 * account. The password is stored nowhere here.
 */
export async function linkAccount(
  caller: Caller,
  { accountId, account }: Traveller,
  { serverId, userName, password, factorCode }: Confirmed,
  signal: AbortSignal,
): Promise<{ account: string; accountName: string }> {
  const { db, secrets, now, times = usualTimes } = caller
  return withPeer({ db, now, times }, serverId, async (peer) => {
    const send = async (
      name: 'login3' | 'acceptServerAccount' | 'logout2',
      input: Readonly<Record<string, unknown>>,
      token?: string,
    ) => {
      const { method, path, body } = placeInput(callsByName[name], input)
      const asked = {
        ...{ method, signal, timeMs: times.answerMs },
        ...(body && { body: body.text, headers: { 'content-type': body.type } }),
      }
      return dataOf(
        await (token === undefined ? requestPeer(peer, path, asked) : requestAs(peer, { token }, path, asked)),
      )
    }
    const typed = { userName, password, clientType: confirmingClient, ...(factorCode !== undefined && { factorCode }) }
    const parsed = parseKnown(calls.login3.data, await send('login3', { ...typed, serverId: 0 }))
    if (!parsed.success) throw new PeerFailure('interconnectedServerFaulty', 'answer', 'login3: not its schema')
    const { accessToken, accountInfo } = parsed.data
    if (accessToken === '') return fail('interconnectedServerFaulty')
    try {
      const key = await keyFor(db, secrets, peer, now())
      await send(
        'acceptServerAccount',
        signMessage('acceptServerAccount', { account, accountId }, { key, peer, now: now() }),
        accessToken,
      )
    } finally {
      await send('logout2', {}, accessToken).catch(() => {})
    }
    return { account: accountInfo.account, accountName: accountInfo.accountName }
  })
}
