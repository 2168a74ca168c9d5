/*
 * What a feature of the server is made of: one record in its folder, named once in src/features.ts. app.ts joins whatever
 * the records bring; nothing else knows which features there are.
 */
import type { Calls, ContractFeature } from '@cloudoc/contract'
import type { FastifyInstance } from 'fastify'
import type { Migration } from 'kysely/migration'
import type { Outsiders } from './actor.ts'
import type { Perform } from './call/dispatcher.ts'
import type { Handlers } from './call/implement.ts'
import type { TableCheck } from './checks.ts'
import type { Chore } from './chores.ts'
import type { Counter } from './counters.ts'
import type { Tables } from './db/tables.ts'
import type { Leaver } from './leavers.ts'
import type { SomeObjects } from './loaders.ts'
import type { Gauge } from './metrics.ts'
import type { Audiences } from './push/audience.ts'
import type { EventReader } from './push/readers.ts'
import type { Job } from './queue/job.ts'
import type { Reaction } from './reactions.ts'
import type { Services } from './services.ts'

/** What a feature does in a running process. */
export interface FeatureParts<C extends Calls = Calls> {
  /** One for each of its calls. */
  readonly handlers?: Handlers<C>
  /** Kinds of object, beside items, that gates of its calls ask about. */
  readonly objects?: readonly SomeObjects[]
  /** Who comes without an account, to calls that admit them. */
  readonly outsiders?: readonly Outsiders[]
  /** Who hears of its events, by their kinds. */
  readonly audiences?: Audiences
  /** What it does behind events, once for each. */
  readonly readers?: readonly EventReader[]
  /** What it does again and again in the background. */
  readonly chores?: readonly Chore[]
  /** Kinds of work that waits (core/queue). */
  readonly jobs?: readonly Job[]
  /** What it does, or refuses, when others change something. */
  readonly reactions?: readonly Reaction[]
  /** Protocols of its own beside the calls, which take the way of calls through `perform`. */
  readonly routes?: (http: FastifyInstance, perform: Perform) => void
  /** What it hands over when somebody leaves. */
  readonly leavers?: readonly Leaver[]
  /** What waits for a person, told after sign-in ([R033]). */
  readonly counters?: Readonly<Record<string, Counter>>
  /** Figures for whoever watches the installation. */
  readonly gauges?: readonly Gauge[]
}

/** A feature as the server joins it. */
export interface Feature {
  /** Its side of the wire: calls that it answers, pushes, settings. */
  readonly wire?: ContractFeature
  /** What openapi.json says of the addresses of its own protocols. */
  readonly paths?: Readonly<Record<string, object>>
  /** Its tables, with what backups, leavers and the collector of contents must know of them. */
  readonly tables?: Tables
  /** What must hold between rows; fsck asks. */
  readonly checks?: readonly TableCheck[]
  /** Changes of the schema that are kept beside the feature, by numbered names (migrations/index.ts holds the others). */
  readonly migrations?: Readonly<Record<string, Migration>>
  /** Takes the feature up in a process. */
  readonly open?: (services: Services) => FeatureParts
}

type CallsOf<W> = W extends { readonly calls: infer C extends Calls } ? C : never

type Declaration<W extends ContractFeature> = Omit<Feature, 'wire' | 'open'> & {
  readonly wire?: W
} & ([CallsOf<W>] extends [never]
    ? { readonly open?: (services: Services) => FeatureParts }
    : { readonly open: (services: Services) => FeatureParts<CallsOf<W>> & { readonly handlers: Handlers<CallsOf<W>> } })

/** Declares a feature; one that does not answer each of its calls does not compile. */
export function feature<const W extends ContractFeature = object>(
  declaration: Declaration<W>,
): Omit<Feature, 'wire'> & { readonly wire: W } {
  return declaration as unknown as Omit<Feature, 'wire'> & { readonly wire: W }
}
