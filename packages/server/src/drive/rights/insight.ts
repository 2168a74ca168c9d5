// Explains rights: why a user has certain rights, who may see an item, what a change would do, and the history of
// changes.
import type { features, ItemRef } from '@cloudoc/contract'
import {
  codes,
  concerns,
  type EntryInForce,
  explainRights,
  fail,
  type GateName,
  gates,
  hasRight,
  Right,
  type Rights,
  type RightsReason,
  type RightsState,
  refusal,
  rights,
  rightsOf,
  rightsStateAt,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account, AccountActor } from '../../core/actor.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { LevelBefore } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { grantApplications, grantsInForce } from '../downloads/index.ts'
import { accessToMany } from '../tree/index.ts'
import { managersOf } from './audience.ts'
import {
  approvalOf,
  assertEntries,
  changed,
  changeRights,
  independent,
  keyOf,
  levelsOf,
  namesAround,
  namesOf,
} from './change.ts'
import { kindsOfPeople, peopleWith } from './people.ts'

type Calls = typeof features.rights.calls
type Names =
  | 'getRightsReasons'
  | 'getAccessList'
  | 'getShareHistory'
  | 'undoShareChange'
  | 'undoShareChanges'
  | 'previewShareList'

/** Maximum number of users named in a preview. */
const mostNamed = 100

const refOf = ({ fileId, folderId }: { fileId?: number | undefined; folderId?: number | undefined }) =>
  fileId === undefined ? ({ fType: 2, fId: folderId ?? 0 } as const) : ({ fType: 1, fId: fileId } as const)

export function insightHandlers({
  settings,
  contributed,
}: Pick<Services, 'settings' | 'contributed'>): Pick<Handlers<Calls>, Names> {
  /** The downloads that a user is granted, and which of their applications the reader may open. */
  const grantsOf = async (db: Db, reader: AccountActor, itemId: number, accountId: number, now: number) => {
    const grants = await grantsInForce(db, itemId, accountId, now)
    const [readable] = contributed(grantApplications)
    const ids = grants.map(({ applicationId }) => applicationId)
    const known = (await readable?.(db, reader, ids)) ?? new Set()
    return grants.map((one) => ({ ...one, mayOpen: known.has(one.applicationId) }))
  }
  return {
    async getRightsReasons(context, input) {
      const { db, now } = context
      const actor = actorOf(context)
      const mine = context.item(refOf(input))
      const who =
        input.userId === undefined || input.userId === actor.accountId
          ? actor
          : await accountOf(db, settings, input.userId, now)
      const access = who === actor ? mine : (await accessToMany(db, who, [mine.row.id], now)).get(mine.row.id)
      const levels = await levelsOf(db, mine.row.id)
      const isManager = access?.facts.actor.isManager ?? false
      const options = { printRights: actor.settings.setting.print_rights, isManager, now }
      const { reasons } = explainRights(levels, who.subjects, options)
      const named = await namesAround(
        db,
        reasons.flatMap((reason) => ('entry' in reason ? [reason.entry] : [])),
      )
      return {
        userId: who.accountId,
        accountName: who.name,
        rights: access?.facts.rights ?? 0,
        steps: stepsOf(reasons, { named, place: placeFor(mine), isOwner: access?.facts.actor.isOwner ?? false }),
        limits: access === undefined ? [] : limitsOf(access),
        grants: mine.row.granted ? await grantsOf(db, actor, mine.row.id, who.accountId, now) : [],
      }
    },

    async getAccessList(context, { from, rows, ...input }) {
      const { row, facts } = context.item(refOf(input))
      const levels = await levelsOf(context.db, row.id)
      const managers = [...((await managersOf(context.db, [row.library_id])).get(row.library_id) ?? [])]
      return peopleWith(
        context.db,
        rightsStateAt(levels, context.now),
        managers,
        actorOf(context),
        { printRights: facts.settings.print_rights, passes: (mask) => hasRight(mask, 'display') },
        { from, rows },
      )
    },

    async previewShareList(context, input) {
      const { db, now } = context
      const { row, facts } = context.item(refOf(input))
      const levels = await levelsOf(db, row.id)
      await assertEntries(db, actorOf(context), input.entries, levels, now)
      const entries = independent(input.entries)
      const own = levels.at(-1) ?? fail('notFound')
      const applied = own.entries.filter(({ kind }) => kind === 'application')
      const to = {
        inherit: input.inherit,
        restricted: input.restricted ?? row.restricted,
        entries: [...applied, ...entries],
      }
      const change = changed(levels, to)
      const [before, after] = [rightsStateAt(levels, now), rightsStateAt(change.after, now)]
      const managers = (await managersOf(db, [row.library_id])).get(row.library_id) ?? new Set()
      const printRights = facts.settings.print_rights
      return {
        ...(await effectOf(db, { before, after, managers, printRights, by: actorOf(context) })),
        overridden: await overriddenBy(db, settings, { inForce: after.inForce, managers, now }),
      }
    },

    async getShareHistory(context, { from, rows: most, ...input }) {
      const { db } = context
      const { row } = context.item(refOf(input))
      const { rows } = await sql<{
        changeId: number
        what: 'set' | 'share' | 'paste' | 'clear' | 'undo' | 'approve' | 'revoke'
        operatorName: string
        createTime: number
        before: LevelBefore
        after: LevelBefore
      }>`
        select c.id as "changeId", c.what, a.name as "operatorName", c.created_at as "createTime", c.before, c.after
        from rights_change c join account a on a.id = c.account_id
        where c.item_id = ${row.id} order by c.id desc limit ${most} offset ${from}`.execute(db)
      const { rows: counted } = await sql<{ total: number }>`
        select count(*)::int as total from rights_change where item_id = ${row.id}`.execute(db)
      const named = await namesOf(
        db,
        rows.flatMap(({ before, after }) => [...before.entries, ...after.entries]),
      )
      const level = ({ entries, ...rest }: LevelBefore) => ({
        ...rest,
        entries: entries.map((entry) => ({ ...entry, subjectName: named.get(keyOf(entry)) ?? '' })),
      })
      return {
        list: rows.map(({ before, after, ...change }) => ({ ...change, before: level(before), after: level(after) })),
        total: counted[0]?.total ?? 0,
      }
    },

    async undoShareChange(context, { changeId, ...input }) {
      await undoOne(context, settings, refOf(input), changeId)
      return {}
    },

    undoShareChanges(context, { undone }, item) {
      const { fType, fId } = item
      const one = undone.find(({ fileId, folderId }) => (fType === 2 ? folderId : fileId) === fId)
      return undoOne(context, settings, item, one?.changeId ?? fail('badRequest'))
    },
  }
}

/** Undoes one change of an item, unless a later change affects the same entries. */
async function undoOne(
  context: WriteContext,
  settings: Services['settings'],
  item: ItemRef,
  changeId: number,
): Promise<{ changeId?: number }> {
  const { tx } = context
  const access = context.item(item)
  const { row } = access
  const change = await tx
    .selectFrom('rights_change')
    .select(['what', 'before', 'after'])
    .where('id', '=', changeId)
    .where('item_id', '=', row.id)
    .executeTakeFirst()
  if (change === undefined) return fail('notFound', 'changeId')
  // Rights granted by a request are revoked with the request.
  if (change.what === 'approve' || change.what === 'revoke') return fail('badRequest', 'changeId: of a request')
  const levels = await levelsOf(tx, row.id)
  const own = levels.at(-1) ?? fail('notFound')
  const [was, became] = [ownOf(change.before), ownOf(change.after)]
  const now = ownOf(own)
  for (const key of new Set([...was.keys(), ...became.keys()])) {
    if (sameEntry(was.get(key), became.get(key))) continue
    if (!sameEntry(now.get(key), became.get(key))) return fail('alreadyExists', 'changed again since')
    const before = was.get(key)
    if (before === undefined) now.delete(key)
    else now.set(key, before)
  }
  const known = await namesOf(tx, [...now.values()])
  const flag = (name: 'inherit' | 'restricted'): boolean => {
    if (change.before[name] === change.after[name]) return own[name]
    return own[name] === change.after[name] ? change.before[name] : fail('alreadyExists', 'changed again since')
  }
  const applied = own.entries.filter(({ kind }) => kind === 'application')
  const entries = [...applied, ...[...now.values()].filter((entry) => known.has(keyOf(entry)))]
  const to = { inherit: flag('inherit'), restricted: flag('restricted'), entries }
  return changeRights(context, settings, access, levels, to, { what: 'undo', withoutMyself: false })
}

type Entry = LevelBefore['entries'][number]

/** The entries set on an item itself, by subject. */
const ownOf = ({ entries }: Pick<LevelBefore, 'entries'>): Map<string, Entry> =>
  new Map(entries.filter(({ kind }) => kind === 'independent').map((entry) => [keyOf(entry), entry]))

const sameEntry = (one: Entry | undefined, other: Entry | undefined): boolean =>
  one?.rights === other?.rights && one?.expireTime === other?.expireTime

/** Returns the folder as the caller may know it. */
type PlaceOf = (id: number) => { folderId: number; fName: string }

/** The steps of an evaluation, as returned to the client. */
export function stepsOf(
  reasons: readonly RightsReason[],
  told: { readonly named: ReadonlyMap<string, string>; readonly place: PlaceOf; readonly isOwner: boolean },
) {
  return reasons.map((reason) => {
    if (reason.step === 'restricted') return { step: reason.step }
    if (reason.step === 'manager') return { step: told.isOwner ? ('owner' as const) : reason.step }
    if (reason.step === 'dependencies') return { step: reason.step, rights: reason.added }
    const { subjectType, subjectId, rights: mask, kind, expireTime, sourceId } = reason.entry
    return {
      step: reason.step,
      subjectType,
      subjectId,
      subjectName: told.named.get(keyOf(reason.entry)) ?? '',
      rights: mask,
      kind,
      expireTime,
      ...approvalOf(reason.entry, told.named),
      source: told.place(sourceId),
      ...('at' in reason && { at: told.place(reason.at) }),
    }
  })
}

/** The account of a user for the evaluation. A user who may not sign in has no rights. */
async function accountOf(db: Db, settings: Services['settings'], userId: number, now: number): Promise<Account> {
  const account = (await loadAccounts(db, settings, [userId], now)).get(userId) ?? fail('notFound', 'userId')
  return { ...account, isGuest: false }
}

/** Returns the names of ancestor folders; empty for one that the caller may not see. */
function placeFor({ row, path }: Access): PlaceOf {
  const known = new Map(path.filter(({ visible }) => visible).map(({ id, name }) => [id, name]))
  known.set(row.id, row.name)
  return (id) => {
    const fName = known.get(id)
    return fName === undefined ? { folderId: 0, fName: '' } : { folderId: id, fName }
  }
}

/** The actions refused on the item, each with the first condition that refuses it. */
function limitsOf({ facts }: Access): { action: string; fact: string; result: number }[] {
  return (Object.keys(gates) as GateName[]).flatMap((action) => {
    const refused = refusal(gates[action], facts)
    return refused === undefined ? [] : [{ action, fact: refused.fact, result: codes[refused.code].code }]
  })
}

export interface Effect {
  readonly before: RightsState
  readonly after: RightsState
  readonly managers: ReadonlySet<number>
  readonly printRights: boolean
  /** The caller. Only users whom the caller may know of are named. */
  readonly by: Account
}

interface InForce {
  readonly inForce: readonly EntryInForce[]
  readonly managers: ReadonlySet<number>
  readonly now: number
}

/**
 * Users with an entry of their own who are denied by a department or role. The deny wins, which is not visible in the
 * list.
 */
async function overriddenBy(db: Db, settings: Services['settings'], { inForce, managers, now }: InForce) {
  const isDeny = ({ rights: mask }: EntryInForce): boolean => (mask & Right.deny) !== 0
  const denies = inForce.filter((entry) => entry.subjectType !== 'user' && isDeny(entry))
  if (denies.length === 0) return []
  const own = inForce.filter(
    (entry) => entry.subjectType === 'user' && !isDeny(entry) && !managers.has(entry.subjectId),
  )
  const ids = [...new Set(own.map(({ subjectId }) => subjectId))]
  const [accounts, named] = [await loadAccounts(db, settings, ids, now), await namesOf(db, denies)]
  return ids.flatMap((userId) => {
    const subjects = accounts.get(userId)?.subjects
    const deny = subjects && denies.find((entry) => concerns(entry, subjects))
    return deny === undefined ? [] : [{ userId, by: named.get(keyOf(deny)) ?? '' }]
  })
}

/** The effect of a change on each user. */
export async function effectOf(db: Db, { before, after, managers, printRights, by }: Effect) {
  const options = { printRights, isManager: false }
  const alike = await kindsOfPeople(db, [before, after], [...managers], mostNamed, by)
  const counts = { gains: 0, loses: 0, hidden: 0, same: 0 }
  const shown: { userId: number; before: Rights; after: Rights; loss: number }[] = []
  for (const { subjects, people, first } of alike) {
    const [had, has] = [rightsOf(before, subjects, options).rights, rightsOf(after, subjects, options).rights]
    const [saw, sees] = [hasRight(had, 'display'), hasRight(has, 'display')]
    const [lost, won] = [saw ? had & ~(sees ? has : 0) : 0, sees ? has & ~(saw ? had : 0) : 0]
    if (lost === 0 && won === 0) {
      counts.same += people
      continue
    }
    if (lost !== 0) counts.loses += people
    else counts.gains += people
    if (saw && !sees) counts.hidden += people
    const loss = saw && !sees ? 2 : lost !== 0 ? 1 : 0
    for (const userId of first)
      shown.push({ userId, before: saw ? had : rights(0), after: sees ? has : rights(0), loss })
  }
  const named = shown.sort((a, b) => b.loss - a.loss).slice(0, mostNamed)
  const { rows } = await sql<{ userId: number; accountName: string; groupName: string }>`
    select a.id as "userId", a.name as "accountName", g.name as "groupName"
    from account a join org_group g on g.id = a.group_id
    where a.id = any(${named.map(({ userId }) => userId)})`.execute(db)
  const people = new Map(rows.map((person) => [person.userId, person]))
  return {
    ...counts,
    list: named.flatMap(({ userId, before: had, after: has }) => {
      const person = people.get(userId)
      return person === undefined ? [] : [{ ...person, before: had, after: has }]
    }),
  }
}
