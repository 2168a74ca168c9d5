// Logins in batches: authenticates them, counts what follows, and starts the delivery.
import { limits, ResultError } from '@cloudoc/domain'
import { batched, type Outcome } from '../batcher.ts'
import { catchUpBatch } from './catch-up.ts'
import { beforeWelcome, type Channel, type Client, isOpen } from './clients.ts'
import type { Login } from './connections.ts'
import { addUnconfirmed, decide, type Frame, readFrom } from './delivery.ts'
import { batchMost, readAfter, readHead } from './event-log.ts'
import type { LiveReader } from './live-reader.ts'
import { createReceivers } from './receivers.ts'

/** Maximum replay. A client further behind must fetch again. */
const longestReplay = 10_000

/** Returns the function that logs a client in. */
export function createLogins(channel: Channel, live: LiveReader): (login: Login) => Promise<Client> {
  const { db, sees, sessions, frames, clients } = channel

  const enter = (
    { socket, wire, address }: Login,
    found: Pick<Client, 'actor' | 'version' | 'joinedAt' | 'replayAfter'>,
  ): Client => {
    const heardAt = channel.steady()
    const client: Client = {
      socket,
      wire,
      address,
      cursor: beforeWelcome,
      ...found,
      stalledAt: undefined,
      heardAt,
      // Spreads the heartbeats of clients that connect at the same time.
      heartbeatAt: heardAt + limits.heartbeatMs * Math.random(),
    }
    clients.all.add(client)
    return client
  }

  /** Counts the events that follow each login, for clients that have any. */
  const countBacklog = async (group: readonly Client[], joinedAt: number): Promise<Map<Client, number>> => {
    const backlog = new Map<Client, number>()
    const count = (toSend: ReadonlyMap<Client, readonly Frame[]>): void => {
      for (const [client, list] of toSend) backlog.set(client, (backlog.get(client) ?? 0) + list.length)
    }
    const receivers = createReceivers(group)
    for (let at = Math.min(...group.map(readFrom)); at < joinedAt; ) {
      const { events } = await readAfter(channel, at, { upTo: joinedAt })
      const { toSend, to } = decide(frames, receivers, events)
      count(toSend)
      at = events.length === 0 ? joinedAt : to
    }
    const unconfirmed = new Map<Client, Frame[]>()
    await addUnconfirmed({ db, frames, sees, toSend: unconfirmed, subscribers: group, upTo: joinedAt })
    count(unconfirmed)
    return backlog
  }

  const answerAll = async (logins: readonly Login[]): Promise<Outcome<Client>[]> => {
    await live.started
    const { head: joinedAt, oldest } = await readHead(db)
    // Read after the join position: a session that ends later has its event after that position.
    const { version, actors } = await sessions.byTokens(
      logins.map(({ token }) => token),
      channel.now(),
    )
    const refetch = new Set<Client>()
    const outcomes = logins.map((login): Outcome<Client> => {
      const actor = actors.get(login.token) ?? 'notLoggedIn'
      if (typeof actor === 'string') return { error: new ResultError(actor) }
      if ((login.accountId ?? actor.accountId) !== actor.accountId) return { error: new ResultError('notLoggedIn') }
      if (!channel.mayCome(actor, login)) return { error: new ResultError('addressNotAllowed') }
      const { last, epoch = channel.epoch } = login
      // The cursor of a client without an epoch is trusted.
      const isKnown = last !== undefined && epoch === channel.epoch && last <= joinedAt
      const isReplayed = isKnown && last >= (oldest ?? joinedAt + 1) - 1 && joinedAt - last <= longestReplay
      const client = enter(login, { actor, version, joinedAt, replayAfter: isReplayed ? last : joinedAt })
      if (last !== undefined && !isReplayed) refetch.add(client)
      return { value: client }
    })
    const group = outcomes.flatMap((outcome) => ('value' in outcome ? outcome.value : []))
    try {
      const backlog = await countBacklog(group, joinedAt)
      const welcomes = new Map(
        group.map((client): [Client, Frame[]] => {
          const more = { backlog: backlog.get(client) ?? 0, refetch: refetch.has(client) }
          return [client, [{ position: 0, bytes: frames.welcome(joinedAt, more) }]]
        }),
      )
      await clients.deliver(welcomes, version)
      for (const client of group) {
        if (client.cursor === beforeWelcome) continue
        // What follows is determined again when it is written: counting may have taken long.
        if (!backlog.has(client)) client.cursor = joinedAt
        clients.place(client)
      }
      // Events during the login of the first client have not woken the reader.
      live.poll()
    } catch (error) {
      for (const client of group) clients.forget(client)
      throw error
    }
    return again(logins, outcomes)
  }

  /** Repeats the logins during which departments, roles or settings changed. */
  const again = async (logins: readonly Login[], outcomes: Outcome<Client>[]): Promise<Outcome<Client>[]> => {
    const left = [...outcomes.entries()].flatMap(([n, outcome]) => {
      if (!('value' in outcome) || outcome.value.cursor !== beforeWelcome || !clients.all.has(outcome.value)) return []
      clients.forget(outcome.value)
      const login = logins[n]
      return login === undefined || !isOpen(outcome.value) ? [] : { n, login }
    })
    if (left.length === 0) return outcomes
    const next = await answerAll(left.map(({ login }) => login))
    for (const [at, { n }] of left.entries()) outcomes[n] = next[at] ?? { error: new ResultError('serverException') }
    return outcomes
  }

  // Clients that were offline for long delay only each other.
  const together = { most: catchUpBatch, atOnce: 1 }
  const [soon, long] = [batched(together, answerAll), batched(together, answerAll)]
  return (login) =>
    login.last !== undefined && (live.position ?? 0) - login.last > batchMost ? long(login) : soon(login)
}
