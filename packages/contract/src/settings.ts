// Server settings that clients read ([R044]): each is declared by its feature, with a type and a default.
import { z } from 'zod'
import { type ContractFeature, type Join, join } from './feature.ts'
import * as features from './features.ts'
import type { SettingPlace } from './setting.ts'
import { formatsOf } from './viewing/preview.ts'

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
const innerSettings = join<z.ZodRawShape>(
  all.map(({ settings }) => settings?.inner),
  'setting',
) as Join<Declared, 'inner'>

/** The settings object that `getServerSetting` answers as JSON text. */
export const ServerSetting = z.strictObject({ setting: z.strictObject(documented), ...ours })
export type ServerSetting = z.output<typeof ServerSetting>

/** All that an installation is set to: what clients are told, and what they are not. */
export const InstallationSetting = ServerSetting.extend({ inner: z.strictObject(innerSettings).prefault({}) })
export type InstallationSetting = z.output<typeof InstallationSetting>

/** What an installation starts with. */
export const defaultInstallation: InstallationSetting = InstallationSetting.parse({ setting: {} })
export const defaultSetting: ServerSetting = publicSettings(defaultInstallation)

/** What clients are told of the settings. */
export function publicSettings({ inner, ...told }: InstallationSetting): ServerSetting {
  // The same flag and the lists of formats, where the documents have them ([R044], [R165]).
  return { ...told, GL: { useGL: told.setting.useGL }, preview_format: formatsOf(inner) }
}

/** The settings that administrators set, by name. */
export const administered = join<Readonly<Record<string, SettingPlace>>>(
  all.map(({ settings }) => settings?.administered),
  'administered setting',
) as Join<Declared, 'administered'>
export type SettingName = keyof typeof administered
export const settingNames = Object.keys(administered) as SettingName[]

/** All settings by name, wherever each stands. */
export function flatSettings({ setting, inner, ...beside }: InstallationSetting): Readonly<Record<string, unknown>> {
  return { ...beside, ...setting, ...inner }
}

/** The settings with other values for those that are named. */
export function withSettings(
  { setting, inner, ...beside }: InstallationSetting,
  given: Readonly<Record<string, unknown>>,
): InstallationSetting {
  const from = (part: object): object =>
    Object.fromEntries(Object.keys(part).flatMap((name) => (name in given ? [[name, given[name]]] : [])))
  return InstallationSetting.parse({
    ...beside,
    ...from(ours),
    setting: { ...setting, ...from(documented) },
    inner: { ...inner, ...from(innerSettings) },
  })
}
