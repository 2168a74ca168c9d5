// Accounts, departments and roles: creating and changing them (decisions "Wire shapes", [R347], [R349]).

import { features } from '@cloudoc/contract'
import { fail, passwordProblems } from '@cloudoc/domain'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import type { PersonChange } from '../../core/events.ts'
import { accountLimitOf } from '../../core/licence.ts'
import type { Services } from '../../core/services.ts'
import { bump } from '../../core/settings.ts'
import { endSessions, hashPassword } from '../auth/index.ts'
import { administratorHandlers } from './administrators.ts'
import { capabilityHandlers } from './capabilities.ts'
import { departmentHandlers } from './departments.ts'
import { directoryHandlers } from './directory.ts'
import { insertGroup } from './groups.ts'
import { named, personColumns } from './names.ts'
import { passwordLinkHandlers } from './password-links.ts'
import { passwordSmsHandlers } from './password-sms.ts'
import { assertAccountsLeft, personHandlers } from './persons.ts'
import { roleHandlers } from './roles.ts'
import { administratorsAmong, groupFor, isIn, partOf, refusalIn } from './scope.ts'
import { sheetHandlers } from './sheets.ts'

export { pathsOf } from './departments.ts'
export { knownOf, peopleKnownTo, presentOf } from './directory.ts'
export { groupOrRoot } from './group-ids.ts'
export { insertGroup } from './groups.ts'
export { belongingOf, type Relations, relationsAt } from './membership-history.ts'
export { personColumns } from './names.ts'
export { assertAccountsLeft, lockAccounts } from './persons.ts'
export { type Recovery, RecoveryRefused, recoverPower } from './recovery.ts'
export { administratorsAmong } from './scope.ts'

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

/** Creates an account; a duplicate name is refused with -5. The caller notifies the reactions. */
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

export function organisationHandlers(services: Pick<Services, 'settings' | 'secrets'>) {
  return implement(features.people.calls, {
    ...directoryHandlers,
    ...personHandlers,
    ...administratorHandlers,
    ...departmentHandlers,
    ...sheetHandlers,
    ...roleHandlers,
    ...capabilityHandlers,
    ...passwordLinkHandlers(services),
    ...passwordSmsHandlers(services),

    async createAccount(context, input) {
      const actor = actorOf(context)
      const { settings } = actor
      const { password } = input
      const beyond = partOf(actor) !== undefined && input.secretLevel !== 0
      if (beyond) return fail('noPermission', 'secretLevel')
      if (password !== undefined) {
        const problem = passwordProblems({ password, account: input.account.trim(), minLength: settings.pwdLength })
        if (problem !== undefined) return fail(problem)
      }
      const passwordHash = password === undefined ? '' : await hashPassword(password)
      return context.commit(async (write) => {
        const { tx, now, changed } = write
        await assertAccountsLeft(tx, accountLimitOf(settings), 1)
        const groupId = await groupFor(tx, actorOf(write), input.groupId, 'people')
        if (input.quota !== null && !isIn(partOf(actorOf(write), 'quota'), groupId))
          return fail('noPermission', 'quota')
        const person = await insertAccount(tx, { ...input, groupId, passwordHash, now })
        changed({ kind: 'person', change: person })
        await bump(tx, 'organisation')
        return { userId: person.accountId }
      })
    },

    async createGroup(context, { groupName, parentId }) {
      const { tx } = context
      const group = await insertGroup(tx, await groupFor(tx, actorOf(context), parentId, 'departments'), groupName)
      context.changed({ kind: 'group', change: { groupId: group.id, name: group.name, what: 'created' } })
      await bump(tx, 'organisation')
      context.audit({ groupId: group.id, name: group.name })
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
      const roleId = made?.id ?? fail('alreadyExists')
      context.audit({ roleId, name })
      return { roleId }
    },

    async setAccountState(context, { userId, state }) {
      const { tx } = context
      const actor = actorOf(context)
      if (userId === actor.accountId) return fail('ownAccount')
      const account = await tx
        .selectFrom('account')
        .select(['id', 'name', 'group_id'])
        .where('id', '=', userId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (account === undefined) return fail('notFound')
      const administers = (await administratorsAmong(tx, [userId])).has(userId)
      const refusal = refusalIn(actor, account, administers, { state }) ?? (administers ? 'adminAccount' : undefined)
      if (refusal !== undefined) return fail(refusal)
      await tx.updateTable('account').set({ state }).where('id', '=', userId).execute()
      if (state !== 'normal') {
        const ended = await endSessions(tx, userId, { programs: true })
        if (ended !== undefined) context.event(ended)
      }
      context.changed({ kind: 'person', change: { accountId: userId, name: account.name, what: 'state' } })
      context.audit({ state })
      return {}
    },
  })
}
