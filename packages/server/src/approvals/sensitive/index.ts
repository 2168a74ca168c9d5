// Sensitive content: its rules, the review of files, the log.
import { features, type SensitiveRule, type SensitiveRuleInput, type TriedRule } from '@cloudoc/contract'
import { fail, sensitiveLimits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { folded, normalised } from '../../core/folding.ts'
import type { Services } from '../../core/services.ts'
import { sendTable } from '../../drive/transfer/index.ts'
import { decide, type ReviewKind, revoke } from '../review/index.ts'
import { kindOf } from './check.ts'
import type { Detecting } from './detect.ts'
import { type SensitiveSubject, sensitiveRemoval, sensitiveReview, usualReviewers } from './kind.ts'
import { countChecks, type ListQuery, listChecks } from './list.ts'
import { countLog, type LogQuery, readLog, writeLog } from './log.ts'
import { masked } from './matcher.ts'
import { missedNumbers } from './number-patterns.ts'
import { judge } from './outcome.ts'
import { activeOf, faultsOf, readRules, type StoredRule, setOf, tidied } from './rules.ts'
import { lastRun, startRun, stopRun } from './run.ts'
import { extOf, type ReadSection, readTextNow } from './texts.ts'
import { columnName, showHits } from './view.ts'

export { createContentCheck, createTextCheck } from './messages.ts'

const dayMs = 24 * 60 * 60_000
const recentDays = 30
/** Contents that an estimate reads, the longest of them, and its time. */
const sampledContents = 200
const longestSampled = 20_000
const sampleMs = 8000
/** A tried rule is given less time than a check. */
const tryMs = 5000
const mostTriedHits = 200
const exportRows = 1000

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

/** The check of a call with its stored findings and the text that they are in. */
async function viewOf(context: Context, { contents }: Pick<Detecting, 'contents'>, checkId: number) {
  const { db } = context
  const check = await db.selectFrom('sensitive_file').selectAll().where('id', '=', checkId).executeTakeFirst()
  if (check === undefined) return fail('notFound')
  const ext = extOf(check.name)
  const { rows } = await sql<{
    size: number
    kind: string
    whole: boolean
    findings: Parameters<typeof showHits>[2]
    left: { path: string; reason: Exclude<(typeof check)['reason'], ''> }[]
  }>`
    select b.size, r.kind, r.whole, r.findings, r.left_out as left from sensitive_result r join blob b on b.id = r.blob_id
    where r.blob_id = ${check.blob_id}`.execute(db)
  const found = rows.find(({ kind }) => kind === kindOf(ext))
  const text =
    found === undefined
      ? undefined
      : await readTextNow(
          { db, contents },
          { blobId: check.blob_id, ext, size: found.size },
          found.whole ? 'whole' : 'extracted',
        )
  const shown = showHits(check.name, text?.sections ?? [], found?.findings ?? [], check.hits)
  return { check, shown, left: found?.left ?? [] }
}

/** The handlers of sensitive content. */
export function sensitiveHandlers(services: Services, detecting: Detecting) {
  const { settings } = services
  const { db: pool, detector, key } = detecting

  const decideAs = async (
    context: WriteContext,
    kind: ReviewKind<SensitiveSubject, object>,
    checkId: number,
    approve: boolean,
    comments: string,
  ) => {
    const { tx } = context
    const check = await tx
      .selectFrom('sensitive_file')
      .select(['review_id', 'item_id'])
      .where('id', '=', checkId)
      .executeTakeFirst()
    const reviewId = check?.review_id ?? fail('alreadyHandled')
    await decide(context, settings, kind, reviewId, { approve, comments, decision: {} })
    context.audit({ checkId, itemId: check?.item_id ?? 0 })
    return {}
  }

  const logQuery = (context: Context, filters: Omit<LogQuery, 'accountId' | 'now'>): LogQuery => {
    const { accountId, powers } = actorOf(context)
    const readsAll = powers.includes('audit') || powers.includes('security')
    return { ...filters, accountId: readsAll ? undefined : accountId, now: context.now }
  }

  /** Tries a rule on sections. */
  const tryOn = async (
    rule: SensitiveRuleInput,
    name: string,
    sections: readonly ReadSection[],
  ): Promise<Pick<TriedRule, 'hits' | 'missed' | 'isHit'>> => {
    const stored: StoredRule = { ...rule, ruleId: 0, version: 0, changedAt: 0 }
    const { findings } = await detector.match(setOf([stored]), sections, { timeoutMs: tryMs })
    const file = { name, ext: extOf(name), libraryId: 0, isPersonal: false, secretLevel: 0 }
    const verdict = judge(
      file,
      [{ ...stored, libraryIds: [], levels: [], types: name === '' ? [] : rule.types }],
      { outcome: 'inspected', reason: '', findings, blobId: 0 },
      key,
    )
    const hits = findings.flatMap(({ part, label, places }) =>
      places.slice(0, mostTriedHits).map(({ section, start, end }) => {
        const { kind, name: sectionName, path, place, text, cells } = sections[section] as ReadSection
        const cell = cells?.findLast(([, , from]) => from <= start)
        return {
          ...{ part, label, start, end, kind, path, place, name: kind === 'whole' ? '' : sectionName },
          masked: part === 'word' ? text.slice(start, end) : masked(text.slice(start, end)),
          cell: cell === undefined ? '' : `${columnName(cell[1])}${cell[0] + 1}`,
        }
      }),
    )
    const wanted = new Set(rule.patterns.map(({ pattern }) => pattern))
    const [first] = sections
    const isPlain = sections.length === 1 && first?.cells === undefined
    const missed =
      !isPlain || first === undefined
        ? []
        : missedNumbers(
            { text: folded(first.text) },
            findings.flatMap(({ part, places }) =>
              part === 'word' || part === 'expression'
                ? []
                : places.map(({ start, end }) => ({ pattern: part, start, end, value: '' })),
            ),
            new Date(services.now()),
          ).filter(({ pattern }) => wanted.has(pattern))
    return {
      hits: hits.toSorted((a, b) => a.start - b.start),
      missed: missed.slice(0, mostTriedHits).map(({ value, ...one }) => ({ ...one, masked: masked(value) })),
      isHit: verdict.hits.length > 0,
    }
  }

  return implement(features.sensitiveFiles.calls, {
    async getSensitiveList(context, { side, state, days, keyword, from, rows }) {
      const { db, now } = context
      const actor = actorOf(context)
      const query: ListQuery = { side, state, since: days === 0 ? 0 : now - days * dayMs, keyword, from, rows, now }
      const [list, counts] = [await listChecks(db, actor, query), await countChecks(db, actor.accountId, query)]
      return { list, total: counts[state], counts }
    },

    async getSensitiveCount(context) {
      const { db, now } = context
      const { accountId } = actorOf(context)
      const query = { state: 'all', since: 0, keyword: '', from: 0, rows: 1, now } as const
      const mine = await countChecks(db, accountId, { ...query, side: 'mine' })
      const { waiting } = await countChecks(db, accountId, { ...query, side: 'review' })
      return { mine, waiting }
    },

    async getSensitiveDetail(context, { checkId }) {
      const { db, now } = context
      const query = { side: 'review', state: 'all', since: 0, keyword: '', from: 0, rows: 1, now, id: checkId } as const
      return (await listChecks(db, actorOf(context), query))[0] ?? fail('notFound')
    },

    async getSensitiveText(context, { checkId }) {
      const { check, shown, left } = await viewOf(context, detecting, checkId)
      await writeLog(pool, context.now, [
        {
          ...{
            what: 'viewed',
            accountId: actorOf(context).accountId,
            checkId,
            itemId: check.item_id,
            name: check.name,
          },
          version: check.version,
        },
      ])
      const { hits, total, passages } = shown
      return { hits: [...hits], total, passages: [...passages], outcome: check.outcome, reason: check.reason, left }
    },

    async getSensitiveOriginal(context, { checkId, hit }) {
      const { check, shown } = await viewOf(context, detecting, checkId)
      const text = shown.original(hit) ?? fail('notFound')
      const one = shown.hits[hit]
      const place = one === undefined ? '' : [one.path, one.name, one.cell].filter((part) => part !== '').join(' ')
      await writeLog(pool, context.now, [
        {
          ...{
            what: 'revealed',
            accountId: actorOf(context).accountId,
            checkId,
            itemId: check.item_id,
            name: check.name,
          },
          ...{ version: check.version, place: `${place} ${one?.masked ?? ''}`.trim() },
        },
      ])
      return { text }
    },

    sensitiveApprove: (context, { checkId, comments }) => decideAs(context, sensitiveReview, checkId, true, comments),
    async sensitiveReject(context, { checkId, comments }) {
      if (comments.trim() === '')
        return fail('badRequest', { zh: '请填写不放行的原因', en: 'comments: say why the file is not released' })
      return decideAs(context, sensitiveReview, checkId, false, comments)
    },
    sensitiveDelete: (context, { checkId, comments }) => decideAs(context, sensitiveRemoval, checkId, false, comments),

    async sensitiveRevoke(context, { checkId, comments }) {
      const check = await context.tx
        .selectFrom('sensitive_file')
        .select('review_id')
        .where('id', '=', checkId)
        .executeTakeFirst()
      const reviewId = check?.review_id ?? fail('alreadyHandled')
      const kindOf = () => sensitiveReview as unknown as ReviewKind
      await revoke(context, { settings, kindOf }, reviewId, comments)
      context.audit({ checkId })
      return {}
    },

    async getSensitiveLog(context, { from, rows, ...filters }) {
      const query = logQuery(context, filters)
      const counts = await countLog(context.db, query)
      const list = await readLog(context.db, query, { from, rows })
      return {
        list: list.map(toEntry),
        total: counts[query.what ?? 'all'],
        counts,
        all: query.accountId === undefined,
      }
    },

    exportSensitiveLog: (context, filters) => sendLog(context, logQuery(context, filters)),

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

    async trySensitiveRule(_context, { rule: typed, text }) {
      const rule = tidied(typed)
      const faults = faultsOf(rule)
      const none = { hits: [], missed: [], isHit: false, outcome: 'inspected', reason: '' } as const
      if (faults.length > 0) return { ...none, hits: [], missed: [], faults }
      // The text stays as it is typed, so that the places of hits are right in the page.
      const sections: ReadSection[] = [{ kind: 'whole', name: '', path: '', place: '', text: keepingLength(text) }]
      return { ...none, ...(await tryOn(rule, '', sections)), faults }
    },

    async trySensitiveRuleOnFile(context, { rule: typed, fileId }) {
      if (!actorOf(context).powers.includes('security')) return fail('noPermission')
      const { db } = context
      const rule = tidied(typed)
      const faults = faultsOf(rule)
      const { row } = context.item({ fType: 1, fId: fileId })
      const version = await db
        .selectFrom('version')
        .select(['blob_id', 'size'])
        .where('item_id', '=', fileId)
        .where('number', '=', row.version)
        .executeTakeFirst()
      if (version === undefined) return fail('notFound')
      const content = { blobId: version.blob_id, ext: extOf(row.name), size: version.size }
      const text = await readTextNow(detecting, content, 'whole')
      if (text === undefined) return fail('notFound')
      const { outcome, reason } = text
      if (faults.length > 0) return { hits: [], missed: [], isHit: false, outcome: 'inspected', reason: '', faults }
      const tried = await tryOn(rule, row.name, text.sections)
      return { ...tried, outcome: outcome === 'pending' ? 'notInspected' : outcome, reason, faults }
    },

    async sampleSensitiveRule({ db, now }, { rule: typed, ruleId }) {
      const rule = tidied(typed)
      const faults = faultsOf(rule)
      const empty = { faults, sampled: 0, found: 0, fresh: 0, milliseconds: 0 }
      if (faults.length > 0) return empty
      const { rows } = await sql<{
        name: string
        ext: string
        libraryId: number
        isPersonal: boolean
        secretLevel: number
        text: string
        blobId: number
      }>`
        select i.name, i.ext, i.library_id as "libraryId", l.kind = 'personal' as "isPersonal",
          i.secret_level as "secretLevel", v.blob_id as "blobId", left((
            select string_agg(s->>'text', E'\\n') from jsonb_array_elements(c.sections) s), ${longestSampled}) as text
        from (select id from blob where created_at >= ${now - recentDays * dayMs} order by id desc limit ${sampledContents * 5}) b
          join content_text c on c.blob_id = b.id and c.problem is null
          cross join lateral (select item_id, blob_id, number from version where blob_id = b.id limit 1) v
          join item i on i.id = v.item_id and i.version = v.number and not i.purged
          join library l on l.id = i.library_id
        order by b.id desc limit ${sampledContents}`.execute(db)
      const stored: StoredRule = { ...rule, ruleId: ruleId ?? 0, version: 0, changedAt: 0 }
      const others = activeOf((await readRules(db)).filter((one) => one.ruleId !== ruleId))
      const [mine, set] = [setOf([stored]), others.set]
      const begun = performance.now()
      let [sampled, found, fresh, ms] = [0, 0, 0, 0]
      for (const { text, blobId, ...file } of rows) {
        if (performance.now() - begun > sampleMs) break
        sampled += 1
        const sections = [{ text: text ?? '' }]
        const hit = await detector.match(mine, sections, { timeoutMs: tryMs })
        ms += hit.ms
        const about = { outcome: 'inspected', reason: '', blobId } as const
        if (judge(file, [stored], { ...about, findings: hit.findings }, key).hits.length === 0) continue
        found += 1
        const known = set.rules.length === 0 ? [] : (await detector.match(set, sections, { timeoutMs: tryMs })).findings
        if (judge(file, others.rules, { ...about, findings: known }, key).hits.length === 0) fresh += 1
      }
      return { faults, sampled, found, fresh, milliseconds: sampled === 0 ? 0 : ms / sampled }
    },

    async startSensitiveRecheck(context) {
      const runId = await startRun(context, actorOf(context).accountId)
      context.audit({ runId })
      return { runId }
    },
    async stopSensitiveRecheck(context) {
      await stopRun(context)
      return {}
    },
    getSensitiveRecheck: async ({ db }) => ({ run: await lastRun(db) }),
  })
}

/** Normalizes each character that keeps its length, so that offsets in the typed text stay. */
function keepingLength(text: string): string {
  const whole = normalised(text)
  if (whole.length === text.length) return whole
  return text.replace(/[^\n]/g, (one) => {
    const other = one.normalize('NFKC')
    return other.length === one.length ? other : one
  })
}

type LogRow = Awaited<ReturnType<typeof readLog>>[number]

const toEntry = ({ userId, userName, reason, ...row }: LogRow) => ({
  ...row,
  userId: userId ?? 0,
  userName: userName ?? '',
  reason: reason as '' | 'failed',
})

const whatLabels: Readonly<Record<LogRow['what'], readonly [zh: string, en: string]>> = {
  hit: ['命中', 'Hit'],
  uninspected: ['未检测', 'Not inspected'],
  approved: ['放行', 'Released'],
  disapproved: ['不放行', 'Not released'],
  deleted: ['删除', 'Deleted'],
  revoked: ['撤销放行', 'Release taken back'],
  viewed: ['查看命中', 'Hits looked at'],
  revealed: ['看原文', 'Original shown'],
}
const actionLabels = {
  none: ['', ''],
  note: ['备注', 'Note'],
  audit: ['送审', 'Review'],
  block: ['拦截', 'Block'],
} as const
const heads = {
  zh: ['时间', '动作', '谁', '文件', '版本', '处理', '规则', '内容', '位置'],
  en: ['Time', 'What', 'Who', 'File', 'Version', 'Action', 'Rules', 'Comments', 'Place'],
}

/** Sends the log as a table, the latest first. */
function sendLog(context: Context, query: LogQuery): Promise<void> {
  const locale = localeOf(context.request)
  const { accountId: _reader, now: _now, ...detail } = query
  return sendTable(context, {
    name: locale === 'zh' ? '敏感文件审核日志' : 'sensitive-audit-log',
    heads: heads[locale],
    pages: pagesOf(context.db, query, locale === 'zh' ? 0 : 1),
    call: 'exportSensitiveLog',
    itemId: 0,
    detail,
  })
}

async function* pagesOf(db: Db, query: LogQuery, locale: 0 | 1) {
  let after: number | undefined
  for (;;) {
    const list = await readLog(db, query, { rows: exportRows, after })
    if (list.length === 0) return
    yield list.map((one) => [
      new Date(one.time),
      whatLabels[one.what][locale],
      one.userName ?? '',
      one.fName,
      one.version,
      actionLabels[one.action][locale],
      [...new Set(one.hits.map(({ ruleName, places }) => `${ruleName} ${places}`))].join('; '),
      one.comments,
      one.place,
    ])
    after = list.at(-1)?.id
    if (list.length < exportRows) return
  }
}
