// The installation: all features joined, for the server and for tools that work on its data.
import { type CallName, join } from '@cloudoc/contract'
import type { Migration } from 'kysely/migration'
import { migrations } from '../migrations/index.ts'
import type { TableCheck } from './core/checks.ts'
import type { Tables } from './core/db/tables.ts'
import type { Feature } from './core/feature.ts'
import * as list from './features.ts'

type Answered = (typeof list)[keyof typeof list] extends infer F
  ? F extends { wire: { calls: infer C } }
    ? keyof C
    : never
  : never
type None<N extends never> = N
/** This does not compile if a call has no handler. */
export type Unanswered = None<Exclude<CallName, Answered>>

/** All features. */
export const allFeatures: readonly Feature[] = Object.values(list)

/** The data declarations of features. */
export interface Installation {
  readonly tables: Tables
  readonly checks: readonly TableCheck[]
  readonly migrations: Readonly<Record<string, Migration>>
}

/** Joins the data declarations of features. Two that claim the same table or migration abort the start. */
export function installationOf(features: readonly Feature[]): Installation {
  return {
    tables: join<Tables>(
      features.map((feature) => feature.tables),
      'table',
    ),
    checks: features.flatMap(({ checks = [] }) => checks),
    migrations: join<Record<string, Migration>>(
      [migrations, ...features.map((feature) => feature.migrations)],
      'migration',
    ),
  }
}

/** The installation of this build. */
export const installation: Installation = installationOf(allFeatures)
