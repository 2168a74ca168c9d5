/*
 * Rules as data: a rule can be evaluated, printed, and queried for the reason of a refusal. The server evaluates a rule
 * on locked rows and fails with its code. The client evaluates the same rule on the displayed data and hides the menu
 * entry.
 */
import type { CodeName } from './codes.ts'

/** A rule on the facts of one object or one caller. */
export type Rule<F> =
  | { readonly fact: string; readonly test: (facts: F) => boolean; readonly code: CodeName }
  | { readonly all: readonly Rule<F>[] }
  | { readonly any: readonly Rule<F>[] }

/** Passes if all rules pass; refuses with the code of the first failing rule. */
export function all<F>(...rules: readonly Rule<F>[]): Rule<F> {
  return { all: rules }
}

/** Passes if one rule passes; refuses with the code of the last rule. */
export function any<F>(...rules: readonly Rule<F>[]): Rule<F> {
  return { any: rules }
}

/** Passes if the test returns true. */
export function fact<F>(name: string, test: (facts: F) => boolean, code: CodeName = 'noPermission'): Rule<F> {
  return { fact: name, test, code }
}

/** Returns the code with which the rule refuses, or undefined if it passes. */
export function denial<F>(rule: Rule<F>, facts: F): CodeName | undefined {
  return refusal(rule, facts)?.code
}

/**
 * Returns the fact that makes the rule refuse, with its code, or undefined if it passes: like `denial`, plus the
 * reason.
 */
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
