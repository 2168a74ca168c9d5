// What the rules of sensitive content may hold, for the server and the page.

/** The built-in patterns. */
export const numberPatterns = ['idCard', 'bankCard', 'mobile', 'creditCode', 'passport'] as const
export type NumberPattern = (typeof numberPatterns)[number]

/** What follows a hit. The strictest of several rules applies. */
export const sensitiveActions = ['note', 'audit', 'block'] as const
export type SensitiveAction = (typeof sensitiveActions)[number]

/** What a document contains beside what its pages, sheets and slides show. */
export const hiddenContentKinds = [
  'comment',
  'revision',
  'hidden',
  'property',
  'alternative',
  'headerFooter',
  'form',
  'mailHeader',
  'embedded',
] as const
export type HiddenContentKind = (typeof hiddenContentKinds)[number]

/** Limits of rules. */
export const sensitiveLimits = {
  rules: 200,
  words: 2000,
  word: 100,
  expressions: 20,
  expression: 200,
  names: 200,
  types: 100,
  reviewers: 20,
  /** Characters of a text to try a rule on. */
  tried: 5000,
} as const

/** A new rule: what a page shows before anything is typed. */
export const newSensitiveRule = {
  name: '',
  enabled: true,
  patterns: [],
  words: [],
  wordsAtLeast: 1,
  pinyin: false,
  wholeWords: true,
  separators: true,
  expressions: [],
  expressionsAtLeast: 1,
  names: [],
  matchAll: false,
  types: [],
  libraryIds: [],
  exceptIds: [],
  personal: true,
  levels: [],
  action: 'audit' as const,
  raiseTo: 0,
  uninspected: 'note' as const,
  reviewers: [],
}

/** Kinds of records of the log of the sensitive audit. */
export const sensitiveLogKinds = [
  'hit',
  'uninspected',
  'approved',
  'disapproved',
  'deleted',
  'revoked',
  'viewed',
  'revealed',
] as const
export type SensitiveLogKind = (typeof sensitiveLogKinds)[number]
