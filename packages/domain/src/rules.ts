/*
 * Rules as data: each can be evaluated, printed, and asked why it refused. The server evaluates a rule on what it has
 * locked and fails with its code; the client evaluates the same rule on what it shows and hides the entry.
 */
import type { CodeName } from './codes.ts'

/** A rule on what is known of one object, or of one caller. */
export type Rule<F> =
  | { readonly fact: string; readonly test: (facts: F) => boolean; readonly code: CodeName }
  | { readonly all: readonly Rule<F>[] }
  | { readonly any: readonly Rule<F>[] }

/** Holds when every rule holds; refuses with the code of the first that does not. */
export function all<F>(...rules: readonly Rule<F>[]): Rule<F> {
  return { all: rules }
}

/** Holds when one rule holds; refuses with the code of the last. */
export function any<F>(...rules: readonly Rule<F>[]): Rule<F> {
  return { any: rules }
}

/** Holds when the test does. */
export function fact<F>(name: string, test: (facts: F) => boolean, code: CodeName = 'noPermission'): Rule<F> {
  return { fact: name, test, code }
}

/** The code with which the rule refuses, or undefined when it holds. */
export function denial<F>(rule: Rule<F>, facts: F): CodeName | undefined {
  return refusal(rule, facts)?.code
}

/** The fact for which the rule refuses, with its code, or undefined when it holds: what `denial` answers, with its reason. */
export function refusal<F>(rule: Rule<F>, facts: F): { readonly fact: string; readonly code: CodeName } | undefined {
  if ('fact' in rule) return rule.test(facts) ? undefined : { fact: rule.fact, code: rule.code }
  const parts = 'all' in rule ? rule.all : rule.any
  let last: { readonly fact: string; readonly code: CodeName } | undefined
  for (const part of parts) {
    const refused = refusal(part, facts)
    if ('all' in rule && refused !== undefined) return refused
    if ('any' in rule && refused === undefined) return undefined
    last = refused
  }
  return last
}
