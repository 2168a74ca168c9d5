// Resolves the department ids that calls name.
import { fail } from '@cloudoc/domain'
import type { Db } from '../../core/db/database.ts'

async function rootGroup(db: Db): Promise<number> {
  const { id } = await db.selectFrom('org_group').select('id').where('parent_id', 'is', null).executeTakeFirstOrThrow()
  return id
}

/** 0 stands for the company; an id that is not a department fails with -3. */
export async function groupOrRoot(db: Db, groupId: number): Promise<number> {
  if (groupId === 0) return rootGroup(db)
  const row = await db.selectFrom('org_group').select('id').where('id', '=', groupId).executeTakeFirst()
  return row?.id ?? fail('notFound', 'groupId')
}
