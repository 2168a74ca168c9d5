// Where files were copied from, as information: what the other server has said of them. It grants nothing.
import { fail } from '@cloudoc/domain'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'

export interface Origin {
  readonly server: string
  readonly author: string
  readonly createTime: number
}

/** Stores the origin of a file, once. */
export async function storeOrigin(db: Db, fileId: number, { server, author, createTime }: Origin): Promise<void> {
  await db
    .insertInto('item_origin')
    .values({ item_id: fileId, server, author, created_at: createTime })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Stores what a linked server says of a file that it has just made here for one of its people. */
export async function noteOrigin(context: WriteContext, fileId: number, origin: Origin): Promise<void> {
  const { tx, now } = context
  const { accountId, sessionId } = actorOf(context)
  const { row } = context.item({ fType: 1, fId: fileId })
  const session = await tx.selectFrom('session').select('via_server').where('id', '=', sessionId).executeTakeFirst()
  const isByServer = session !== undefined && session.via_server !== null
  if (!isByServer || row.created_by !== accountId) return fail('noPermission')
  await storeOrigin(tx, fileId, { ...origin, createTime: Math.min(origin.createTime, now) })
}

export async function originOf(db: Db, fileId: number): Promise<{ origin?: Origin }> {
  const row = await db
    .selectFrom('item_origin')
    .select(['server', 'author', 'created_at as createTime'])
    .where('item_id', '=', fileId)
    .executeTakeFirst()
  return row === undefined ? {} : { origin: row }
}
