/*
 * Sensitive content: rules that describe it, the check of every new content, and what reviewers decide about a file in
 * which a rule found something ([R256], [R257], [R191], decisions X13).
 */
import {
  all,
  fact,
  hiddenContentKinds,
  nameInText,
  newSensitiveRule,
  numberPatterns,
  SensitiveAudit,
  sensitiveActions,
  sensitiveLimits,
  sensitiveLogKinds,
} from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, objectKind, on, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, integer, Nothing, pageOf, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { Comments, Person } from './review.ts'

const Threshold = z.int().min(1).max(100_000)
const Subject = z.strictObject({ subjectType: z.enum(['user', 'role']), subjectId: Id })

/** What a rule looks for, where, and what follows. */
const ruleFields = {
  name: text(60).refine((name) => name.trim() !== '', 'empty'),
  enabled: z.boolean(),
  /** The built-in patterns, each with the number of different values from which it counts. */
  patterns: z.array(z.strictObject({ pattern: z.enum(numberPatterns), atLeast: Threshold })).max(numberPatterns.length),
  words: z.array(text(sensitiveLimits.word)).max(sensitiveLimits.words),
  /** From this many different words on. */
  wordsAtLeast: Threshold,
  /** Words are also found as they are spelled in pinyin. */
  pinyin: z.boolean(),
  /** Latin words are not found inside longer ones. */
  wholeWords: z.boolean(),
  /** Numbers and Chinese words are also found with spaces, hyphens, dots or line ends in them. */
  separators: z.boolean(),
  expressions: z.array(text(sensitiveLimits.expression)).max(sensitiveLimits.expressions),
  expressionsAtLeast: Threshold,
  /** Words in the names of files; `*` and `?` stand for other characters. */
  names: z.array(text(sensitiveLimits.word)).max(sensitiveLimits.names),
  /** All kinds of conditions must be met, instead of one. */
  matchAll: z.boolean(),
  /** Extensions of the files it applies to; empty for all. A rule with nothing else finds each such file. */
  types: z.array(text(20)).max(sensitiveLimits.types),
  /** Libraries it applies to; empty for all. */
  libraryIds: z.array(Id).max(200),
  exceptIds: z.array(Id).max(200),
  /** Personal libraries too. */
  personal: z.boolean(),
  /** Secret levels of the files it applies to; empty for all. */
  levels: z.array(z.int().min(0).max(100)).max(20),
  action: z.enum(sensitiveActions),
  /** Raises the secret level of the file to this; 0 leaves it. */
  raiseTo: z.int().min(0).max(100),
  /** What follows if a content could not be inspected, or not whole. */
  uninspected: z.enum(['none', ...sensitiveActions]),
  /** Who reviews; empty for the usual reviewers. */
  reviewers: z.array(Subject).max(sensitiveLimits.reviewers),
}
export const SensitiveRuleInput = z.strictObject(ruleFields).meta({ id: 'SensitiveRuleInput' })
export type SensitiveRuleInput = z.output<typeof SensitiveRuleInput>

const SubjectShown = Subject.extend({ name: z.string() })
const SensitiveRule = z
  .strictObject({
    ...ruleFields,
    reviewers: z.array(SubjectShown),
    ruleId: z.int(),
    /** Counts the changes of what the rule looks for. */
    version: z.int(),
    changeTime: Time,
    /** Files in which it found something in the last 30 days. */
    recentHits: z.int(),
    /** Why this build cannot apply it, if it cannot. */
    problem: z.string(),
  })
  .meta({ id: 'SensitiveRule' })
export type SensitiveRule = z.output<typeof SensitiveRule>

const sampleRule: SensitiveRuleInput = { ...newSensitiveRule, name: 'sample', words: ['sample word'] }

/** A fault in a rule: the field, what is wrong, and the place in an expression. */
const RuleFault = z.strictObject({
  field: z.enum(['name', 'words', 'expressions', 'names', 'nothing']),
  index: z.int(),
  what: z.enum(['empty', 'short', 'long', 'lookaround', 'backreference', 'repeat', 'syntax', 'large', 'nothing']),
  /** The faulty part of an expression, and where it begins. */
  part: z.string(),
  at: z.int(),
})
export type RuleFault = z.output<typeof RuleFault>

/**
 * The state of a version of a file. `waiting`: a reviewer has to decide. `replaced`: a newer version was found clean,
 * or is reviewed in its place.
 */
export const sensitiveStates = [
  'detecting',
  'clean',
  'noted',
  'waiting',
  'approved',
  'disapproved',
  'deleted',
  'replaced',
] as const
export type SensitiveState = (typeof sensitiveStates)[number]

/** Why a content was not inspected, or not whole. */
export const uninspectedReasons = [
  'encrypted',
  'damaged',
  'tooLarge',
  'tooDeep',
  'unknownKind',
  'picture',
  'time',
  'failed',
] as const
export type UninspectedReason = (typeof uninspectedReasons)[number]

const Inspected = {
  outcome: z.enum(['pending', 'inspected', 'partly', 'notInspected']),
  /** Empty if the whole content was inspected. */
  reason: z.enum(['', ...uninspectedReasons]),
}

const RuleHit = z.strictObject({
  ruleId: z.int(),
  ruleName: z.string(),
  /** A built-in pattern, `word`, `expression`, `name` or `type`. */
  part: z.string(),
  /** The word of the rule, if it is one. */
  label: z.string(),
  /** Different values, and places in all. */
  values: z.int(),
  places: z.int(),
})

const SensitiveFile = z
  .strictObject({
    checkId: z.int(),
    fId: z.int(),
    fName: z.string(),
    fileSize: z.int(),
    version: z.int(),
    /** Where the file is, as far as the reader may know. */
    pathString: z.string(),
    state: z.enum(sensitiveStates),
    /** The number of the state on the wire (X13); 0 while it is checked and if nothing was found. */
    auditState: z.int(),
    ...Inspected,
    action: z.enum(['none', ...sensitiveActions]),
    hits: z.array(RuleHit),
    uploaderId: z.int(),
    uploaderName: z.string(),
    uploaderGroup: z.string(),
    createTime: Time,
    /** When the check ended. */
    foundTime: Time.nullable(),
    decidedTime: Time.nullable(),
    decidedBy: z.string(),
    comments: z.string(),
    /** The review; 0 if there is none. */
    reviewId: z.int(),
    waitsFor: z.array(Person),
    isAwaited: z.boolean(),
    /** Whether others cannot open the content now. */
    isBlocked: z.boolean(),
  })
  .meta({ id: 'SensitiveFile' })
export type SensitiveFile = z.output<typeof SensitiveFile>

/** The facts of a checked file as seen by its uploader or by one of its reviewers. */
export interface FactsOfSensitive {
  readonly state: SensitiveState
  readonly isUploader: boolean
  readonly isAwaited: boolean
  readonly isReviewer: boolean
}
const waiting = fact<FactsOfSensitive>('waiting', ({ state }) => state === 'waiting', 'alreadyHandled')
const released = fact<FactsOfSensitive>('approved', ({ state }) => state === 'approved', 'alreadyHandled')
const reviewer = fact<FactsOfSensitive>('a reviewer', ({ isReviewer }) => isReviewer)
const awaited = fact<FactsOfSensitive>('who it waits for', ({ isAwaited, isUploader }) => isAwaited && !isUploader)

/** A checked version of a file. It does not exist for anybody but its uploader and its reviewers. */
export const sensitiveKind = objectKind<FactsOfSensitive, 'see' | 'read' | 'decide' | 'revoke'>('sensitive', {
  see: fact('known to the person', () => true),
  read: reviewer,
  decide: all(waiting, awaited),
  revoke: all(reviewer, released),
})

/** A marked part of a text, by offsets in it. */
const Mark = z.strictObject({
  hit: z.int(),
  start: z.int(),
  end: z.int(),
  ruleId: z.int(),
  part: z.string(),
})
/** A part of a content around hits. Numbers in it are masked; the offsets stay. */
const Passage = z.strictObject({
  kind: z.enum(['whole', 'page', 'sheet', 'slide', 'name']),
  /** The number of the page or slide, or the name of the sheet. */
  name: z.string(),
  /** The file inside the archive, mail or document; empty for the content itself. */
  path: z.string(),
  /** What it is of the document, if its pages, sheets and slides do not show it; else empty. */
  place: z.enum(['', ...hiddenContentKinds]),
  /** The number of the first line, from 1; 0 if it has no lines. */
  line: z.int(),
  text: z.string(),
  marks: z.array(Mark),
  /** The cells of a sheet, instead of the text. */
  cells: z.array(z.strictObject({ row: z.int(), column: z.int(), text: z.string(), marks: z.array(Mark) })),
})
export type SensitivePassage = z.output<typeof Passage>
/** One hit in the list of hits. */
const Hit = z.strictObject({
  hit: z.int(),
  ruleId: z.int(),
  ruleName: z.string(),
  part: z.string(),
  label: z.string(),
  /** The first three and the last two characters, or the word of the rule. */
  masked: z.string(),
  kind: Passage.shape.kind,
  name: z.string(),
  path: z.string(),
  place: Passage.shape.place,
  /** The address of the cell, as `C2`; empty outside sheets. */
  cell: z.string(),
  line: z.int(),
})
export type SensitiveHit = z.output<typeof Hit>

const LogEntry = z
  .strictObject({
    id: z.int(),
    time: Time,
    what: z.enum(sensitiveLogKinds),
    userId: z.int(),
    /** Empty for what the check itself did. */
    userName: z.string(),
    fId: z.int(),
    fName: z.string(),
    version: z.int(),
    action: z.enum(['none', ...sensitiveActions]),
    reason: Inspected.reason,
    hits: z.array(RuleHit),
    comments: z.string(),
    /** The place that was shown. */
    place: z.string(),
  })
  .meta({ id: 'SensitiveLogEntry' })
export type SensitiveLogEntry = z.output<typeof LogEntry>

const n = z.int()
const StateCounts = z
  .strictObject({
    ...{ all: n, uninspected: n, detecting: n, clean: n, noted: n, waiting: n },
    ...{ approved: n, disapproved: n, deleted: n, replaced: n },
  })
  .meta({ id: 'SensitiveCounts' })
export type SensitiveCounts = z.output<typeof StateCounts>
const LogCounts = z
  .strictObject({
    ...{ all: n, hit: n, uninspected: n, approved: n, disapproved: n, deleted: n, revoked: n, viewed: n, revealed: n },
  })
  .meta({ id: 'SensitiveLogCounts' })
export type SensitiveLogCounts = z.output<typeof LogCounts>

const ours = { auth: 'required', origin: 'ours' } as const
const read = { ...ours, kind: 'read', method: 'GET' } as const
const post = { ...ours, kind: 'write', method: 'POST', payload: 'json', audit: 'rights' } as const
const one = { checkId: Id.describe('The checked version of a file.') }
const decision = {
  ...post,
  log: 'none',
  gate: ({ checkId }: { checkId: number }) => [on(sensitiveKind, checkId, 'decide', 'change')],
  data: Nothing,
  codes: ['notFound', 'noPermission', 'alreadyHandled'],
} as const

const logFilters = {
  start: integer(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('At this moment or later, in milliseconds since 1970.'),
  end: integer(0, Number.MAX_SAFE_INTEGER).optional().describe('Before this moment.'),
  what: z.enum(sensitiveLogKinds).optional(),
  userId: Id.optional(),
  keyword: text(100).default(''),
}

/** The results of trying a rule. */
const Tried = z.strictObject({
  faults: z.array(RuleFault),
  hits: z.array(
    z.strictObject({
      part: z.string(),
      label: z.string(),
      masked: z.string(),
      start: z.int(),
      end: z.int(),
      kind: Passage.shape.kind,
      name: z.string(),
      path: z.string(),
      place: Passage.shape.place,
      cell: z.string(),
    }),
  ),
  /** Numbers that look like one of the rule's patterns and do not count, with the reason. */
  missed: z.array(
    z.strictObject({
      pattern: z.enum(numberPatterns),
      masked: z.string(),
      start: z.int(),
      end: z.int(),
      why: z.enum(['check', 'date', 'context']),
      /** The check digit that would be right. */
      expected: z.string(),
    }),
  ),
  /** Whether the rule as a whole finds the content. */
  isHit: z.boolean(),
  outcome: z.enum(['inspected', 'partly', 'notInspected']),
  reason: Inspected.reason,
})
export type TriedRule = z.output<typeof Tried>

const Run = z.strictObject({
  runId: z.int(),
  state: z.enum(['running', 'done', 'stopped']),
  startTime: Time,
  endTime: Time.nullable(),
  startedBy: z.string(),
  total: z.int(),
  done: z.int(),
  /** Contents that are still in the queue. */
  queued: z.int(),
  found: z.int(),
})
export type SensitiveRun = z.output<typeof Run>

const sensitiveCalls = {
  getSensitiveList: call({
    ...read,
    summary: 'Lists checked files: those of the caller, or those the caller reviews, which wait first',
    path: '/services2/sensitive/list',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({
      side: z
        .enum(['mine', 'review'])
        .default('mine')
        .describe('Files of the caller, or those that the caller reviews.'),
      state: z.enum(['all', 'uninspected', ...sensitiveStates]).default('all'),
      /** Only the last days; 0 for all. */
      days: integer(0, 3650).default(0),
      keyword: text(100).default(''),
      ...pageOf(100, 200),
    }),
    data: z.strictObject({
      list: z.array(SensitiveFile),
      total: z.int(),
      counts: StateCounts,
    }),
  }),
  getSensitiveCount: call({
    ...read,
    summary: 'Tells how many files of the caller are in each state, and how many wait for the caller',
    path: '/services2/sensitive/count',
    payload: 'none',
    guard: accountHolder,
    input: z.strictObject({}),
    data: z.strictObject({ mine: StateCounts, waiting: z.int() }),
  }),
  getSensitiveDetail: call({
    ...read,
    summary: 'Reads one checked file',
    path: '/services2/sensitive/detail/{checkId}',
    payload: 'none',
    gate: ({ checkId }) => [on(sensitiveKind, checkId, 'see')],
    input: z.strictObject(one),
    sample: (ids) => ({ checkId: ids.authorizationId }),
    data: SensitiveFile,
    codes: ['notFound'],
  }),
  getSensitiveText: call({
    ...read,
    summary: 'Reads the parts of a content around its hits, for a reviewer; each look is logged',
    path: '/services2/sensitive/text/{checkId}',
    payload: 'none',
    gate: ({ checkId }) => [on(sensitiveKind, checkId, 'read')],
    input: z.strictObject(one),
    sample: (ids) => ({ checkId: ids.authorizationId }),
    data: z.strictObject({
      hits: z.array(Hit),
      /** Hits in all; the list is limited. */
      total: z.int(),
      passages: z.array(Passage),
      ...Inspected,
      /** Files inside that were not inspected, with the reason. */
      left: z.array(z.strictObject({ path: z.string(), reason: z.enum(uninspectedReasons) })),
    }),
    codes: ['notFound', 'noPermission'],
  }),
  getSensitiveOriginal: call({
    ...read,
    summary: 'Shows one hit as it is written; the look is logged',
    path: '/services2/sensitive/original/{checkId}',
    payload: 'query',
    gate: ({ checkId }) => [on(sensitiveKind, checkId, 'read')],
    input: z.strictObject({ ...one, hit: Count.describe('The number of the finding, from 0 on.') }),
    sample: (ids) => ({ checkId: ids.authorizationId, hit: 0 }),
    data: z.strictObject({ text: z.string() }),
    codes: ['notFound', 'noPermission'],
  }),
  sensitiveApprove: call({
    ...decision,
    summary: 'Releases a file: nothing restricts it any longer',
    title: { zh: '放行敏感文件', en: 'Sensitive file released' },
    path: '/services2/sensitive/approve',
    input: z.strictObject({ ...one, comments: Comments }),
    sample: (ids) => ({ checkId: ids.authorizationId }),
  }),
  sensitiveReject: call({
    ...decision,
    summary: 'Does not release a file: it stays restricted until a new version is clean',
    title: { zh: '不放行敏感文件', en: 'Sensitive file not released' },
    path: '/services2/sensitive/reject',
    input: z.strictObject({ ...one, comments: text(1000) }),
    sample: (ids) => ({ checkId: ids.authorizationId, comments: 'no' }),
  }),
  sensitiveDelete: call({
    ...decision,
    summary: 'Moves a file to the recycle bin',
    title: { zh: '删除敏感文件', en: 'Sensitive file deleted' },
    path: '/services2/sensitive/delete',
    input: z.strictObject({ ...one, comments: Comments }),
    sample: (ids) => ({ checkId: ids.authorizationId }),
  }),
  sensitiveRevoke: call({
    ...post,
    summary: 'Takes back a release: the file is restricted as before',
    title: { zh: '撤销放行', en: 'Release taken back' },
    log: 'none',
    path: '/services2/sensitive/revoke',
    gate: ({ checkId }) => [on(sensitiveKind, checkId, 'revoke', 'change')],
    input: z.strictObject({ ...one, comments: Comments }),
    sample: (ids) => ({ checkId: ids.authorizationId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  getSensitiveLog: call({
    ...read,
    summary: 'Lists the records of the sensitive audit that the caller may read, the latest first, with their counts',
    path: '/services2/sensitive/log',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({ ...logFilters, ...pageOf(100, 200) }),
    data: z.strictObject({
      list: z.array(LogEntry),
      total: z.int(),
      counts: LogCounts,
      /** Whether the caller reads all records, not only those of files that they review. */
      all: z.boolean(),
    }),
  }),
  exportSensitiveLog: call({
    ...ours,
    summary: 'Answers the log of the sensitive audit as a table',
    title: { zh: '导出敏感审核日志', en: 'Log of the sensitive audit exported' },
    answers: 'text/csv',
    kind: 'stream',
    method: 'GET',
    path: '/services2/sensitive/exportLog',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject(logFilters),
    data: z.never(),
  }),
  getSensitiveRules: call({
    ...read,
    summary: 'Lists the rules for sensitive content, and the usual reviewers',
    path: '/services2/sensitive/rules',
    payload: 'none',
    guard: securityAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(SensitiveRule),
      reviewers: z.array(SubjectShown),
      /** The libraries that a rule can name. */
      libraries: z.array(z.strictObject({ libraryId: z.int(), name: z.string() })),
      /** Files in which something was found in the last 30 days. */
      recentHits: z.int(),
      /** Current versions that could not be inspected. */
      uninspected: z.int(),
      run: Run.nullable(),
    }),
  }),
  saveSensitiveRule: call({
    ...post,
    audit: 'administration',
    summary: 'Adds a rule for sensitive content, or changes one; it applies to new versions',
    title: { zh: '保存敏感规则', en: 'Sensitive rule saved' },
    path: '/services2/sensitive/saveRule',
    guard: securityAdministrator,
    input: z.strictObject({
      ruleId: Id.optional().describe('The rule to change; a new one if absent.'),
      rule: SensitiveRuleInput.describe('The rule.'),
    }),
    sample: () => ({ rule: sampleRule }),
    data: z.strictObject({ ruleId: z.int(), faults: z.array(RuleFault) }),
    codes: ['notFound', 'tooMany'],
  }),
  deleteSensitiveRule: call({
    ...post,
    audit: 'administration',
    summary: 'Deletes a rule for sensitive content; what was found stays',
    title: { zh: '删除敏感规则', en: 'Sensitive rule deleted' },
    audits: ['ruleId'],
    path: '/services2/sensitive/deleteRule',
    guard: securityAdministrator,
    input: z.strictObject({ ruleId: Id.describe('The rule.') }),
    sample: () => ({ ruleId: 1 }),
    data: Nothing,
    codes: ['notFound'],
  }),
  setSensitiveReviewers: call({
    ...post,
    audit: 'administration',
    summary: 'Says who reviews sensitive files where a rule does not',
    title: { zh: '设置敏感文件审批人', en: 'Reviewers of sensitive files set' },
    path: '/services2/sensitive/setReviewers',
    guard: securityAdministrator,
    input: z.strictObject({
      reviewers: z.array(Subject).max(sensitiveLimits.reviewers).describe('The usual reviewers.'),
    }),
    sample: (ids) => ({ reviewers: [{ subjectType: 'user' as const, subjectId: ids.userId }] }),
    data: Nothing,
    codes: ['notFound'],
  }),
  trySensitiveRule: call({
    ...ours,
    kind: 'read',
    method: 'POST',
    payload: 'json',
    summary: 'Tries a rule on a text; nothing is stored',
    path: '/services2/sensitive/tryRule',
    guard: securityAdministrator,
    input: z.strictObject({
      rule: SensitiveRuleInput.describe('The rule.'),
      text: text(sensitiveLimits.tried).describe('The text on which the rule is tried.'),
    }),
    sample: () => ({ rule: sampleRule, text: 'a sample word' }),
    data: Tried,
  }),
  trySensitiveRuleOnFile: call({
    ...ours,
    kind: 'read',
    method: 'POST',
    payload: 'json',
    summary: 'Tries a rule on a file that the caller may preview; for security administrators',
    path: '/services2/sensitive/tryRuleOnFile',
    gate: ({ fileId }) => [{ item: { fType: 1, fId: fileId }, action: 'preview' }],
    input: z.strictObject({ rule: SensitiveRuleInput.describe('The rule.'), fileId: Id }),
    sample: (ids) => ({ rule: sampleRule, fileId: ids.fileId }),
    data: Tried,
    codes: ['notFound', 'noPermission'],
  }),
  sampleSensitiveRule: call({
    ...ours,
    kind: 'read',
    method: 'POST',
    payload: 'json',
    summary: 'Estimates what a rule would find among the contents of the last 30 days',
    path: '/services2/sensitive/sampleRule',
    guard: securityAdministrator,
    input: z.strictObject({
      rule: SensitiveRuleInput.describe('The rule.'),
      ruleId: Id.optional().describe('The stored rule that is left out of the comparison.'),
    }),
    sample: () => ({ rule: sampleRule }),
    data: z.strictObject({
      faults: z.array(RuleFault),
      /** Contents that were read for the estimate. */
      sampled: z.int(),
      found: z.int(),
      /** Of them, those that the stored rules do not find. */
      fresh: z.int(),
      /** Milliseconds for one content, on average. */
      milliseconds: z.number(),
    }),
  }),
  startSensitiveRecheck: call({
    ...post,
    audit: 'administration',
    summary: 'Checks the files that are there by the rules as they are now',
    title: { zh: '重新检测已有文件', en: 'Existing files checked again' },
    path: '/services2/sensitive/recheck',
    guard: securityAdministrator,
    input: z.strictObject({}),
    sample: () => ({}),
    data: z.strictObject({ runId: z.int() }),
    codes: ['duplicateOperation'],
  }),
  stopSensitiveRecheck: call({
    ...post,
    audit: 'administration',
    summary: 'Stops the check of the files that are there',
    title: { zh: '停止重新检测', en: 'Check of existing files stopped' },
    path: '/services2/sensitive/stopRecheck',
    guard: securityAdministrator,
    input: z.strictObject({}),
    sample: () => ({}),
    data: Nothing,
    codes: ['notFound'],
  }),
  getSensitiveRecheck: call({
    ...read,
    summary: 'Tells how far the check of the files that are there is',
    path: '/services2/sensitive/recheckState',
    payload: 'none',
    guard: securityAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({ run: Run.nullable() }),
  }),
}

const sentences: Readonly<Record<SensitiveAudit, { readonly zh: string; readonly en: string }>> = {
  [SensitiveAudit.added]: {
    zh: '你上传的“{name}”命中敏感规则，等待审核',
    en: 'Your file “{name}” contains sensitive content and waits for a review',
  },
  [SensitiveAudit.approved]: { zh: '“{name}”已放行', en: '“{name}” was released' },
  [SensitiveAudit.disapproved]: { zh: '“{name}”未放行', en: '“{name}” was not released' },
  [SensitiveAudit.deleted]: { zh: '“{name}”已被审批人删除', en: 'A reviewer deleted “{name}”' },
  [SensitiveAudit.review]: { zh: '敏感文件“{name}”等你审核', en: 'The sensitive file “{name}” waits for your review' },
}

const sensitivePushes = {
  /** To the reviewers while a file waits, else to its uploader. */
  sensitiveFile: push({
    summary: 'Sensitive content was found in a file, or its reviewer decided',
    type: 38,
    delivery: 'confirmed',
    notice: {
      group: 'audit',
      key: ({ checkId, state }) => `sensitive ${checkId} ${state === SensitiveAudit.review ? 'review' : 'uploader'}`,
      merge: 'later',
      firstOf: ({ state }) =>
        state === SensitiveAudit.added || state === SensitiveAudit.review ? String(state) : undefined,
      actor: ({ state, userName }) => (state === SensitiveAudit.added ? '' : userName),
      sentence: ({ state, fileName }) => ({ ...sentences[state], values: { name: nameInText(fileName) } }),
      path: ({ state }) => `/doc/folder/security/sensitive-${state === SensitiveAudit.review ? 'review' : 'creation'}`,
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      checkId: z.int(),
      fileId: z.int(),
      folderId: z.int(),
      fileName: z.string(),
      version: z.int(),
      state: z.enum(SensitiveAudit),
      remindTime: Time,
      uploadName: z.string(),
      /** Who decided; the uploader while a reviewer is told; empty if the check itself found something. */
      userName: z.string(),
      answer: z.string(),
    }),
  }),
}

export const sensitiveFiles = feature({
  about: { name: 'sensitive files', text: 'Rules for sensitive content, the check of files, and its review' },
  calls: sensitiveCalls,
  pushes: sensitivePushes,
  objects: { sensitive: sensitiveKind },
})
