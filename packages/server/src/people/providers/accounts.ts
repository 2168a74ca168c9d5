/*
 * Which account a person of a provider has. The key is the provider's immutable id of the person: account name, mail and
 * position are attributes that may change. A person is never joined with an account because names are equal: that takes
 * an administrator (ADR 0234).
 */

import type { ProviderSettings } from '@cloudoc/contract'
import { fail, itemName } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { WriteContext } from '../../core/call/context.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { accountLimitOf } from '../../core/licence.ts'
import { bump, createSettings } from '../../core/settings.ts'
import { accountKey, endSessions, type Proof } from '../auth/index.ts'
import { assertAccountsLeft, insertAccount, insertGroup, lockAccounts } from '../organisation/index.ts'

export interface Provider {
  readonly id: number
  readonly name: string
  readonly settings: ProviderSettings
  readonly secret: string
}

/** What a provider says of a person. */
export interface ProviderPerson {
  readonly externalId: string
  readonly account: string
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly title: string
  readonly department?: readonly string[] | undefined
}

/** The enabled providers of a kind. */
export async function enabledProviders(db: Db, kind?: ProviderSettings['kind']): Promise<Provider[]> {
  return db
    .selectFrom('provider')
    .select(['id', 'name', 'settings', 'secret'])
    .where('enabled', '=', true)
    .$if(kind !== undefined, (query) => query.where(sql<boolean>`settings ->> 'kind' = ${kind}`))
    .orderBy('id')
    .execute()
}

const longest = { email: 254, phone: 32, title: 64 } as const

/**
 * The attributes as columns of an account. One that an account cannot have, such as a malformed number, is left out
 * rather than failing the sign-in.
 */
export function usableAttributes({ email, phone, title }: Pick<ProviderPerson, 'email' | 'phone' | 'title'>) {
  return {
    ...(email !== '' && email.length <= longest.email && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && { email }),
    ...(phone !== '' && phone.length <= longest.phone && /^[+\d\s()-]*$/.test(phone) && { phone }),
    ...(title !== '' && title.length <= longest.title && { title }),
  }
}

/** The name that a provider tells; empty if nobody here can have it. A sign-in does not fail for it. */
export const usableName = (name: string): string => ('code' in itemName(name) ? '' : name)

/** The department with these names below the company; missing ones are created. */
export async function departmentFor(
  { tx, changed }: Pick<WriteContext, 'tx' | 'changed'>,
  names: readonly string[],
): Promise<number> {
  const root = await tx.selectFrom('org_group').select('id').where('parent_id', 'is', null).executeTakeFirstOrThrow()
  let id = root.id
  for (const name of names) {
    const key = name.normalize('NFKC').toLowerCase()
    const known = await tx
      .selectFrom('org_group')
      .select('id')
      .where('parent_id', '=', id)
      .where((is) => is.or([is('name', '=', name), is('name_key', '=', key)]))
      .executeTakeFirst()
    if (known === undefined) {
      const made = await insertGroup(tx, id, name)
      changed({ kind: 'group', change: { groupId: made.id, name: made.name, what: 'created' } })
      id = made.id
    } else id = known.id
  }
  return id
}

/** Whether an account has this name, and has not been joined with the person of this provider. */
async function isNameTaken(db: Db, account: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('account_key', '=', accountKey(account))
    .executeTakeFirst()
  return row !== undefined
}

/** Notes a person whose account name belongs to an account that is not theirs, for an administrator. */
export async function notePending(db: Db, providerId: number, person: ProviderPerson): Promise<void> {
  const row = {
    label: person.name,
    account_name: person.account,
    account_key: accountKey(person.account),
  }
  await db
    .insertInto('provider_identity')
    .values({ provider_id: providerId, external_id: person.externalId, account_id: null, ...row })
    .onConflict((conflict) => conflict.columns(['provider_id', 'external_id']).doUpdateSet(row))
    .execute()
}

/** Creates the account of a person; in a race with another sign-in or a synchronization, the account of the winner. */
export async function createFor(
  write: Pick<WriteContext, 'tx' | 'now' | 'changed'>,
  providerId: number,
  person: ProviderPerson,
): Promise<number> {
  const { tx, now } = write
  const limit = accountLimitOf(await createSettings(tx).current())
  // The same row that serializes the count of accounts serializes those who create the same person at once.
  await lockAccounts(tx)
  const known = await joinedAccount(tx, providerId, person.externalId)
  if (known !== undefined) return known
  if (await isNameTaken(tx, person.account)) return fail('identityNotJoined')
  await assertAccountsLeft(tx, limit, 1)
  const made = await insertAccount(tx, {
    account: person.account,
    accountName: person.name,
    passwordHash: '',
    groupId: await departmentFor(write, person.department ?? []),
    secretLevel: 0,
    ...usableAttributes(person),
    now,
  })
  const row = { account_id: made.accountId, label: person.name, account_name: person.account, frozen_here: false }
  await tx
    .insertInto('provider_identity')
    .values({
      provider_id: providerId,
      external_id: person.externalId,
      account_key: accountKey(person.account),
      ...row,
    })
    .onConflict((conflict) => conflict.columns(['provider_id', 'external_id']).doUpdateSet(row))
    .execute()
  write.changed({ kind: 'person', change: made })
  await bump(tx, 'organisation')
  return made.accountId
}

/** The identity of a person, and their account. */
export interface OwnIdentity {
  readonly identityId: number
  readonly accountId: number
}

/** Freezes an account whose person a provider does not have any more: its sessions and tokens end. */
export async function freezeByProvider(
  write: Pick<WriteContext, 'tx' | 'changed' | 'event'>,
  { identityId, accountId }: OwnIdentity,
): Promise<void> {
  const { tx } = write
  const frozen = await tx
    .updateTable('account')
    .set({ state: 'frozen' })
    .where('id', '=', accountId)
    .where('state', 'in', ['normal', 'locked'])
    .returning('name')
    .executeTakeFirst()
  if (frozen === undefined) return
  await tx.updateTable('provider_identity').set({ frozen_here: true }).where('id', '=', identityId).execute()
  const ended = await endSessions(tx, accountId, { programs: true })
  if (ended !== undefined) write.event(ended)
  write.changed({ kind: 'person', change: { accountId, name: frozen.name, what: 'state' } })
}

/** Thaws an account that a provider had frozen. */
export async function thawByProvider(
  { tx, changed }: Pick<WriteContext, 'tx' | 'changed'>,
  { identityId, accountId }: OwnIdentity,
): Promise<void> {
  const thawed = await tx
    .updateTable('account')
    .set({ state: 'normal' })
    .where('id', '=', accountId)
    .where('state', '=', 'frozen')
    .returning('name')
    .executeTakeFirst()
  if (thawed === undefined) return
  await tx.updateTable('provider_identity').set({ frozen_here: false }).where('id', '=', identityId).execute()
  changed({ kind: 'person', change: { accountId, name: thawed.name, what: 'state' } })
}

/** The account that was joined with a person of a provider. */
export async function joinedAccount(db: Db, providerId: number, externalId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('provider_identity')
    .select('account_id')
    .where('provider_id', '=', providerId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row?.account_id ?? undefined
}

/**
 * Sets the roles that a provider gives, and leaves those that an administrator has given. Returns whether any was
 * added or removed.
 */
export async function giveRoles(
  tx: Tx,
  { providerId, accountId }: { readonly providerId: number; readonly accountId: number },
  roleIds: readonly number[],
): Promise<boolean> {
  const own = await tx
    .selectFrom('provider_identity')
    .select(['id', 'role_ids'])
    .where('provider_id', '=', providerId)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  if (own === undefined) return false
  const before = own.role_ids.map(Number)
  if (before.toSorted((a, b) => a - b).join() === roleIds.toSorted((a, b) => a - b).join()) return false
  await sql`
    delete from role_account where account_id = ${accountId} and role_id = any(${before}::bigint[])
      and role_id <> all(${[...roleIds]}::bigint[])`.execute(tx)
  await sql`
    insert into role_account (role_id, account_id)
    select id, ${accountId}::bigint from role where id = any(${[...roleIds]}::bigint[]) on conflict do nothing`.execute(
    tx,
  )
  await sql`update provider_identity set role_ids = ${[...roleIds]}::bigint[] where id = ${own.id}`.execute(tx)
  await bump(tx, 'organisation')
  return true
}

/** The proof of a person whom a provider has recognized. Fails for a person who has no account and gets none. */
export async function proofOf(
  db: Db,
  provider: Provider,
  person: ProviderPerson,
  more: Pick<Proof, 'opened' | 'skipsSecondFactor' | 'strong'> = {},
): Promise<Proof> {
  let known = await joinedAccount(db, provider.id, person.externalId)
  if (known === undefined && (await isNameTaken(db, person.account))) {
    // A sign-in at the same time may have created the account between the two queries, in one transaction.
    known = await joinedAccount(db, provider.id, person.externalId)
    if (known === undefined) {
      await notePending(db, provider.id, person)
      return fail('identityNotJoined')
    }
  }
  if (known === undefined && !provider.settings.creates) return fail('signInRejected')
  return {
    ...more,
    account: known ?? ((write) => createFor(write, provider.id, person)),
    // The provider may have been switched off, or the two parted, since it answered.
    async holds({ tx, accountId }) {
      const enabled = await tx
        .selectFrom('provider')
        .select('id')
        .where('id', '=', provider.id)
        .where('enabled', '=', true)
        .executeTakeFirst()
      const joined = await joinedAccount(tx, provider.id, person.externalId)
      return (enabled !== undefined && joined === accountId) || fail('signInRejected')
    },
  }
}
