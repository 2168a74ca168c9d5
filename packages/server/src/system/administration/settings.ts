// Reading and changing the server settings (decisions E2).
import { administered, defaultInstallation, features, flatSettings, type SettingValue } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { changeSettings, definedFields } from '../../core/settings.ts'
import { isAllowed } from '../../people/auth/index.ts'

const recentMost = 20

interface ChangeRow {
  readonly id: number
  readonly name: string
  readonly at: number
  readonly by: string | null
  readonly before: SettingValue
  readonly after: SettingValue
}

function assertOwn(lines: readonly string[], address: string): void {
  const inner = { ...defaultInstallation.inner, allowed_addresses: [...lines] }
  if (!isAllowed({ inner }, address)) fail('settingsContradict', address)
}

/** The handlers of the administrators' settings. */
export function settingHandlers() {
  const set = async (context: WriteContext, { seen, ...input }: { seen?: number | undefined }) => {
    const given = definedFields(input)
    const changes = await changeSettings({ ...context, actor: actorOf(context) }, given, async (changes) => {
      const ranges = changes.find(({ name }) => name === 'allowed_addresses')
      // Administrators must not lock themselves out by accident.
      if (ranges !== undefined) assertOwn(ranges.after as string[], context.address)
      if (seen === undefined) return
      const names = changes.map(({ name }) => name)
      const newer = await context.tx
        .selectFrom('setting_change')
        .select('name')
        .where('name', '=', sql<string>`any(${names})`)
        .where('id', '>', seen)
        .limit(1)
        .executeTakeFirst()
      if (newer !== undefined) fail('settingChanged', newer.name)
    })
    context.audit({ settings: JSON.stringify(changes) })
    return {}
  }

  return implement(features.administration.calls, {
    setServerSetting: set,
    setSafeStrategy: set,

    async getAdministeredSettings(context) {
      const { settings } = actorOf(context)
      const [values, fallbacks] = [flatSettings(settings), flatSettings(defaultInstallation)]
      const changes = (condition: ReturnType<typeof sql>) =>
        sql<ChangeRow>`
          select c.id, c.name, c.at, a.name as by, c.before, c.after
          from setting_change c left join account a on a.id = c.account_id ${condition}`.execute(context.db)
      const names = Object.keys(administered)
      const last = await changes(sql`
        where c.id in (select max(id) from setting_change where name = any(${names}) group by name)`)
      const recent = await changes(sql`where c.name = any(${names}) order by c.id desc limit ${recentMost}`)
      const lastOf = new Map(last.rows.map((row) => [row.name, row]))
      return {
        list: names.map((name) => {
          const change = lastOf.get(name)
          return {
            name,
            value: values[name] as SettingValue,
            fallback: fallbacks[name] as SettingValue,
            ...(change === undefined ? {} : { changed: { at: change.at, by: change.by ?? '' } }),
          }
        }),
        seen: recent.rows[0]?.id ?? 0,
        recent: recent.rows.map(({ name, at, by, before, after }) => ({ name, at, by: by ?? '', before, after })),
      }
    },
  })
}
