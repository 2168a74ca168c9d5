// Which seal a person may use, its picture, and the log of its uses.
import { fail } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'

/** Whether the seal `s` may be used by a person now. */
export const usableBy = ({ accountId, subjects }: Account): RawBuilder<boolean> => sql<boolean>`
  s.removed_at is null and (${accountId} = any(s.user_ids) or s.role_ids && ${[...subjects.roleIds]}::bigint[])`

/** The picture of a seal that the person may use at this moment. */
export async function usableSeal(db: Db, actor: Account, sealId: number): Promise<{ name: string; picture: Buffer }> {
  const { rows } = await sql<{ name: string; picture: Buffer }>`
    select s.name, s.picture from sign_seal s where s.id = ${sealId} and ${usableBy(actor)}`.execute(db)
  return rows[0] ?? fail('noPermission', { zh: '你不能使用这枚印章', en: 'sealId: a seal that you may not use' })
}

/** Logs the use of a seal, also one that was tried only. */
export async function logSealUse(
  db: Db,
  use: {
    readonly sealId: number
    readonly accountId: number
    readonly title: string
    readonly at: number
    readonly address: string
    readonly isDone: boolean
  },
): Promise<void> {
  const { sealId, accountId, title, at, address, isDone } = use
  await db
    .insertInto('sign_seal_use')
    .values({ seal_id: sealId, account_id: accountId, activity_title: title, at, address, is_done: isDone })
    .execute()
}

/** The picture of a person's signature. */
export async function ownSignature(db: Db, accountId: number, signatureId: number): Promise<Buffer> {
  const { rows } = await sql<{ picture: Buffer }>`
    select picture from sign_picture where id = ${signatureId} and account_id = ${accountId}`.execute(db)
  return rows[0]?.picture ?? fail('notFound', { zh: '签名不存在', en: 'signatureId: no such signature' })
}
