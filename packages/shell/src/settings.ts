// The settings file of an installation ([R368], [R369]): custom/setting.json, from the folder of the program; of
// the one of its server the switch for developer tools counts as well.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { originOf } from '@cloudoc/domain'

export interface ShellSettings {
  /** The origin of the server; empty: the person is asked. */
  readonly server: string
  /** Preload scripts of the installation, by absolute path, after ours. */
  readonly preloads: readonly string[]
  readonly devTools: boolean
  /** The key by which lists of updates are signed, in PEM; empty: the first one that the server shows counts. */
  readonly updateKey: string
}

const none: ShellSettings = { server: '', preloads: [], devTools: false, updateKey: '' }

/** Reads the settings of the folder `custom`. A file that is missing or damaged leaves the defaults. */
export async function readSettings(folder: string): Promise<ShellSettings> {
  try {
    return settingsOf(JSON.parse(await readFile(join(folder, 'custom', 'setting.json'), 'utf8')) as unknown, folder)
  } catch {
    return none
  }
}

/** Takes what is valid, and nothing else. A script has to lie in the folder of the installation. */
export function settingsOf(value: unknown, folder: string): ShellSettings {
  if (typeof value !== 'object' || value === null) return none
  const { server, preloads, devTools, updateKey } = value as Readonly<Record<string, unknown>>
  const names = Array.isArray(preloads) ? preloads.filter((one): one is string => typeof one === 'string') : []
  return {
    server: (typeof server === 'string' ? originOf(server) : undefined) ?? '',
    preloads: names.filter((name) => /^[\w-]+\.c?js$/.test(name)).map((name) => join(folder, 'custom', name)),
    devTools: devTools === true,
    updateKey: typeof updateKey === 'string' ? updateKey : '',
  }
}

/** Adds what the server says in its settings file: whether developer tools may be opened. It never names scripts. */
export async function withServerSettings(
  settings: ShellSettings,
  ask: (address: string) => Promise<unknown>,
): Promise<ShellSettings> {
  if (settings.server === '' || settings.devTools) return settings
  // The random query keeps caches from answering.
  const told = await ask(`${settings.server}/custom/setting.json?${Math.random()}`).catch(() => undefined)
  return { ...settings, devTools: settingsOf(told, '').devTools }
}
