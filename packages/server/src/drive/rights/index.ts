// Rights lists: who was granted what on an item, and what is effective there ([R208], [R209], [R211], [R212], [R214]).
import { features, type Parsed } from '@cloudoc/contract'
import { closeRights, denial, fail, gates, Right, rights, rightsStateAt } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { presentOf } from '../../people/organisation/index.ts'
import { createCompleteRecords } from '../tree/index.ts'
import { approvalOf, assertEntries, changeRights, independent, keyOf, levelsOf, namesAround } from './change.ts'
import { insightHandlers } from './insight.ts'
import { otherAccessHandlers } from './other-access.ts'
import { countPeople } from './people.ts'
import { reportHandlers } from './report.ts'
import { sharedHandlers } from './shared.ts'

export { addApplied, addProcessEntries, removeApplied, removeProcessEntries } from './approved-entries.ts'
export { itemAudience, itemListeners, managersOf, rightsAt } from './audience.ts'
export { assertEntries } from './change.ts'
export { type ItemLevel, loadLevels } from './levels.ts'
export { type AccessQuestion, type AccessSource, accessSources } from './other-access.ts'
export { peopleAmong } from './people.ts'
export { filterByRight, findPeopleWithRight } from './right-holders.ts'

/** Maximum number of managers returned. */
const mostManagers = 20

type Wanted = Omit<Parsed<(typeof features.rights.calls)['setShareList']>, 'withoutMyself'>

/** Sets the list of one item; rights granted by requests stay. */
async function setOne(
  context: WriteContext,
  settings: Services['settings'],
  { fileId, folderId, inherit, restricted, entries: wanted }: Wanted,
  withoutMyself: boolean,
): Promise<{ changeId?: number }> {
  const { tx } = context
  const id = fileId ?? folderId ?? fail('badRequest')
  const access = context.item({ fType: fileId === undefined ? 2 : 1, fId: id })
  const levels = await levelsOf(tx, id)
  await assertEntries(tx, actorOf(context), wanted, levels, context.now)
  const entries = independent(wanted)
  const applied = levels.at(-1)?.entries.filter(({ kind }) => kind === 'application') ?? []
  const to = { inherit, restricted: restricted ?? access.row.restricted, entries: [...applied, ...entries] }
  return changeRights(context, settings, access, levels, to, { what: 'set', withoutMyself })
}

/** The call handlers of rights. */
export function rightsHandlers(services: Pick<Services, 'settings' | 'db' | 'now' | 'contributed'>) {
  const { settings } = services
  return implement(features.rights.calls, {
    ...insightHandlers(services),
    ...sharedHandlers(createCompleteRecords(services)),
    ...reportHandlers,
    ...otherAccessHandlers(services),

    async setShareList(context, input) {
      await setOne(context, settings, input, input.withoutMyself)
      return {}
    },

    setShareLists(context, { lists, withoutMyself }, { fType, fId }) {
      const list = lists.find(({ fileId, folderId }) => (fType === 2 ? folderId : fileId) === fId)
      return setOne(context, settings, list ?? fail('badRequest'), withoutMyself)
    },

    async batchCopyShare(context, { sourceFileId, sourceFolderId }, item) {
      const { tx } = context
      const access = context.item(item)
      const source = context.item(
        sourceFileId === 0 ? { fType: 2, fId: sourceFolderId } : { fType: 1, fId: sourceFileId },
      )
      const [from] = (await levelsOf(tx, source.row.id)).slice(-1)
      const own = from?.entries.filter(
        ({ kind, expireTime }) => kind === 'independent' && (expireTime === null || expireTime > context.now),
      )
      // Users who have left are not copied.
      const copied = await presentOf(tx, own ?? [])
      if (from === undefined || copied.length === 0) return fail('noPermissionsToPaste')
      const levels = await levelsOf(tx, access.row.id)
      const applied = levels.at(-1)?.entries.filter(({ kind }) => kind === 'application') ?? []
      const to = {
        inherit: from.inherit,
        restricted: access.row.restricted,
        entries: [...applied, ...independent(copied)],
      }
      await changeRights(context, settings, access, levels, to, { what: 'paste', withoutMyself: false })
      return {}
    },

    async clearShareList(context, { approveSubItem, inherit }, item) {
      const access = context.item(item)
      const levels = await levelsOf(context.tx, access.row.id)
      const manner = { what: 'clear', withoutMyself: true } as const
      const own = levels.at(-1) ?? fail('notFound')
      const { restricted } = access.row
      if (denial(gates.grant, access.facts) !== undefined) {
        // [R150] Without GRANT: what names the caller, and nothing of others.
        const me = keyOf({ subjectType: 'user', subjectId: actorOf(context).accountId })
        const entries = own.entries.filter((entry) => keyOf(entry) !== me)
        if (entries.length === own.entries.length) return fail('noPermission')
        await changeRights(context, settings, access, levels, { inherit: own.inherit, restricted, entries }, manner)
        return {}
      }
      const applied = own.entries.filter(({ kind }) => kind === 'application')
      const to = { inherit, restricted, entries: approveSubItem ? [] : applied }
      await changeRights(context, settings, access, levels, to, manner)
      return {}
    },

    async shareItems(context, { subjects, rights: mask, expireTime, message }, item) {
      const { tx, now } = context
      const access = context.item(item)
      if ((mask & Right.deny) !== 0 || mask === 0)
        return fail('badRequest', { zh: '分享须授予权限', en: 'rights: to share is to give' })
      const until = expireTime ?? null
      const wanted = subjects.map((subject) => ({ ...subject, rights: mask, expireTime: until }))
      await assertEntries(tx, actorOf(context), wanted, [], now)
      const levels = await levelsOf(tx, access.row.id)
      const own = levels.at(-1) ?? fail('notFound')
      const given = closeRights(rights(mask), { printRights: access.facts.settings.print_rights })
      const inForce = new Map(
        rightsStateAt(levels, now)
          .inForce.filter(({ kind }) => kind === 'independent')
          .map((entry) => [keyOf(entry), entry]),
      )
      const entries = [
        ...own.entries.filter(
          (entry) => entry.kind === 'application' || entry.expireTime === null || entry.expireTime > now,
        ),
      ]
      for (const subject of subjects) {
        const had = inForce.get(keyOf(subject))
        // A subject that already has these rights without expiry is not changed.
        if (had !== undefined && (had.rights & given) === given && had.expireTime === null) continue
        const at = entries.findIndex((entry) => entry.kind === 'independent' && keyOf(entry) === keyOf(subject))
        if (at >= 0 && (entries[at]?.expireTime ?? null) !== until) return fail('alreadyExists', keyOf(subject))
        const kept = had === undefined || (had.rights & Right.deny) !== 0 ? 0 : had.rights
        const [entry] = independent([{ ...subject, rights: given | kept, expireTime: until }])
        if (entry !== undefined) entries.splice(at < 0 ? entries.length : at, at < 0 ? 0 : 1, entry)
      }
      const to = { inherit: own.inherit, restricted: own.restricted, entries }
      await changeRights(context, settings, access, levels, to, { what: 'share', withoutMyself: false, message })
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
      const { inForce } = rightsStateAt(await levelsOf(context.db, id), context.now)
      const names = await namesAround(context.db, inForce)
      const people = await countPeople(context.db, inForce)
      // A source folder that the caller may not see is returned with id 0.
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
              people: people.get(keyOf(entry)) ?? 0,
              kind: entry.sourceId === id ? entry.kind : ('inherited' as const),
              ...approvalOf(entry, names),
              source: source === undefined ? { folderId: 0, fName: '' } : { folderId: entry.sourceId, fName: source },
            },
          ]
        }),
      }
    },
  })
}
