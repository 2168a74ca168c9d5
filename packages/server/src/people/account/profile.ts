// The user's profile: display fields, picture, and the card that colleagues see ([R008], [R347], [R350]).
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { definedFields } from '../../core/settings.ts'
import { replacePicture } from '../pictures/index.ts'

type Names = 'getAccountInfo' | 'modifyUserInfo' | 'getContact' | 'setAvatar'

const dayMs = 24 * 60 * 60_000

interface PersonRow {
  readonly userId: number
  readonly account: string
  readonly accountName: string
  readonly groupId: number
  readonly groupName: string
  readonly groupPath: string
  readonly title: string
  readonly avatar: string
  readonly gender: number
  readonly email: string
  readonly phone: string
  readonly passwordTime: number
}

async function personOf(db: Db, accountId: number): Promise<PersonRow | undefined> {
  const { rows } = await sql<PersonRow>`
    with recursive up as (
      select g.id, g.parent_id, g.name, 0 as height
      from org_group g join account a on a.group_id = g.id where a.id = ${accountId}
      union all
      select g.id, g.parent_id, g.name, up.height + 1 from org_group g join up on up.parent_id = g.id
    )
    select a.id as "userId", a.account, a.name as "accountName", a.group_id as "groupId", g.name as "groupName",
      (select string_agg(up.name, ' / ' order by up.height desc) from up) as "groupPath",
      a.title, a.avatar, a.gender, a.email, a.phone, a.password_at as "passwordTime"
    from account a join org_group g on g.id = a.group_id where a.id = ${accountId}`.execute(db)
  return rows[0]
}

export const profileHandlers: Pick<Handlers<typeof features.account.calls>, Names> = {
  async getAccountInfo(context) {
    const { accountId, settings } = actorOf(context)
    const person = (await personOf(context.db, accountId)) ?? fail('notFound')
    const days = settings.inner.pwd_age_days
    return {
      ...person,
      accountId,
      passwordUntil: days === 0 ? 0 : person.passwordTime + days * dayMs,
      missing: (['email', 'phone', 'title'] as const).filter((name) => person[name] === ''),
    }
  },

  async modifyUserInfo(context, input) {
    const { accountId } = actorOf(context)
    const given = Object.fromEntries(
      Object.entries(definedFields(input)).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.trim() : value,
      ]),
    )
    if (Object.keys(given).length > 0)
      await context.tx.updateTable('account').set(given).where('id', '=', accountId).execute()
    context.audit({ changed: Object.keys(given).join(' ') })
    return {}
  },

  async getContact(context, { accountId }) {
    const { settings } = actorOf(context)
    const {
      gender,
      email,
      phone,
      passwordTime: _,
      ...person
    } = (await personOf(context.db, accountId)) ?? fail('notFound')
    return {
      ...person,
      accountId,
      ...(settings.show_gender && { gender }),
      ...(settings.show_privacy && { email, phone }),
    }
  },

  async setAvatar(context, { picture }) {
    const { tx } = context
    const { accountId } = actorOf(context)
    const before = await tx
      .selectFrom('account')
      .select('avatar')
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const avatar = await replacePicture(tx, before.avatar, picture)
    await tx.updateTable('account').set({ avatar }).where('id', '=', accountId).execute()
    return { avatar }
  },
}
