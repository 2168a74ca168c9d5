// Work in the name of an account without a call of it, such as what ends in the folder of a person.
import { fail } from '@cloudoc/domain'
import type { Access } from '../access.ts'
import type { Account, AccountActor } from '../actor.ts'
import type { WriteContext } from './context.ts'

/** A context for work that is done with the rights of an account, without a call of it. */
export function contextOfAccount(
  { tx, now, event }: Pick<WriteContext, 'tx' | 'now' | 'event'>,
  account: Account,
  folder: Access,
): WriteContext {
  const actor: AccountActor = {
    ...account,
    ...{ kind: 'account', mustChangePassword: false, passwordUntil: 0, needsSecondFactor: false },
    ...{ sessionId: 0, clientType: 0 },
  }
  return {
    ...{ tx, now, event, actor, db: tx, address: '' },
    request: undefined as never,
    reply: undefined as never,
    item: () => folder,
    object: () => fail('notFound'),
    stillMay: async () => {},
    refusalOf: () => undefined,
    changed: () => {},
    audit: () => {},
    join: () => {},
  }
}
