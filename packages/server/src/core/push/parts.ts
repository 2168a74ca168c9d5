// What the channel of a process is made of.
import type { ItemRef, PushCatalogue } from '@cloudoc/contract'
import type { CodeName } from '@cloudoc/domain'
import type { Access } from '../access.ts'
import type { Account, AccountActor } from '../actor.ts'
import type { Db } from '../db/database.ts'
import type { Fanout } from '../fanout.ts'
import type { Log } from '../log.ts'
import type { Audiences } from './audience.ts'
import type { Wire } from './frames.ts'

/** Whose sockets these are; implemented by people, who know sessions. Each answers for any number in a few statements. */
export interface HubSessions {
  byTokens(
    tokens: readonly string[],
    now: number,
  ): Promise<{ version: number; actors: Map<string, AccountActor | CodeName> }>
  byIds(sessionIds: readonly number[], now: number): Promise<{ version: number; actors: Map<number, AccountActor> }>
  stillValid(sessionIds: readonly number[], now: number): Promise<{ version: number; held: Set<number> }>
}

/** Of each who asks about an item whether they may see it now; in one statement for any number. */
export type CanSee = (
  db: Db,
  asked: readonly { readonly actor: Account; readonly item: ItemRef }[],
) => Promise<readonly boolean[]>

/** Of each who asks about an item how they meet it now. */
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
  /** Milliseconds on a clock that is never set: silence is measured with it. */
  readonly steady: () => number
  /** The pushes that this server sends. */
  readonly pushes: PushCatalogue
  readonly audiences: Audiences
  readonly sessions: HubSessions
  readonly sees: CanSee
  /** Whether somebody may be on that channel from that address; asked again whenever settings change. */
  readonly mayCome: (actor: AccountActor, from: { readonly address: string; readonly wire: Wire }) => boolean
  readonly strictAnswers: boolean
}
