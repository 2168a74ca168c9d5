// Server settings that clients read ([R044]): each is declared by its feature, with a type and a default.
import { z } from 'zod'
import { type ContractFeature, type Join, join } from './feature.ts'
import * as features from './features.ts'

type Declared = {
  readonly [F in keyof typeof features]: (typeof features)[F] extends { settings: infer S } ? S : object
}

const all: readonly ContractFeature[] = Object.values(features)
const documented = join<z.ZodRawShape>(
  all.map(({ settings }) => settings?.setting),
  'setting',
) as Join<Declared, 'setting'>
const ours = join<z.ZodRawShape>(
  all.map(({ settings }) => settings?.beside),
  'setting',
) as Join<Declared, 'beside'>

/** The settings object that `getServerSetting` answers as JSON text. */
export const ServerSetting = z.strictObject({ setting: z.strictObject(documented), ...ours })
export type ServerSetting = z.output<typeof ServerSetting>

/** What an installation starts with. */
export const defaultSetting: ServerSetting = ServerSetting.parse({ setting: {} })
