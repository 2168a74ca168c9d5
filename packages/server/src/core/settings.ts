// Server settings as requests read them: cached in each process, keyed by the version that is read with every session.
import { defaultInstallation, flatSettings, InstallationSetting, withSettings } from '@cloudoc/contract'
import { type Actor, authorOf } from './actor.ts'
import type { WriteContext } from './call/context.ts'
import type { Db, Tx } from './db/database.ts'

export interface Settings {
  /** The settings of that version, from the cache if it still has them, otherwise from `reader`. */
  at(version: number, reader: Db): Promise<InstallationSetting>
  /**
   * The current settings, for work without a session. Within a transaction it is the `reader`: nobody waits for a second
   * connection while they hold one.
   */
  current(reader?: Db): Promise<InstallationSetting>
}

/** Creates the settings cache. It reads the settings table once per version. */
export function createSettings(db: Db): Settings {
  let cached: { version: number; value: InstallationSetting } | undefined
  const load = async (reader: Db): Promise<InstallationSetting> => {
    const row = await reader.selectFrom('setting').select('value').where('code', '=', 'server').executeTakeFirst()
    return row === undefined ? defaultInstallation : InstallationSetting.parse(row.value)
  }
  return {
    async at(version, reader) {
      if (cached?.version !== version) cached = { version, value: await load(reader) }
      return cached.value
    },
    current: (reader = db) => load(reader),
  }
}

/** The settings given by a call. Omitted ones are left out and stay unchanged. */
export function definedFields(input: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}

/** One setting with a new value. */
export interface SettingChange {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/**
 * Changes settings. Concurrent changes are serialized. The changes are recorded with their author, and reactions
 * receive them. `check` may refuse, and runs while the settings are locked.
 */
export async function changeSettings(
  { tx, changed, actor, now }: Pick<WriteContext, 'tx' | 'changed' | 'now'> & { readonly actor: Actor | undefined },
  given: Readonly<Record<string, unknown>>,
  check: (changes: readonly SettingChange[]) => Promise<void> = () => Promise.resolve(),
): Promise<readonly SettingChange[]> {
  await tx.selectFrom('stamp').select('value').where('name', '=', 'settings').forUpdate().execute()
  const before = await createSettings(tx).current()
  const after = withSettings(before, given)
  const [old, fresh] = [flatSettings(before), flatSettings(after)]
  const changes = Object.keys(fresh)
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(fresh[name]))
    .map((name) => ({ name, before: old[name], after: fresh[name] }))
  await check(changes)
  if (changes.length === 0) return changes
  await saveSettings(tx, after)
  await tx
    .insertInto('setting_change')
    .values(
      changes.map((change) => ({
        name: change.name,
        at: now,
        account_id: actor === undefined ? null : authorOf(actor).accountId,
        before: JSON.stringify(change.before),
        after: JSON.stringify(change.after),
      })),
    )
    .execute()
  changed({ kind: 'settings', change: { before, after } })
  return changes
}

/** Stores the settings. Every request from the next one on uses them, in every process. */
export async function saveSettings(tx: Tx, value: InstallationSetting): Promise<void> {
  await tx
    .insertInto('setting')
    .values({ code: 'server', value: JSON.stringify(value) })
    .onConflict((c) => c.column('code').doUpdateSet({ value: JSON.stringify(value) }))
    .execute()
  await bump(tx, 'settings')
}

/** Invalidates what requests cache under this name. */
export async function bump(tx: Tx, name: 'organisation' | 'settings'): Promise<void> {
  await tx
    .updateTable('stamp')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', name)
    .execute()
}
