// What follows from what was found in a file: which rules apply and fire, and about which values a reviewer is asked.

import type { SensitiveRuleInput, UninspectedReason } from '@cloudoc/contract'
import { type NumberPattern, type SensitiveAction } from '@cloudoc/domain'
import { foldTyped } from '../../core/folding.ts'
import { type Finding, hashOf } from './matcher.ts'
import type { StoredRule } from './rules.ts'

/** Whether a content was inspected. */
export interface Outcome {
  readonly outcome: 'pending' | 'inspected' | 'partly' | 'notInspected'
  readonly reason: '' | UninspectedReason
}

/** A file inside a content that was not inspected. */
export interface LeftOut {
  readonly path: string
  readonly reason: UninspectedReason
}

/** What one condition of a rule found in a file, as it is listed and logged: no values. */
export interface StoredHit {
  readonly ruleId: number
  readonly ruleName: string
  readonly part: NumberPattern | 'word' | 'expression' | 'name' | 'type' | 'uninspected'
  readonly label: string
  readonly values: number
  readonly places: number
}

/** The properties of a file that rules apply by. */
export interface RuledFile {
  readonly name: string
  readonly ext: string
  readonly libraryId: number
  readonly isPersonal: boolean
  readonly secretLevel: number
}

/** What the rules say about a file. */
export interface Verdict {
  readonly action: 'none' | SensitiveAction
  readonly raiseTo: number
  readonly hits: readonly StoredHit[]
  /** The values that a release must cover, by rule. */
  readonly asked: readonly (readonly [ruleId: number, hash: string])[]
  /** There are more values than are listed: no earlier release covers them all. */
  readonly isOverflown: boolean
  readonly reviewers: SensitiveRuleInput['reviewers']
}

const strictness = ['none', 'note', 'audit', 'block'] as const
const stricter = (a: Verdict['action'], b: Verdict['action']): Verdict['action'] =>
  strictness.indexOf(a) >= strictness.indexOf(b) ? a : b

/** Whether a name contains what a rule names; `*` stands for any characters, `?` for one. Takes linear time. */
export function nameMatches(pattern: string, name: string): boolean {
  const wanted = foldTyped(pattern)
  const text = foldTyped(name)
  if (!/[*?]/.test(wanted)) return text.includes(wanted)
  let [at, n, star, from] = [0, 0, -1, 0]
  while (at < text.length) {
    if (wanted[n] === '*') [star, from, n] = [n, at, n + 1]
    else if (wanted[n] === '?' || wanted[n] === text[at]) [at, n] = [at + 1, n + 1]
    else if (star >= 0) {
      from += 1
      ;[at, n] = [from, star + 1]
    } else return false
  }
  while (wanted[n] === '*') n += 1
  return n === wanted.length
}

/** Whether a rule applies to a file at all. */
export function appliesTo(rule: SensitiveRuleInput, file: RuledFile): boolean {
  const { types, libraryIds, exceptIds, personal, levels } = rule
  if (types.length > 0 && !types.includes(file.ext.toLowerCase())) return false
  if (file.isPersonal && !personal) return false
  if (!file.isPersonal && libraryIds.length > 0 && !libraryIds.includes(file.libraryId)) return false
  if (exceptIds.includes(file.libraryId)) return false
  return levels.length === 0 || levels.includes(file.secretLevel)
}

interface Condition {
  readonly isMet: boolean
  readonly hits: readonly StoredHit[]
  readonly asked: readonly string[]
  readonly isOverflown: boolean
}

/** The conditions of a rule, each with what it found. */
function conditionsOf(rule: StoredRule, findings: readonly Finding[], name: string, key: Uint8Array): Condition[] {
  const own = findings.filter(({ ruleId }) => ruleId === rule.ruleId)
  const hit = (part: StoredHit['part'], label: string, values: number, places: number): StoredHit => ({
    ...{ ruleId: rule.ruleId, ruleName: rule.name, part, label, values, places },
  })
  const of = (found: readonly Finding[], atLeast: number): Condition => ({
    isMet: found.length > 0 && found.reduce((sum, { distinct }) => sum + distinct, 0) >= atLeast,
    hits: found.map(({ part, label, distinct, total }) => hit(part, label, distinct, total)),
    asked: found.flatMap(({ values }) => values.map(({ hash }) => hash)),
    isOverflown: found.some(({ distinct, values }) => distinct > values.length),
  })
  const conditions = rule.patterns.map(({ pattern, atLeast }) =>
    of(
      own.filter(({ part }) => part === pattern),
      atLeast,
    ),
  )
  const partOf = (wanted: Finding['part']) => own.filter(({ part }) => part === wanted)
  if (rule.words.length > 0) conditions.push(of(partOf('word'), rule.wordsAtLeast))
  if (rule.expressions.length > 0) conditions.push(of(partOf('expression'), rule.expressionsAtLeast))
  if (rule.names.length > 0) {
    const named = rule.names.filter((pattern) => nameMatches(pattern, name))
    conditions.push({
      isMet: named.length > 0,
      hits: named.map((label) => hit('name', label, 1, 1)),
      asked: named.map((label) => hashOf(key, 'name', label)),
      isOverflown: false,
    })
  }
  // A rule that names only kinds of files finds each of them.
  if (conditions.length === 0)
    conditions.push({
      isMet: true,
      hits: [hit('type', rule.types.join(' '), 1, 1)],
      asked: ['type'],
      isOverflown: false,
    })
  return conditions
}

/** Evaluates the rules for a file whose content was checked. */
export function judge(
  file: RuledFile,
  rules: readonly StoredRule[],
  { outcome, reason, findings, blobId }: Outcome & { readonly findings: readonly Finding[]; readonly blobId: number },
  key: Uint8Array,
): Verdict {
  let [action, raiseTo, isOverflown]: [Verdict['action'], number, boolean] = ['none', 0, false]
  const hits: StoredHit[] = []
  const asked: (readonly [number, string])[] = []
  const reviewers = new Map<string, SensitiveRuleInput['reviewers'][number]>()
  for (const rule of rules) {
    if (!appliesTo(rule, file)) continue
    const conditions = conditionsOf(rule, findings, file.name, key)
    const met = conditions.filter(({ isMet }) => isMet)
    const fires = rule.matchAll ? met.length === conditions.length : met.length > 0
    const isUnread = outcome !== 'inspected' && rule.uninspected !== 'none'
    if (!fires && !isUnread) continue
    if (fires) {
      action = stricter(action, rule.action)
      raiseTo = Math.max(raiseTo, rule.raiseTo)
      hits.push(...met.flatMap((one) => one.hits))
      if (rule.action !== 'note') {
        asked.push(...met.flatMap((one) => one.asked.map((hash) => [rule.ruleId, hash] as const)))
        isOverflown ||= met.some((one) => one.isOverflown)
      }
    }
    if (isUnread && rule.uninspected !== 'none') {
      action = stricter(action, rule.uninspected)
      if (rule.uninspected !== 'note') {
        hits.push({
          ...{ ruleId: rule.ruleId, ruleName: rule.name },
          part: 'uninspected',
          label: reason,
          values: 1,
          places: 1,
        })
        asked.push([rule.ruleId, hashOf(key, 'uninspected', `${blobId} ${reason}`)])
      }
    }
    for (const one of rule.reviewers) reviewers.set(`${one.subjectType} ${one.subjectId}`, one)
  }
  return { action, raiseTo, hits, asked, isOverflown, reviewers: [...reviewers.values()] }
}
