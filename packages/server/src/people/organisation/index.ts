// Accounts, departments and roles, for the administrator (decisions "Wire shapes", [R347], [R349]).
import { features } from '@cloudoc/contract'
import { fail, passwordProblems } from '@cloudoc/domain'
import { type SqlBool, sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { PersonChange } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import { bump } from '../../core/settings.ts'
import { foldQuery, likeAnywhere } from '../../core/text-keys.ts'
import { endSessions, hashPassword } from '../auth/index.ts'
import { departmentHandlers, groupOrRoot } from './departments.ts'
import { insertGroup } from './groups.ts'
import { named, personColumns } from './names.ts'
import { passwordLinkHandlers } from './password-links.ts'
import { assertAccountsLeft, personHandlers } from './persons.ts'
import { roleHandlers } from './roles.ts'
import { sheetHandlers } from './sheets.ts'

export { insertGroup } from './groups.ts'

export interface NewAccount {
  readonly account: string
  readonly accountName: string
  readonly passwordHash: string
  readonly groupId: number
  readonly secretLevel: number
  readonly isAdmin?: boolean
  readonly mustChangePassword?: boolean
  readonly title?: string
  readonly email?: string
  readonly phone?: string
  readonly quota?: number | null
  readonly expireTime?: number | null
  readonly now: number
}

/** Makes an account; a taken name is refused with -5. Who makes it tells reactions. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<PersonChange> {
  const columns = personColumns(account)
  const made = await tx
    .insertInto('account')
    .values({
      ...columns,
      password_hash: account.passwordHash,
      group_id: account.groupId,
      secret_level: account.secretLevel,
      is_admin: account.isAdmin ?? false,
      must_change_password: account.mustChangePassword ?? false,
      title: account.title?.trim() ?? '',
      email: account.email?.trim() ?? '',
      phone: account.phone?.trim() ?? '',
      quota: account.quota ?? null,
      expires_at: account.expireTime ?? null,
      created_at: account.now,
    })
    .onConflict((conflict) => conflict.column('account_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made === undefined) return fail('alreadyExists')
  return { accountId: made.id, name: columns.name, what: 'created' }
}

const people = (db: Db) =>
  db
    .selectFrom('account as a')
    .innerJoin('org_group as g', 'g.id', 'a.group_id')
    .select([
      'a.id as userId',
      'a.account',
      'a.name as accountName',
      'a.group_id as groupId',
      'g.name as groupName',
      'a.secret_level as secretLevel',
      'a.state',
      'a.is_admin as isAdmin',
    ])

/** The handlers of the administrator's calls. */
export function organisationHandlers(services: Pick<Services, 'settings'>) {
  return implement(features.people.calls, {
    ...personHandlers,
    ...departmentHandlers,
    ...sheetHandlers,
    ...roleHandlers,
    ...passwordLinkHandlers(services),

    async createAccount(context, input) {
      const { settings } = actorOf(context)
      const { password } = input
      if (password !== undefined) {
        const problem = passwordProblems({ password, account: input.account.trim(), minLength: settings.pwdLength })
        if (problem !== undefined) return fail(problem)
      }
      const passwordHash = password === undefined ? '' : await hashPassword(password)
      return context.commit(async ({ tx, now, changed }) => {
        await assertAccountsLeft(tx, settings.account_limit, 1)
        const groupId = await groupOrRoot(tx, input.groupId)
        const person = await insertAccount(tx, { ...input, groupId, passwordHash, now })
        changed({ kind: 'person', change: person })
        await bump(tx, 'organisation')
        return { userId: person.accountId }
      })
    },

    async resetPassword(context, { userId, password, mustChangePassword }) {
      const actor = actorOf(context)
      if (userId === actor.accountId) return fail('ownAccount')
      const account = await context.db
        .selectFrom('account')
        .select(['account', 'name', 'is_admin'])
        .where('id', '=', userId)
        .executeTakeFirst()
      if (account === undefined) return fail('notFound')
      if (account.is_admin) return fail('adminAccount')
      const problem = passwordProblems({ password, account: account.account, minLength: actor.settings.pwdLength })
      if (problem !== undefined) return fail(problem)
      const passwordHash = await hashPassword(password)
      return context.commit(async (write) => {
        await write.tx
          .updateTable('account')
          .set({ password_hash: passwordHash, must_change_password: mustChangePassword })
          .where('id', '=', userId)
          .execute()
        const ended = await endSessions(write.tx, userId)
        if (ended !== undefined) write.event(ended)
        write.changed({ kind: 'person', change: { accountId: userId, name: account.name, what: 'password' } })
        write.audit({ userId })
        return {}
      })
    },

    async createGroup(context, { groupName, parentId }) {
      const { tx } = context
      const group = await insertGroup(tx, await groupOrRoot(tx, parentId), groupName)
      context.changed({ kind: 'group', change: { groupId: group.id, name: group.name, what: 'created' } })
      await bump(tx, 'organisation')
      return { groupId: group.id }
    },

    async createRole(context, { roleName }) {
      const { name, key, text } = named(roleName)
      const made = await context.tx
        .insertInto('role')
        .values({ name, name_key: key, search_text: text })
        .onConflict((conflict) => conflict.column('name_key').doNothing())
        .returning('id')
        .executeTakeFirst()
      return { roleId: made?.id ?? fail('alreadyExists') }
    },

    async addRoleAccount(context, { roleId, userId }) {
      const { tx } = context
      const role = await tx.selectFrom('role').select('id').where('id', '=', roleId).executeTakeFirst()
      const account = await tx.selectFrom('account').select('name').where('id', '=', userId).executeTakeFirst()
      if (role === undefined || account === undefined) return fail('notFound')
      await tx
        .insertInto('role_account')
        .values({ role_id: roleId, account_id: userId })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await bump(tx, 'organisation')
      context.event({ kind: 'refetch', accountIds: [userId] })
      context.changed({ kind: 'person', change: { accountId: userId, name: account.name, what: 'roles' } })
      return {}
    },

    async setAccountState(context, { userId, state }) {
      const { tx } = context
      const actor = actorOf(context)
      if (userId === actor.accountId) return fail('ownAccount')
      const account = await tx
        .selectFrom('account')
        .select(['name', 'is_admin'])
        .where('id', '=', userId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (account === undefined) return fail('notFound')
      if (account.is_admin) return fail('adminAccount')
      await tx.updateTable('account').set({ state }).where('id', '=', userId).execute()
      if (state !== 'normal') {
        const ended = await endSessions(tx, userId)
        if (ended !== undefined) context.event(ended)
      }
      context.changed({ kind: 'person', change: { accountId: userId, name: account.name, what: 'state' } })
      context.audit({ state })
      return {}
    },

    async searchItem2(context, { searchType, keyword, rows }) {
      const pattern = likeAnywhere(foldQuery(keyword))
      const wanted = (type: 'user' | 'group' | 'role'): SqlBool => searchType === 'all' || searchType === type
      const found = await sql<{
        type: 'user' | 'group' | 'role'
        id: number
        name: string
        account: string | null
        group_name: string | null
      }>`
        select * from (
          select 'group' as type, id, name, null as account, null as group_name, name_sort as sort
            from org_group where ${wanted('group')} and search_text like ${pattern}
          union all
          select 'role', id, name, null, null, name from role where ${wanted('role')} and search_text like ${pattern}
          union all
          select 'user', a.id, a.name, a.account, g.name, a.name_sort from account a join org_group g on g.id = a.group_id
            where ${wanted('user')} and a.search_text like ${pattern}
        ) found order by type, sort, id limit ${rows}`.execute(context.db)
      return {
        list: found.rows.map(({ type, id, name, account, group_name }) => ({
          type,
          id,
          name,
          ...(account === null ? {} : { account }),
          ...(group_name === null ? {} : { groupName: group_name }),
        })),
      }
    },

    async getSubItemList(context, { parentType, parentId }) {
      const { db } = context
      if (parentType === 'role') {
        const list = await people(db)
          .innerJoin('role_account as r', 'r.account_id', 'a.id')
          .where('r.role_id', '=', parentId)
          .orderBy('a.name_sort')
          .execute()
        return { list: list.map(asItem) }
      }
      const groupId = await groupOrRoot(db, parentId)
      const groups = await db
        .selectFrom('org_group')
        .select(['id', 'name'])
        .where('parent_id', '=', groupId)
        .orderBy('name_sort')
        .execute()
      const members = await people(db)
        .where('a.group_id', '=', groupId)
        .orderBy('a.name_sort')
        .orderBy('a.id')
        .execute()
      return { list: [...groups.map((group) => ({ type: 'group' as const, ...group })), ...members.map(asItem)] }
    },

    async getAllAccount(context, { from, rows }) {
      const list = await people(context.db).orderBy('a.name_sort').orderBy('a.id').limit(rows).offset(from).execute()
      const { total } = await context.db
        .selectFrom('account')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return { list, total }
    },

    async getRoleList(context) {
      const list = await context.db
        .selectFrom('role')
        .select(['id as roleId', 'name as roleName'])
        .orderBy('id')
        .execute()
      return { list }
    },

    async getUserInfo(context, { accountId }) {
      const person = await people(context.db).where('a.id', '=', accountId).executeTakeFirst()
      return person ?? fail('notFound')
    },

    async getGroupInfo(context, { groupId }) {
      const group = await context.db
        .selectFrom('org_group as g')
        .leftJoin('library as l', 'l.group_id', 'g.id')
        .select(['g.id', 'g.name', 'g.parent_id', 'l.id as library_id'])
        .where('g.id', '=', await groupOrRoot(context.db, groupId))
        .executeTakeFirst()
      if (group === undefined) return fail('notFound')
      return {
        groupId: group.id,
        groupName: group.name,
        parentId: group.parent_id ?? 0,
        libraryId: group.library_id ?? 0,
      }
    },
  })
}

function asItem(person: { userId: number; accountName: string; account: string; groupName: string }) {
  return {
    type: 'user' as const,
    id: person.userId,
    name: person.accountName,
    account: person.account,
    groupName: person.groupName,
  }
}
