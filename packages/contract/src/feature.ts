// What a feature declares for both sides of the wire: its calls, its pushes, its settings.
import type { z } from 'zod'
import type { ObjectKind } from './authority.ts'
import type { Calls } from './call.ts'
import type { Push } from './push.ts'
import type { SettingPlace } from './setting.ts'

/** One record for each feature; features.ts lists them, catalogue.ts joins them. */
export interface ContractFeature {
  /** How the descriptions of the wire group what it declares. */
  readonly about?: { readonly name: string; readonly text: string }
  readonly calls?: Calls
  /** The kinds of object, beside items, that its calls are about. */
  readonly objects?: Readonly<Record<string, ObjectKind>>
  readonly pushes?: Readonly<Record<string, Push>>
  /**
   * Server settings, each a type with a default: the documented ones inside `setting` ([R044]), ours beside it, and those
   * that no client is told (`inner`). Those that an administrator sets say how (`administered`).
   */
  readonly settings?: {
    readonly setting?: z.ZodRawShape
    readonly beside?: z.ZodRawShape
    readonly inner?: z.ZodRawShape
    readonly administered?: Readonly<Record<string, SettingPlace>>
  }
}

/** Declares what a feature is on the wire. */
export function feature<const F extends ContractFeature>(declaration: F): F {
  return declaration
}

type Part<F, K extends string> = F extends { readonly [k in K]: infer P } ? P : never
type Joined<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
  ? { [N in keyof I]: I[N] }
  : never

/** What all features declare of one kind, by name. */
export type Join<List, K extends string> = Joined<Part<List[keyof List], K>>

/** Joins what features declare of one kind; a name that two of them use ends the start. */
export function join<P extends object>(parts: readonly (P | undefined)[], what: string): P {
  const joined: Record<string, unknown> = {}
  for (const part of parts) {
    for (const [name, declared] of Object.entries(part ?? {})) {
      if (Object.hasOwn(joined, name)) throw new Error(`two features declare the ${what} ${name}`)
      joined[name] = declared
    }
  }
  return joined as P
}
