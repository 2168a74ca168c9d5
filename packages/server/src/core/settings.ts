// Server settings as requests read them: cached in each process, keyed by the version that arrives with every session.
import { defaultSetting, ServerSetting } from '@cloudoc/contract'
import type { WriteContext } from './call/context.ts'
import type { Db, Tx } from './db/database.ts'

export interface Settings {
  /** The settings of that version, from the cache where it still holds, else read by `reader`. */
  at(version: number, reader: Db): Promise<ServerSetting>
  /** The settings of now, for work that has no session. */
  current(): Promise<ServerSetting>
}

/** Reads the settings table once per version. */
export function createSettings(db: Db): Settings {
  let cached: { version: number; value: ServerSetting } | undefined
  const load = async (reader: Db): Promise<ServerSetting> => {
    const row = await reader.selectFrom('setting').select('value').where('code', '=', 'server').executeTakeFirst()
    return row === undefined ? defaultSetting : ServerSetting.parse(row.value)
  }
  return {
    async at(version, reader) {
      if (cached?.version !== version) cached = { version, value: await load(reader) }
      return cached.value
    },
    current: () => load(db),
  }
}

/** What a call names of settings, without what it leaves out, which stays as it is. */
export function givenOf(input: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}

/** Changes the settings of now; two that do so at once follow each other. Reactions hear of it. */
export async function changeSettings(
  { tx, changed }: Pick<WriteContext, 'tx' | 'changed'>,
  change: (value: ServerSetting) => ServerSetting,
): Promise<void> {
  await tx.selectFrom('stamp').select('value').where('name', '=', 'settings').forUpdate().execute()
  const before = await createSettings(tx).current()
  const after = ServerSetting.parse(change(before))
  await saveSettings(tx, after)
  changed({ kind: 'settings', change: { before, after } })
}

/** Stores the settings; every request from the next one on sees them, on every process. */
export async function saveSettings(tx: Tx, value: ServerSetting): Promise<void> {
  await tx
    .insertInto('setting')
    .values({ code: 'server', value: JSON.stringify(value) })
    .onConflict((c) => c.column('code').doUpdateSet({ value: JSON.stringify(value) }))
    .execute()
  await bump(tx, 'settings')
}

/** Declares that what requests cache under this name is out of date. */
export async function bump(tx: Tx, name: 'organisation' | 'settings'): Promise<void> {
  await tx
    .updateTable('stamp')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', name)
    .execute()
}
