// The calls that try a rule before it is in force: on a text, on a file, on recent contents.
import type { features } from '@cloudoc/contract'
import { type SensitiveRuleInput, type TriedRule } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { folded, normalised } from '../../core/folding.ts'
import type { Services } from '../../core/services.ts'
import type { Detecting } from './detect.ts'
import { masked } from './matcher.ts'
import { missedNumbers } from './number-patterns.ts'
import { judge } from './outcome.ts'
import { dayMs, recentDays } from './rule-handlers.ts'
import { activeOf, faultsOf, readRules, type StoredRule, setOf, tidied } from './rules.ts'
import { extOf, type ReadSection, readTextNow } from './texts.ts'
import { columnName } from './view.ts'

/** Contents that an estimate reads, the longest of them, and its time. */
const sampledContents = 200
const longestSampled = 20_000
const sampleMs = 8000
/** A tried rule is given less time than a check. */
const tryMs = 5000
const mostTriedHits = 200

/** The handlers that try a rule. */
export function tryHandlers(
  services: Pick<Services, 'now'>,
  detecting: Detecting,
): Pick<
  Handlers<typeof features.sensitiveFiles.calls>,
  'trySensitiveRule' | 'trySensitiveRuleOnFile' | 'sampleSensitiveRule'
> {
  const { detector, key } = detecting

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

  return {
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
  }
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
