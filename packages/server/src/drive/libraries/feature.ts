// The libraries feature: every user and every department gets one.
import { features } from '@cloudoc/contract'
import { fail, rightsGroup } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import { type Account, type Actor, accountOf } from '../../core/actor.ts'
import type { Tx } from '../../core/db/database.ts'
import { feature } from '../../core/feature.ts'
import type { ObservedChange } from '../../core/reactions.ts'
import { createSettings } from '../../core/settings.ts'
import { lockWorkspaces } from '../quotas/index.ts'
import { itemEvent, nameColumns } from '../tree/index.ts'
import { createLibrary, createPersonalLibraries, libraryHandlers } from './index.ts'
import { ownFiles, sharedLibraries } from './leavers.ts'
import { askForFull, askToThin, emptyBins, thin, thinningJob } from './retention.ts'
import { librariesTables } from './tables.ts'

/**
 * Who answers for a change: the account that made it or, for one that a provider of the company made, the first
 * administrator.
 */
async function responsibleFor(
  tx: Tx,
  actor: Actor | undefined,
): Promise<Pick<Account, 'accountId' | 'name' | 'settings'>> {
  if (actor !== undefined) return accountOf(actor)
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from account a
    where is_admin or exists (select 1 from administrator p where p.account_id = a.id and p.power = 'system')
    order by is_admin desc, id limit 1`.execute(tx)
  const first = rows[0] ?? fail('notFound')
  return { accountId: first.id, name: first.name, settings: await createSettings(tx).current() }
}

/**
 * Renames the libraries that carry the old name of a user or department. Libraries with another name are not changed.
 */
async function renameWith(
  tx: Tx,
  whose: RawBuilder<unknown>,
  heard: Pick<ObservedChange<'person' | 'group'>, 'actor' | 'now' | 'event'>,
  { before, name }: { readonly before: string; readonly name: string },
): Promise<void> {
  const by = await responsibleFor(tx, heard.actor)
  const { rows } = await sql<ItemRow>`
    select i.* from library l join item i on i.id = l.id
    where ${whose} and l.kind in ('personal', 'department') and i.name = ${before} for update of i`.execute(tx)
  for (const row of rows) {
    const columns = nameColumns(name, 2)
    await tx
      .updateTable('item')
      .set({ ...columns, modified_by: by.accountId, modified_at: heard.now, modifier_outsider: null })
      .where('id', '=', row.id)
      .execute()
    heard.event(itemEvent(row, 'rename', by.name, { name: columns.name }))
  }
}

/** The head of a department manages its libraries. */
async function passOn(
  tx: Tx,
  groupId: number,
  { added, removed }: { readonly added: readonly number[]; readonly removed: readonly number[] },
): Promise<void> {
  await sql`
    delete from library_manager m using library l
    where l.id = m.library_id and l.group_id = ${groupId} and l.kind = 'department'
      and m.account_id = any(${[...removed]})`.execute(tx)
  await sql`
    insert into library_manager (library_id, account_id)
    select l.id, a from library l, unnest(${[...added]}::bigint[]) as a
    where l.group_id = ${groupId} and l.kind = 'department' on conflict do nothing`.execute(tx)
}

const retentionEveryMs = 60 * 60_000

export const libraries = feature({
  wire: features.libraries,
  tables: librariesTables,
  open: (services) => ({
    handlers: libraryHandlers(),
    leavers: [ownFiles, sharedLibraries],
    jobs: [thinningJob(services)],
    chores: [
      { name: 'versions beyond those that libraries keep', everyMs: retentionEveryMs, run: () => thin(services) },
      { name: 'recycle bins', everyMs: retentionEveryMs, run: () => emptyBins(services, services.now()) },
    ],
    reactions: [
      {
        to: 'settings',
        async react(tx, heard) {
          for (const { change, now } of heard) {
            const { before, after } = change
            if (after.version_count !== before.version_count || after.version_days !== before.version_days)
              await askToThin({ tx, now }, 0)
          }
        },
      },
      {
        to: 'item',
        react: askForFull,
      },
      {
        to: 'person',
        async react(tx, heard) {
          const created = heard.filter(({ change }) => change.what === 'created')
          await createPersonalLibraries(
            tx,
            created.map(({ change: { accountId, name }, now }) => ({ accountId, name, now })),
          )
          for (const each of heard)
            if (each.change.what === 'name')
              await renameWith(tx, sql`l.owner_id = ${each.change.accountId}`, each, each.change)
        },
      },
      {
        to: 'group',
        async react(tx, heard) {
          for (const each of heard) {
            const { change, actor, now } = each
            const by = await responsibleFor(tx, actor)
            const { groupId } = change
            if (change.what === 'name') await renameWith(tx, sql`l.group_id = ${groupId}`, each, change)
            if (change.what === 'merged')
              await tx.updateTable('library').set({ group_id: change.into }).where('group_id', '=', groupId).execute()
            if (change.what === 'managers') await passOn(tx, groupId, change)
            if (change.what !== 'created') continue
            await lockWorkspaces(tx, by)
            // The initial rights of the department's members in its library.
            const entry = { groupId: change.groupId, rights: rightsGroup.edit }
            const people = { createdBy: by.accountId, managerIds: [by.accountId] }
            await createLibrary(tx, {
              kind: 'department',
              name: change.name,
              groupId: change.groupId,
              now,
              ...people,
              entry,
            })
          }
        },
      },
    ],
  }),
})
