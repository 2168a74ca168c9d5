// The calls that administer the rules of sensitive content, and who reviews by default.
import type { features } from '@cloudoc/contract'
import { type SensitiveRule, type SensitiveRuleInput } from '@cloudoc/contract'
import { fail, sensitiveLimits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { usualReviewers } from './kind.ts'
import { faultsOf, readRules, tidied } from './rules.ts'
import { lastRun } from './run.ts'

export const dayMs = 24 * 60 * 60_000
export const recentDays = 30

type Subjects = SensitiveRuleInput['reviewers']

/** The names of people and roles. */
async function named(db: Db, subjects: Subjects): Promise<(Subjects[number] & { name: string })[]> {
  if (subjects.length === 0) return []
  const { rows } = await sql<{ type: string; id: number; name: string }>`
    select 'user' as type, id, name from account where id = any(${idsOf(subjects, 'user')})
    union all select 'role', id, name from role where id = any(${idsOf(subjects, 'role')})`.execute(db)
  const names = new Map(rows.map(({ type, id, name }) => [`${type} ${id}`, name]))
  return subjects.flatMap((one) => {
    const name = names.get(`${one.subjectType} ${one.subjectId}`)
    return name === undefined ? [] : [{ ...one, name }]
  })
}
const idsOf = (subjects: Subjects, type: Subjects[number]['subjectType']): number[] =>
  subjects.flatMap(({ subjectType, subjectId }) => (subjectType === type ? [subjectId] : []))

/** The handlers of the rules. */
export function ruleHandlers(): Pick<
  Handlers<typeof features.sensitiveFiles.calls>,
  'getSensitiveRules' | 'saveSensitiveRule' | 'deleteSensitiveRule' | 'setSensitiveReviewers'
> {
  return {
    async getSensitiveRules({ db, now }) {
      const since = now - recentDays * dayMs
      const { rows: recent } = await sql<{ ruleId: number | null; n: number }>`
        select h.rule as "ruleId", count(distinct f.id)::int as n from sensitive_file f
          cross join lateral (select distinct (e->>'ruleId')::bigint as rule from jsonb_array_elements(f.hits) e) h
        where f.found_at >= ${since} group by grouping sets ((h.rule), ())`.execute(db)
      const { rows: unread } = await sql<{ n: number }>`
        select count(*)::int as n from sensitive_file f join item i on i.id = f.item_id and i.version = f.version
        where ${sql`f.outcome in ('partly', 'notInspected')`} and i.deleted_at is null`.execute(db)
      const { rows: libraries } = await sql<{ libraryId: number; name: string }>`
        select l.id as "libraryId", i.name from library l join item i on i.id = l.id
        where l.kind <> 'personal' and i.deleted_at is null order by i.name, l.id limit 500`.execute(db)
      const rules = await readRules(db)
      const list: SensitiveRule[] = []
      for (const { changedAt, ...rule } of rules)
        list.push({
          ...rule,
          reviewers: await named(db, rule.reviewers),
          changeTime: changedAt,
          recentHits: recent.find(({ ruleId }) => ruleId === rule.ruleId)?.n ?? 0,
          problem: faultsOf(rule)[0]?.what ?? '',
        })
      return {
        list,
        reviewers: await named(db, [...(await usualReviewers(db as Tx))]),
        recentHits: recent.find(({ ruleId }) => ruleId === null)?.n ?? 0,
        uninspected: unread[0]?.n ?? 0,
        libraries,
        run: await lastRun(db),
      }
    },

    async saveSensitiveRule(context, { ruleId, rule: typed }) {
      const { tx, now } = context
      // One change after the other, so that the limit holds.
      await sql`select pg_advisory_xact_lock(hashtext('sensitive rules'))`.execute(tx)
      const rule = tidied(typed)
      const faults = faultsOf(rule)
      const stored = await readRules(tx)
      const before = stored.find((one) => one.ruleId === ruleId)
      if (ruleId !== undefined && before === undefined) return fail('notFound')
      if (faults.length > 0) return { ruleId: ruleId ?? 0, faults }
      const json = JSON.stringify(rule)
      if (before === undefined) {
        if (stored.length >= sensitiveLimits.rules) return fail('tooMany')
        const { rows } = await sql<{ id: number }>`
          insert into sensitive_rule (rule, changed_at) values (${json}::jsonb, ${now}) returning id`.execute(tx)
        const id = rows[0]?.id ?? 0
        context.audit({ ruleId: id, name: rule.name, ruleAction: rule.action, isEnabled: rule.enabled })
        return { ruleId: id, faults }
      }
      await sql`
        update sensitive_rule set rule = ${json}::jsonb, changed_at = ${now}, version = version + 1
        where id = ${before.ruleId}`.execute(tx)
      context.audit({ ruleId: before.ruleId, name: rule.name, ruleAction: rule.action, isEnabled: rule.enabled })
      return { ruleId: before.ruleId, faults }
    },

    async deleteSensitiveRule({ tx, now }, { ruleId }) {
      const { rows } = await sql`
        update sensitive_rule set deleted_at = ${now}, changed_at = ${now}, version = version + 1
        where id = ${ruleId} and deleted_at is null returning 1`.execute(tx)
      return rows.length === 0 ? fail('notFound') : {}
    },

    async setSensitiveReviewers(context, { reviewers }) {
      const { tx } = context
      if ((await named(tx, reviewers)).length < reviewers.length)
        return fail('notFound', { zh: '该人员或角色不存在', en: 'reviewers: somebody who is not there' })
      await sql`delete from sensitive_reviewer`.execute(tx)
      for (const { subjectType, subjectId } of reviewers)
        await tx
          .insertInto('sensitive_reviewer')
          .values({ subject_type: subjectType, subject_id: subjectId })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      context.audit({
        reviewers: reviewers.map(({ subjectType, subjectId }) => `${subjectType} ${subjectId}`).join(', '),
      })
      return {}
    },
  }
}
