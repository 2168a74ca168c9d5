/*
 * The definition of a server feature: one record in its folder, listed once in src/features.ts. app.ts combines all
 * records. Nothing else knows which features exist.
 */
import type { Calls, ContractFeature } from '@cloudoc/contract'
import type { FastifyInstance } from 'fastify'
import type { Migration } from 'kysely/migration'
import type { Outsiders } from './actor.ts'
import type { Handlers } from './call/implement.ts'
import type { Perform, PerformCall, PerformWithin } from './call/operation.ts'
import type { TableCheck } from './checks.ts'
import type { Chore } from './chores.ts'
import type { Counter } from './counters.ts'
import type { Tables } from './db/tables.ts'
import type { Contribution } from './extension-points.ts'
import type { Leaver } from './leavers.ts'
import type { SomeObjects } from './loaders.ts'
import type { Gauge } from './metrics.ts'
import type { Audiences } from './push/audience.ts'
import type { EventReader } from './push/readers.ts'
import type { Job } from './queue/job.ts'
import type { Reaction } from './reactions.ts'
import type { Services } from './services.ts'

/** The parts of a feature in a running process. */
export interface FeatureParts<C extends Calls = Calls> {
  /** One handler per call of the feature. */
  readonly handlers?: Handlers<C>
  /** Kinds of objects, other than items, that the gates of its calls use. */
  readonly objects?: readonly SomeObjects[]
  /** Callers without an account, for calls that admit them. */
  readonly outsiders?: readonly Outsiders[]
  /** The recipients of its events, by kind. */
  readonly audiences?: Audiences
  /** Its event readers: background work done once per event. */
  readonly readers?: readonly EventReader[]
  /** Its recurring background work. */
  readonly chores?: readonly Chore[]
  /** Its kinds of queued jobs (core/queue). */
  readonly jobs?: readonly Job[]
  /** What it does, or refuses, when other features change something. */
  readonly reactions?: readonly Reaction[]
  /**
   * Its protocols beside the calls. Their requests are operations, executed by `perform`, or calls of any feature,
   * executed by `performCall` or, several in one transaction, by `performWithin`.
   */
  readonly routes?: (
    http: FastifyInstance,
    perform: Perform,
    performCall: PerformCall,
    performWithin: PerformWithin,
  ) => void
  /** What it hands over when a user leaves. */
  readonly leavers?: readonly Leaver[]
  /** Its parts of other features, at their extension points. */
  readonly contributions?: readonly Contribution[]
  /** Counters of a user's pending work, sent after sign-in ([R033]). */
  readonly counters?: Readonly<Record<string, Counter>>
  /** Figures for the monitoring of the installation. */
  readonly gauges?: readonly Gauge[]
}

/** A feature, as the server combines it. */
export interface Feature {
  /** Its part of the contract: calls that it answers, pushes, settings. */
  readonly wire?: ContractFeature
  /** The entries of openapi.json for its own protocols. */
  readonly paths?: Readonly<Record<string, object>>
  /** Its tables, with what backups, leavers and the content collector must know about them. */
  readonly tables?: Tables
  /** Consistency rules between rows, checked by fsck. */
  readonly checks?: readonly TableCheck[]
  /** Schema migrations stored with the feature, by numbered names (migrations/index.ts has the others). */
  readonly migrations?: Readonly<Record<string, Migration>>
  /** Starts the feature in a process. */
  readonly open?: (services: Services) => FeatureParts
}

type CallsOf<W> = W extends { readonly calls: infer C extends Calls } ? C : never

type Declaration<W extends ContractFeature> = Omit<Feature, 'wire' | 'open'> & {
  readonly wire?: W
} & ([CallsOf<W>] extends [never]
    ? { readonly open?: (services: Services) => FeatureParts }
    : { readonly open: (services: Services) => FeatureParts<CallsOf<W>> & { readonly handlers: Handlers<CallsOf<W>> } })

/** Declares a feature. A feature that does not implement each of its calls does not compile. */
export function feature<const W extends ContractFeature = object>(
  declaration: Declaration<W>,
): Omit<Feature, 'wire'> & { readonly wire: W } {
  return declaration as unknown as Omit<Feature, 'wire'> & { readonly wire: W }
}
