// The dependencies of the channel of a process.
import type { ItemRef, PushCatalogue } from '@cloudoc/contract'
import type { CodeName } from '@cloudoc/domain'
import type { Access } from '../access.ts'
import type { Account, AccountActor } from '../actor.ts'
import type { Db } from '../db/database.ts'
import type { Fanout } from '../fanout.ts'
import type { Log } from '../log.ts'
import type { Audiences } from './audience.ts'
import type { Wire } from './frames.ts'

/**
 * The sessions of sockets. Implemented by people, which manages sessions. Each method handles any number in a few
 * statements.
 */
export interface HubSessions {
  byTokens(
    tokens: readonly string[],
    now: number,
  ): Promise<{ version: number; actors: Map<string, AccountActor | CodeName> }>
  byIds(sessionIds: readonly number[], now: number): Promise<{ version: number; actors: Map<number, AccountActor> }>
  stillValid(sessionIds: readonly number[], now: number): Promise<{ version: number; held: Set<number> }>
}

/** Whether each actor may see its item now. One statement for any number. */
export type CanSee = (
  db: Db,
  asked: readonly { readonly actor: Account; readonly item: ItemRef }[],
) => Promise<readonly boolean[]>

/** Each item as its actor sees it now. */
export type LoadAccess = (
  db: Db,
  asked: readonly { readonly actor: Account; readonly item: ItemRef }[],
) => Promise<readonly (Access | undefined)[]>

export interface HubParts {
  readonly db: Db
  readonly fanout: Fanout
  readonly log: Log
  readonly epoch: string
  readonly now: () => number
  /** Milliseconds of a monotonic clock, used to measure silence. */
  readonly steady: () => number
  /** The pushes that this server sends. */
  readonly pushes: PushCatalogue
  readonly audiences: Audiences
  readonly sessions: HubSessions
  readonly sees: CanSee
  /** Whether the actor may use that channel from that address. Evaluated again whenever settings change. */
  readonly mayCome: (actor: AccountActor, from: { readonly address: string; readonly wire: Wire }) => boolean
  readonly strictAnswers: boolean
}
