// The calls of signatures and seals ([R273]).
import { features, type Seal } from '@cloudoc/contract'
import { fail, signLimits } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { knownOf } from '../../people/organisation/index.ts'
import { typeOf } from '../../people/pictures/index.ts'
import { usableBy } from './seals.ts'

/** The bytes of a picture that is drawn into files: a small PNG, as pages make them. */
export function pictureOf(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  return typeOf(bytes) === 'image/png' ? bytes : fail('pictureRefused')
}

async function useFirst(tx: Db, accountId: number, signatureId: number): Promise<void> {
  await sql`update sign_picture set is_default = false where account_id = ${accountId} and is_default`.execute(tx)
  await sql`update sign_picture set is_default = true where id = ${signatureId}`.execute(tx)
}

interface SealRow {
  readonly id: number
  readonly name: string
  readonly created_at: number
  readonly picture: Buffer
  readonly role_ids: number[]
  readonly users: { userId: number; accountName: string }[] | null
}

async function sealsOf(db: Db, condition: RawBuilder<unknown>, withUsers: boolean): Promise<Seal[]> {
  const { rows } = await sql<SealRow>`
    select s.id, s.name, s.created_at, s.picture, s.role_ids, (
      select json_agg(json_build_object('userId', a.id, 'accountName', a.name) order by a.name_sort, a.id)
      from account a where a.id = any(s.user_ids)) as users
    from sign_seal s where ${condition} order by s.id`.execute(db)
  return rows.map(({ id, name, created_at, picture, role_ids, users }) => ({
    ...{ sealId: id, name, createTime: created_at, picture: picture.toString('base64') },
    users: withUsers ? (users ?? []) : [],
    roleIdArray: withUsers ? role_ids : [],
  }))
}

interface Holders {
  readonly userIdArray: readonly number[]
  readonly roleIdArray: readonly number[]
}

async function checkHolders(context: WriteContext, { userIdArray, roleIdArray }: Holders): Promise<void> {
  const subjects = [
    ...userIdArray.map((subjectId) => ({ subjectType: 'user' as const, subjectId })),
    ...roleIdArray.map((subjectId) => ({ subjectType: 'role' as const, subjectId })),
  ]
  const known = await knownOf(context.tx, actorOf(context), subjects)
  if (known.length < subjects.length) fail('notFound', { zh: '人员或角色不存在', en: 'no such person or role' })
}

export const signatureHandlers = implement(features.signatures.calls, {
  async getSignatureList(context) {
    const { rows } = await sql<{
      id: number
      kind: 'drawn' | 'typed' | 'picture'
      name: string
      picture: Buffer
      is_default: boolean
      created_at: number
    }>`
      select id, kind, name, picture, is_default, created_at from sign_picture
      where account_id = ${actorOf(context).accountId} order by is_default desc, id desc`.execute(context.db)
    return {
      list: rows.map(({ id, kind, name, picture, is_default, created_at }) => ({
        ...{ signatureId: id, kind, name, isDefault: is_default, createTime: created_at },
        picture: picture.toString('base64'),
      })),
    }
  },

  async createSignature(context, { kind, name, picture, isDefault }) {
    const { tx, now } = context
    const { accountId } = actorOf(context)
    const bytes = pictureOf(picture)
    await sql`select 1 from account where id = ${accountId} for no key update`.execute(tx)
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from sign_picture where account_id = ${accountId}`.execute(tx)
    const have = rows[0]?.n ?? 0
    if (have >= signLimits.signatures)
      return fail('tooMany', {
        zh: `最多保存 ${signLimits.signatures} 个签名，请先删除不用的`,
        en: `at most ${signLimits.signatures} signatures: delete one first`,
      })
    const { id: signatureId } = await tx
      .insertInto('sign_picture')
      .values({ account_id: accountId, kind, name, picture: bytes, is_default: false, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (isDefault || have === 0) await useFirst(tx, accountId, signatureId)
    return { signatureId }
  },

  async updateSignature(context, { signatureId, name, picture, isDefault }) {
    const { tx } = context
    const { accountId } = actorOf(context)
    const changed = await tx
      .updateTable('sign_picture')
      .set({
        name: name ?? sql<string>`name`,
        ...(picture !== undefined && { picture: pictureOf(picture) }),
      })
      .where('id', '=', signatureId)
      .where('account_id', '=', accountId)
      .returning('id')
      .executeTakeFirst()
    if (changed === undefined) return fail('notFound')
    if (isDefault === true) await useFirst(tx, accountId, signatureId)
    return {}
  },

  async deleteSignature(context, { signatureId }) {
    const { tx } = context
    const { accountId } = actorOf(context)
    const gone = await tx
      .deleteFrom('sign_picture')
      .where('id', '=', signatureId)
      .where('account_id', '=', accountId)
      .returning('is_default')
      .executeTakeFirst()
    if (gone === undefined) return fail('notFound')
    if (gone.is_default)
      await sql`
        update sign_picture set is_default = true where id = (
          select id from sign_picture where account_id = ${accountId} order by id desc limit 1)`.execute(tx)
    return {}
  },

  async getSealList(context) {
    return { list: await sealsOf(context.db, usableBy(actorOf(context)), false) }
  },

  async getAllSealList({ db }) {
    return { list: await sealsOf(db, sql`s.removed_at is null`, true) }
  },

  async createSeal(context, { name, picture, userIdArray, roleIdArray }) {
    const { tx, now } = context
    await checkHolders(context, { userIdArray, roleIdArray })
    const { id: sealId } = await tx
      .insertInto('sign_seal')
      .values({
        ...{ name, picture: pictureOf(picture), created_at: now },
        ...{ user_ids: [...userIdArray], role_ids: [...roleIdArray] },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { sealId }
  },

  async updateSeal(context, { sealId, name, picture, userIdArray, roleIdArray }) {
    await checkHolders(context, { userIdArray, roleIdArray })
    const changed = await context.tx
      .updateTable('sign_seal')
      .set({
        ...{ name, user_ids: [...userIdArray], role_ids: [...roleIdArray] },
        ...(picture !== undefined && { picture: pictureOf(picture) }),
      })
      .where('id', '=', sealId)
      .where('removed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    return changed === undefined ? fail('notFound') : {}
  },

  async deleteSeal({ tx, now }, { sealId }) {
    const { rows } = await sql`
      update sign_seal set removed_at = ${now} where id = ${sealId} and removed_at is null returning 1`.execute(tx)
    return rows.length === 0 ? fail('notFound') : {}
  },

  async getSealUseList({ db }, { sealId, from, rows: most }) {
    const condition = sealId === undefined ? sql`true` : sql`u.seal_id = ${sealId}`
    const { rows } = await sql<{
      sealId: number
      sealName: string
      userId: number
      userName: string
      activityTitle: string
      createTime: number
      address: string
      isDone: boolean
    }>`
      select u.seal_id as "sealId", s.name as "sealName", a.id as "userId", a.name as "userName",
        u.activity_title as "activityTitle", u.at as "createTime", u.address, u.is_done as "isDone"
      from sign_seal_use u join sign_seal s on s.id = u.seal_id join account a on a.id = u.account_id
      where ${condition} order by u.id desc limit ${most} offset ${from}`.execute(db)
    const counted = await sql<{ n: number }>`
      select count(*)::int as n from sign_seal_use u where ${condition}`.execute(db)
    return { list: rows, total: counted.rows[0]?.n ?? 0 }
  },
})
