// Rights lists: who was given what on an item, and what is in force there ([R208], [R209], [R214]).
import { features } from '@cloudoc/contract'
import {
  type EntryInForce,
  entriesAt,
  fail,
  hasRight,
  mayWithhold,
  Right,
  type RightsEntry,
  type RightsLevel,
  rightsFrom,
  rightsGiven,
  selectableRights,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { itemEvent } from '../tree/index.ts'
import { type ItemLevel, loadLevels } from './levels.ts'
import { reminders } from './reminders.ts'

export { addApplied, removeApplied } from './applied.ts'
export { itemAudience, managersOf, placeAt, rightsAt } from './audience.ts'
export { type ItemLevel, loadLevels } from './levels.ts'

const tables = { user: 'account', group: 'org_group', role: 'role' } as const
/** Managers that somebody is told of. */
const mostManagers = 20
type SubjectType = RightsEntry['subjectType']

/** The names of subjects by type and id; those that do not exist are missing. */
async function namesOf(db: Db, subjects: readonly { subjectType: SubjectType; subjectId: number }[]) {
  const names = new Map<string, string>()
  for (const type of ['user', 'group', 'role'] as const) {
    const ids = [...new Set(subjects.filter((s) => s.subjectType === type).map((s) => s.subjectId))]
    if (ids.length === 0) continue
    const rows = await sql<{ id: number; name: string }>`
      select id, name from ${sql.table(tables[type])} where id = any(${ids})`.execute(db)
    for (const row of rows.rows) names.set(`${type}:${row.id}`, row.name)
  }
  return names
}

/** The handlers of the rights calls. */
export function rightsHandlers({ settings }: Pick<Services, 'settings'>) {
  return implement(features.rights.calls, {
    async setShareList(context, input) {
      const { tx, now } = context
      const actor = actorOf(context)
      const id = input.fileId ?? input.folderId ?? fail('badRequest')
      const access = context.item({ fType: input.fileId === undefined ? 2 : 1, fId: id })
      const { row } = access
      const levels = (await loadLevels(tx, [id])).get(id) ?? fail('notFound')
      const before = levels.at(-1) ?? fail('notFound')
      const entries = input.entries.map((entry) => ({ ...entry, expireTime: entry.expireTime ?? null }))
      const keys = new Set(entries.map((entry) => `${entry.subjectType}:${entry.subjectId}`))
      if (keys.size !== entries.length) return fail('badRequest', 'entries: one entry for a subject')
      const names = await namesOf(tx, entries)
      if (names.size !== keys.size) return fail('notFound', 'entries')
      const applied = before.entries.filter((entry) => entry.kind === 'application')
      const kept = entries.map((entry) => ({
        ...entry,
        kind: 'independent' as const,
        rights: entry.rights & (selectableRights | Right.deny),
      }))
      checkChange(
        actor,
        access,
        levels,
        { ...before, inherit: input.inherit, entries: [...applied, ...kept] },
        input,
        now,
      )

      await tx.deleteFrom('entry').where('item_id', '=', id).where('kind', '=', 'independent').execute()
      if (entries.length > 0) {
        await tx
          .insertInto('entry')
          .values(
            kept.map((entry) => ({
              item_id: id,
              subject_type: entry.subjectType,
              subject_id: entry.subjectId,
              rights: entry.rights,
              kind: entry.kind,
              expires_at: entry.expireTime,
              created_by: actor.accountId,
              created_at: now,
            })),
          )
          .execute()
      }
      const restricted = input.restricted ?? row.restricted
      await tx
        .updateTable('item')
        .set({
          inherit: input.inherit,
          restricted,
          own_rules: !input.inherit || restricted || applied.length > 0 || entries.length > 0,
          withholds: mayWithhold([...applied, ...entries]),
        })
        .where('id', '=', id)
        .execute()
      context.event(
        itemEvent(row, 'rights', actor.name, {
          before: { inherit: before.inherit, restricted: before.restricted, entries: before.entries },
        }),
      )
      const after = [
        ...levels.slice(0, -1),
        { ...before, inherit: input.inherit, restricted, entries: [...applied, ...kept] },
      ]
      for (const reminder of await reminders(tx, settings, { row, levels, after, author: actor, now }))
        context.event(reminder)
      return {}
    },

    async getItemManagers(context, input) {
      const id = input.fileId ?? input.folderId ?? fail('badRequest')
      const { row } = context.item({ fType: input.fileId === undefined ? 2 : 1, fId: id })
      const { rows: list } = await sql<{ userId: number; accountName: string }>`
        select a.id as "userId", a.name as "accountName" from account a
        where a.state = 'normal' and (
          a.id = (select owner_id from library where id = ${row.library_id})
          or a.id in (select account_id from library_manager where library_id = ${row.library_id}))
        order by a.id limit ${mostManagers}`.execute(context.db)
      return { list }
    },

    async getShareList(context, input) {
      const id = input.fileId ?? input.folderId ?? fail('badRequest')
      const access = context.item({ fType: input.fileId === undefined ? 2 : 1, fId: id })
      const levels = (await loadLevels(context.db, [id])).get(id) ?? fail('notFound')
      const inForce = inForceAt(levels, context.now)
      const names = await namesOf(context.db, inForce)
      // A folder above that the caller may not see is told as the source only by its id 0.
      const sources = new Map(access.path.filter((link) => link.visible).map((link) => [link.id, link.name]))
      sources.set(id, access.row.name)
      return {
        inherit: access.row.inherit,
        restricted: access.row.restricted,
        entries: inForce.flatMap((entry) => {
          const subjectName = names.get(`${entry.subjectType}:${entry.subjectId}`)
          if (subjectName === undefined) return []
          const source = sources.get(entry.sourceId)
          return [
            {
              subjectType: entry.subjectType,
              subjectId: entry.subjectId,
              subjectName,
              rights: entry.rights,
              expireTime: entry.expireTime,
              kind: entry.sourceId === id ? entry.kind : ('inherited' as const),
              source: source === undefined ? { folderId: 0, fName: '' } : { folderId: entry.sourceId, fName: source },
            },
          ]
        }),
      }
    },
  })
}

/** Refuses a list that gives more than its author holds, or that takes from them, unasked, the right to change it. */
function checkChange(
  actor: Account,
  { facts }: Access,
  levels: readonly ItemLevel[],
  changed: RightsLevel,
  { withoutMyself }: { readonly withoutMyself: boolean },
  now: number,
): void {
  if (hasRight(facts.rights, 'full')) return
  const options = { printRights: facts.settings.print_rights, isManager: false }
  const then = [...levels.slice(0, -1), changed]
  // An entry that would have ended and goes on is given from the moment on when it would have.
  const ends = levels.flatMap(({ entries }) => entries.map(({ expireTime }) => expireTime ?? now))
  const moments = [...new Set([now, ...ends.filter((end) => end > now)])]
  const given = moments.reduce((mask, at) => mask | rightsGiven(inForceAt(levels, at), inForceAt(then, at), options), 0)
  if ((given & ~facts.rights) !== 0) fail('noPermission', 'entries: they give more than you hold')
  if (!withoutMyself && !hasRight(rightsFrom(inForceAt(then, now), actor.subjects, options).rights, 'grant'))
    fail('badRequest', 'entries: you could not change them any more; say withoutMyself where that is meant')
}

function inForceAt(levels: readonly RightsLevel[], now: number): readonly EntryInForce[] {
  return levels.reduce<readonly EntryInForce[]>((parent, level) => entriesAt(parent, level, now), [])
}
