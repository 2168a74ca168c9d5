// The calls of the page about the rules of a provider.
import type { features, ProviderSettings } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { claimsOf, decideWaiting, forgetDecisions, previewOf, waitingOf } from './mapping.ts'
import { isMapped, type MappedSettings, mappingPart } from './mapping-plan.ts'

/** The settings of a provider whose rules apply at a sign-in. */
const mapped = (settings: ProviderSettings | undefined): MappedSettings =>
  settings !== undefined && isMapped(settings) ? settings : fail('notFound')

async function settingsOf(db: Db, providerId: number): Promise<MappedSettings> {
  const row = await db.selectFrom('provider').select('settings').where('id', '=', providerId).executeTakeFirst()
  return mapped(row?.settings)
}

/** Refuses rules that name a role or a department that does not exist. */
export async function assertRules(db: Db, settings: ProviderSettings): Promise<void> {
  if (settings.kind === 'scim') return
  const ids = (gives: string): number[] => settings.rules.flatMap((rule) => (rule.gives === gives ? [rule.id] : []))
  const { rows } = await sql<{ kind: string; id: number }>`
    select 'role' as kind, wanted as id from unnest(${ids('role')}::bigint[]) wanted
      where not exists (select 1 from role where role.id = wanted)
    union all select 'department', wanted from unnest(${ids('department')}::bigint[]) wanted
      where not exists (select 1 from org_group g where g.id = wanted)`.execute(db)
  if (rows[0] !== undefined) fail('notFound', `rules: ${rows[0].kind} ${rows[0].id}`)
}

/** Refuses other rules that would change many people, unless an administrator has seen as many. */
export async function assertConfirmed(
  db: Db,
  providerId: number,
  { before, after }: { readonly before: ProviderSettings; readonly after: ProviderSettings },
  confirmed: number,
): Promise<void> {
  if (!isMapped(after)) return
  if (mappingPart(mapped(before)) === mappingPart(after)) return
  if (after.applies) {
    const { changed, many } = await previewOf(db, providerId, after)
    if (many && changed > confirmed) fail('mappingChangesMany', String(changed))
  }
  await forgetDecisions(db, providerId)
}

type Names = 'previewMapping' | 'getMapping' | 'decideMappingChanges'

export const mappingHandlers: Pick<Handlers<typeof features.providers.calls>, Names> = {
  async previewMapping({ db }, { providerId, settings }) {
    await settingsOf(db, providerId)
    return previewOf(db, providerId, mapped(settings))
  },

  async getMapping({ db }, { providerId }) {
    const settings = await settingsOf(db, providerId)
    return { claims: await claimsOf(db, providerId), ...(await waitingOf(db, providerId, settings)) }
  },

  async decideMappingChanges(context, { providerId, apply, total }) {
    const settings = await settingsOf(context.tx, providerId)
    const done = await decideWaiting(context, { id: providerId, settings }, { apply, total })
    context.audit({ people: JSON.stringify(done) })
    return apply ? { changed: done.length, kept: 0 } : { changed: 0, kept: done.length }
  },
}
