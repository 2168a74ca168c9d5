/*
 * Who may act for a signer: the person themselves, a stand-in of theirs (X67), or for a role any of its holders. Nobody
 * acts twice in one process, so a signer of it neither stands in for another one nor signs for a role.
 */
import { type RawBuilder, sql } from 'kysely'
import type { AccountActor } from '../../core/actor.ts'

export type Acting = Pick<AccountActor, 'accountId' | 'subjects' | 'secretLevel'>

const level = (now: number) => sql`case when s.file_level_until <= ${now} then 0 else s.file_level end`

/**
 * What a person signs: rows of `activity_id`, `signer_id`, `state` and `is_own`, one for each process. What they may sign
 * for a role or for somebody else is among them as long as it is due.
 */
export const signaturesFor = ({ accountId, subjects, secretLevel }: Acting, now: number): RawBuilder<unknown> => sql`(
  select g.activity_id, g.id as signer_id, g.state, true as is_own from sign_signer g where g.account_id = ${accountId}
  union all
  select g.activity_id, g.id, g.state, false from sign_signer g
  where g.acted_by = ${accountId} and g.account_id is distinct from ${accountId}
  union all
  (select distinct on (g.activity_id) g.activity_id, g.id, g.state, false
  from sign_signer g join sign_activity s on s.id = g.activity_id
  where g.state = 'now' and s.state = 'running' and ${level(now)} <= ${secretLevel}
    and (g.role_id = any(${[...subjects.roleIds]}::bigint[]) or g.account_id in (
      select i.account_id from review_stand_in i join account p on p.id = i.account_id
      where i.stand_in_id = ${accountId} and i.from_at <= ${now} and (i.until_at is null or i.until_at > ${now})
        and p.state = 'normal' and (p.expires_at is null or p.expires_at > ${now})))
    and not exists (
      select 1 from sign_signer o where o.activity_id = g.activity_id and ${accountId} in (o.account_id, o.acted_by))
  order by g.activity_id, g.place, g.id))`

/** The stand-ins of a person at a time. */
export const standInsOf = (person: RawBuilder<unknown>, now: number): RawBuilder<unknown> => sql`
  select i.stand_in_id as id from review_stand_in i
  where i.account_id = ${person} and i.from_at <= ${now} and (i.until_at is null or i.until_at > ${now})`

/** The holders of a role. */
export const holdersOf = (role: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select r.account_id as id from role_account r where r.role_id = ${role}
  union select a.id from role_group r join account a on a.group_id = r.group_id where r.role_id = ${role}
  union select a.id from role_title r join account a on a.title = r.title and a.title <> '' where r.role_id = ${role}`
