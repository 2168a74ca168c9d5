// The declaration of a feature in the contract: its calls, pushes and settings.
import type { z } from 'zod'
import type { ObjectKind } from './authority.ts'
import type { Calls } from './call.ts'
import type { FeatureSwitch } from './feature-switches.ts'
import type { Push } from './push.ts'
import type { SettingPlace } from './setting.ts'

/** One record per feature. features.ts lists them, catalogue.ts joins them. */
export interface ContractFeature {
  /** Name and description of the feature's group in openapi.json and asyncapi.json. */
  readonly about?: { readonly name: string; readonly text: string }
  /** The switch with which an operator turns it off, with all of its calls and pushes. */
  readonly switchedBy?: FeatureSwitch
  readonly calls?: Calls
  /** Kinds of objects, other than items, that its calls operate on. */
  readonly objects?: Readonly<Record<string, ObjectKind>>
  readonly pushes?: Readonly<Record<string, Push>>
  /**
   * Server settings, each a schema with a default: those of the spec in `setting` ([R044]), our own in `beside`, and
   * those not sent to clients in `inner`. Settings that an administrator can edit are described in `administered`.
   */
  readonly settings?: {
    readonly setting?: z.ZodRawShape
    readonly beside?: z.ZodRawShape
    readonly inner?: z.ZodRawShape
    readonly administered?: Readonly<Record<string, SettingPlace>>
  }
}

/** Declares the contract of a feature. */
export function feature<const F extends ContractFeature>(declaration: F): F {
  return declaration
}

/** The pushes of a feature, each with the switch of the feature. */
export function pushesOf({ pushes = {}, switchedBy }: ContractFeature): Readonly<Record<string, Push>> {
  if (switchedBy === undefined) return pushes
  return Object.fromEntries(Object.entries(pushes).map(([name, push]) => [name, { ...push, switchedBy }]))
}

type Part<F, K extends string> = F extends { readonly [k in K]: infer P } ? P : never
type Joined<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
  ? { [N in keyof I]: I[N] }
  : never

/** The union of all declarations of one kind in all features, by name. */
export type Join<List, K extends string> = Joined<Part<List[keyof List], K>>

/** Joins the declarations of one kind from all features; throws at startup when two features use the same name. */
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
