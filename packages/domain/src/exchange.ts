/*
 * Exchange across networks ([R258]-[R262]): its states, its limits, and which rule of the administrators lets somebody
 * send what. The rules are ordered; the first one that permits a whole exchange decides how it is approved.
 */
import type { CodeName } from './codes.ts'

/** The state of an exchange on the wire (remindStatus, X16). */
export const ExchangeStatus = { toReview: 1, reviewing: 2, rejected: 3, approved: 4, withdrawn: 5 } as const
export type ExchangeStatus = (typeof ExchangeStatus)[keyof typeof ExchangeStatus]

/** What happens to an exchange after its approval (X71). */
export const exchangeDeliveries = [
  ...(['waiting', 'underway', 'delivered', 'failed'] as const),
  ...(['exported', 'fetched', 'expired'] as const),
] as const
export type ExchangeDelivery = (typeof exchangeDeliveries)[number]

/** Limits that windows show too. */
export const exchangeLimits = {
  /** Longest comment, in UTF-16 units ([R258], X34). */
  comment: 1000,
  receivers: 50,
  /** Wrong passwords in a row, and how long the password is not accepted after them. */
  wrongPasswords: 5,
  lockMs: 10 * 60_000,
} as const

/** The password of an exchange: four letters or digits. */
export const exchangePassword = /^[0-9A-Za-z]{4}$/

/** Who decides in one step of an approval: the superior of the sender, people of the library, people or roles. */
export interface ExchangeRound {
  readonly by: 'superior' | 'owner' | 'managers' | 'people' | 'role'
  readonly ids: readonly number[]
  readonly needs: 'any' | 'all'
}

/** How exchanges of one secret level are approved. */
export interface ExchangeLevel {
  readonly level: number
  /** It leaves without an approval. */
  readonly isFree: boolean
  readonly rounds: readonly ExchangeRound[]
}

/** What a rule permits. Empty lists do not restrict. */
export interface ExchangeTerms {
  readonly targetServerCode: string
  /** Folders and libraries that the files are in. */
  readonly itemIds: readonly number[]
  /** Extensions in lower case. */
  readonly exts: readonly string[]
  readonly maxLevel: number
  readonly maxFiles: number
  /** Bytes of one exchange; 0 for no limit. */
  readonly maxBytes: number
  /** Accounts, names of people, or names of departments of the target. */
  readonly receivers: readonly string[]
  readonly levels: readonly ExchangeLevel[]
}

/** A file as a rule sees it. */
export interface ExchangedFile {
  readonly id: number
  /** The item itself and the folders above it. */
  readonly path: readonly number[]
  readonly ext: string
  readonly level: number
  readonly bytes: number
}

/** A receiver as a rule sees them. */
export interface ExchangeReceiver {
  readonly account: string
  readonly name: string
  /** The departments that they are in, from the nearest one up. */
  readonly groups: readonly string[]
}

/** What somebody wants to send. */
export interface WantedExchange {
  readonly targetServerCode: string
  readonly files: readonly ExchangedFile[]
  readonly receivers: readonly ExchangeReceiver[]
  /** The limit of the installation ([R258] {number}). */
  readonly mostFiles: number
}

/** What of an exchange a rule does not permit. */
export const exchangeObstacles = ['place', 'kind', 'level', 'count', 'bytes', 'receiver', 'approver'] as const
export type ExchangeObstacle = (typeof exchangeObstacles)[number]

/** Why no rule permits an exchange, with the files or receivers concerned. */
export interface ExchangeRefusal {
  readonly code: CodeName
  readonly files: readonly number[]
  readonly receivers: readonly string[]
}

/** Whether a rule covers a file by its place, kind and secret level. */
export function coversFile(
  { itemIds, exts, maxLevel }: Pick<ExchangeTerms, 'itemIds' | 'exts' | 'maxLevel'>,
  { path, ext, level }: Pick<ExchangedFile, 'path' | 'ext' | 'level'>,
): boolean {
  return (
    level <= maxLevel &&
    (itemIds.length === 0 || path.some((id) => itemIds.includes(id))) &&
    (exts.length === 0 || exts.includes(ext))
  )
}

/** Whether a rule covers a receiver. */
export function coversReceiver({ receivers }: Pick<ExchangeTerms, 'receivers'>, one: ExchangeReceiver): boolean {
  return receivers.length === 0 || receivers.some((name) => [one.account, one.name, ...one.groups].includes(name))
}

/** How exchanges of a level are approved by a rule; undefined if nothing is defined for it, so nothing may leave. */
export function approvalOf({ levels }: Pick<ExchangeTerms, 'levels'>, level: number): ExchangeLevel | undefined {
  const found = levels.find((one) => one.level === level)
  return found !== undefined && (found.isFree || found.rounds.length > 0) ? found : undefined
}

/** The levels up to the highest one of a rule for which it names neither approvers nor that none are needed. */
export function levelsWithoutApprover(rule: Pick<ExchangeTerms, 'levels' | 'maxLevel'>): number[] {
  return Array.from({ length: rule.maxLevel + 1 }, (_, level) => level).filter(
    (level) => approvalOf(rule, level) === undefined,
  )
}

/**
 * The first of the rules that permits a whole exchange. `rules` are those in force for the sender, in their order.
 * Otherwise the refusal of the rule that permits most of it.
 */
export function matchExchange<R extends ExchangeTerms>(
  rules: readonly R[],
  wanted: WantedExchange,
): { readonly rule: R } | { readonly refusal: ExchangeRefusal } {
  if (wanted.files.length === 0) return { refusal: refuse('noFilesInFolder') }
  let best: { readonly step: number; readonly refusal: ExchangeRefusal } = {
    step: 0,
    refusal: refuse('senderNotInRule'),
  }
  for (const rule of rules.filter(({ targetServerCode }) => targetServerCode === wanted.targetServerCode)) {
    const problem = problemOf(rule, wanted)
    if (problem === undefined) return { rule }
    if (problem.step > best.step) best = problem
  }
  return { refusal: best.refusal }
}

const refuse = (code: CodeName, files: readonly number[] = [], receivers: readonly string[] = []): ExchangeRefusal => ({
  ...{ code, files, receivers },
})

/** What of an exchange a rule does not permit; undefined if it permits the whole exchange. */
export function obstacleIn(rule: ExchangeTerms, wanted: WantedExchange): ExchangeObstacle | undefined {
  return problemOf(rule, wanted)?.obstacle
}

/** The part of a rule that does not cover a file. */
function uncovered({ itemIds, exts, maxLevel }: ExchangeTerms, { path, ext, level }: ExchangedFile): ExchangeObstacle {
  if (itemIds.length > 0 && !path.some((id) => itemIds.includes(id))) return 'place'
  return exts.length > 0 && !exts.includes(ext) ? 'kind' : level > maxLevel ? 'level' : 'place'
}

interface Problem {
  /** How far the rule permits the exchange. */
  readonly step: number
  readonly obstacle: ExchangeObstacle
  readonly refusal: ExchangeRefusal
}

function problemOf(rule: ExchangeTerms, { files, receivers, mostFiles }: WantedExchange): Problem | undefined {
  const outside = files.filter((file) => !coversFile(rule, file))
  const [first] = outside
  if (first !== undefined) {
    const ids = outside.map(({ id }) => id)
    return { step: 1, obstacle: uncovered(rule, first), refusal: refuse('exchangeOutsideRules', ids) }
  }
  const most = rule.maxFiles === 0 ? mostFiles : Math.min(mostFiles, rule.maxFiles)
  if (files.length > most) return { step: 2, obstacle: 'count', refusal: refuse('exchangeFileCount') }
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0)
  if (rule.maxBytes > 0 && bytes > rule.maxBytes)
    return {
      step: 2,
      obstacle: 'bytes',
      refusal: refuse(
        'exchangeOutsideRules',
        files.map(({ id }) => id),
      ),
    }
  const strangers = receivers.filter((one) => !coversReceiver(rule, one)).map(({ account }) => account)
  if (strangers.length > 0)
    return { step: 3, obstacle: 'receiver', refusal: refuse('receiverNotInRule', [], strangers) }
  const level = Math.max(...files.map((one) => one.level))
  if (approvalOf(rule, level) === undefined)
    return { step: 4, obstacle: 'approver', refusal: refuse('levelWithoutApprover') }
  return undefined
}
