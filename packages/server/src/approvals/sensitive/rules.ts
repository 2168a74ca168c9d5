// The rules for sensitive content: read, checked before they are saved, and prepared for the matcher.

import { createHash } from 'node:crypto'
import { type RuleFault, type SensitiveRuleInput } from '@cloudoc/contract'
import { sensitiveLimits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { pinyin } from 'pinyin-pro'
import { RE2JS } from 're2js'
import type { Db } from '../../core/db/database.ts'
import { foldTyped } from '../../core/folding.ts'
import type { Services } from '../../core/services.ts'
import type { RuleSet } from './detector.ts'
import type { RuleToMatch } from './matcher.ts'

/** A stored rule. */
export interface StoredRule extends SensitiveRuleInput {
  readonly ruleId: number
  readonly version: number
  readonly changedAt: number
}

/** Maximum size of a compiled expression. */
const largestProgram = 5000

/** All rules that are not deleted, in the order of their creation. */
export async function readRules(db: Db): Promise<StoredRule[]> {
  const { rows } = await sql<{ id: number; rule: SensitiveRuleInput; version: number; changedAt: number }>`
    select id, rule, version, changed_at as "changedAt" from sensitive_rule where deleted_at is null
    order by id`.execute(db)
  return rows.map(({ id, rule, version, changedAt }) => ({ ...rule, ruleId: id, version, changedAt }))
}

/** The rules in force, and their set as the matcher gets it. */
export interface ActiveRules {
  readonly rules: readonly StoredRule[]
  readonly set: RuleSet
}

/** The rules that are on and compile. */
export function activeOf(rules: readonly StoredRule[]): ActiveRules {
  const active = rules.filter((rule) => rule.enabled && faultsOf(rule).length === 0)
  return { rules: active, set: setOf(active) }
}

/**
 * Reads the rules in force once, until one of them is changed, by the connection of the caller, who has caught up with
 * changes.
 */
export function cachedRules({ invalidations }: Pick<Services, 'invalidations'>): (db: Db) => Promise<ActiveRules> {
  let kept: ActiveRules | undefined
  invalidations.follow({
    forget() {},
    forgetAll() {
      kept = undefined
    },
  })
  return async (db) => {
    if (kept !== undefined) return kept
    const mark = invalidations.mark()
    const active = activeOf(await readRules(db))
    if (invalidations.isCurrentSince(mark)) kept = active
    return active
  }
}

const hasHan = /\p{Script=Han}/u

/** The forms in which a word is found: folded, and with its pinyin together and syllable by syllable. */
function formsOf(word: string, withPinyin: boolean): string[] {
  const own = foldTyped(word)
  if (!withPinyin || !hasHan.test(own)) return [own]
  const syllables = pinyin(own, { toneType: 'none', type: 'array', v: true })
  return [...new Set([own, syllables.join(''), syllables.join(' ')])]
}

/** A rule as the matcher gets it. */
export const toMatch = (rule: SensitiveRuleInput & { readonly ruleId: number }): RuleToMatch => ({
  ruleId: rule.ruleId,
  patterns: rule.patterns.map(({ pattern }) => pattern),
  words: rule.words.map((label) => ({ label, forms: formsOf(label, rule.pinyin) })),
  wholeWords: rule.wholeWords,
  separators: rule.separators,
  expressions: rule.expressions,
})

/** The version of the matcher and of what it is given: a new one makes every content be checked anew when it is asked for. */
const matcherVersion = 3

/** The set of what rules look for. Its name changes only if that changes. */
export function setOf(rules: readonly (SensitiveRuleInput & { readonly ruleId: number })[]): RuleSet {
  const matched = rules.map(toMatch)
  const name = createHash('sha256')
    .update(JSON.stringify([matcherVersion, matched]))
    .digest('base64url')
    .slice(0, 16)
  return { name, rules: matched }
}

/** What is wrong with an expression: the engine's reason, in our terms. */
function expressionFault(expression: string): Pick<RuleFault, 'what' | 'part' | 'at'> | undefined {
  if (expression.trim() === '') return { what: 'empty', part: '', at: 0 }
  try {
    return RE2JS.compile(expression).programSize() > largestProgram ? { what: 'large', part: '', at: 0 } : undefined
  } catch (error) {
    const { input = '' } = error as { readonly input?: string }
    const look = /\(\?<?[=!]/.exec(expression)
    if (look !== null) return { what: 'lookaround', part: look[0], at: look.index }
    const back = /\\[1-9k]/.exec(expression)
    if (back !== null) return { what: 'backreference', part: back[0], at: back.index }
    const repeat = /\{\d+(?:,\d*)?\}/.exec(input)
    return { what: repeat === null ? 'syntax' : 'repeat', part: input, at: Math.max(0, expression.indexOf(input)) }
  }
}

/** What is wrong with a rule; a rule with faults is not saved and not in force. */
export function faultsOf(rule: SensitiveRuleInput): RuleFault[] {
  const faults: RuleFault[] = []
  const add = (field: RuleFault['field'], index: number, what: RuleFault['what'], part = '', at = 0): void => {
    faults.push({ field, index, what, part, at })
  }
  for (const [index, word] of rule.words.entries()) {
    const letters = [...foldTyped(word)]
    if (letters.length === 0) add('words', index, 'empty', word)
    else if (letters.length === 1) add('words', index, 'short', word)
  }
  for (const [index, name] of rule.names.entries()) {
    const letters = foldTyped(name).replace(/[*?]/g, '')
    if (letters === '') add('names', index, 'empty', name)
  }
  for (const [index, expression] of rule.expressions.entries()) {
    const fault = expressionFault(expression)
    if (fault !== undefined) add('expressions', index, fault.what, fault.part, fault.at)
  }
  const { patterns, words, expressions, names, types } = rule
  if ([patterns, words, expressions, names, types].every((all) => all.length === 0)) add('nothing', 0, 'nothing')
  return faults
}

/** The rule as it is stored: empty entries and duplicates are dropped, extensions lose their dot. */
export function tidied(rule: SensitiveRuleInput): SensitiveRuleInput {
  const unique = (all: readonly string[], fold: (one: string) => string): string[] => {
    const seen = new Map<string, string>()
    for (const one of all.map((each) => each.replace(/^\ufeff/, '').trim()))
      if (one !== '' && !seen.has(fold(one))) seen.set(fold(one), one)
    return [...seen.values()]
  }
  return {
    ...rule,
    name: rule.name.trim(),
    words: unique(rule.words, foldTyped).slice(0, sensitiveLimits.words),
    expressions: unique(rule.expressions, (one) => one),
    names: unique(rule.names, foldTyped),
    types: unique(
      rule.types.map((one) => one.replace(/^\*?\./, '').toLowerCase()),
      (one) => one,
    ),
  }
}
