// Server settings that clients read ([R044]). Each is declared by its feature with a schema and a default.
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

/** The settings object that `getServerSetting` returns as JSON text. */
export const ServerSetting = z.strictObject({ setting: z.strictObject(documented), ...ours })
export type ServerSetting = z.output<typeof ServerSetting>

/** All settings of an installation: those sent to clients and the internal ones. */
export const InstallationSetting = ServerSetting.extend({ inner: z.strictObject(innerSettings).prefault({}) })
export type InstallationSetting = z.output<typeof InstallationSetting>

/** Default settings of a new installation. */
export const defaultInstallation: InstallationSetting = InstallationSetting.parse({ setting: {} })
export const defaultSetting: ServerSetting = publicSettings(defaultInstallation)

/** Returns the settings that are sent to clients. */
export function publicSettings({ inner, ...told }: InstallationSetting): ServerSetting {
  // Adds the same flag and the format lists at the positions defined by the spec ([R044], [R165]).
  return { ...told, GL: { useGL: told.setting.useGL }, preview_format: formatsOf(inner) }
}

/** The settings that administrators can edit, by name. */
export const administered = join<Readonly<Record<string, SettingPlace>>>(
  all.map(({ settings }) => settings?.administered),
  'administered setting',
) as Join<Declared, 'administered'>
export type SettingName = keyof typeof administered
export const settingNames = Object.keys(administered) as SettingName[]

/** All settings by name, flattened from their groups. */
export function flatSettings({ setting, inner, ...beside }: InstallationSetting): Readonly<Record<string, unknown>> {
  return { ...beside, ...setting, ...inner }
}

/** Returns the settings with the named values replaced. */
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
