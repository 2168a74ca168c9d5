/*
 * Notices: unread messages for a user. A push becomes a notice by the `notice` rule in its declaration. The rule
 * defines its group, the key that identifies duplicates, how duplicates are merged, and the item concerned. The server
 * stores notices and their read state by this rule. The page and the digest mail show them by its sentence (ADR 0188).
 */
import type { ItemRef } from './authority.ts'

/** The groups of the notification centre ([R090]); they are ordered by their newest notice ([R088]). */
export const noticeGroups = [
  'fileChange',
  'authorization',
  'workflow',
  'reminder',
  'email',
  'audit',
  'operationApply',
  'downloadLimit',
  'fileExchange',
  'fileSign',
  'fileSubmit',
  'permissionApply',
  'instantMessage',
  'announcement',
] as const
export type NoticeGroup = (typeof noticeGroups)[number]

/** A sentence in both languages. `{name}` in it is replaced by the value of that name. */
export interface Sentence {
  readonly zh: string
  readonly en: string
  readonly values?: Readonly<Record<string, string | number>>
}

/** How a push is stored and shown as a notice. */
export interface NoticeRule<P> {
  readonly group: NoticeGroup
  /** Two unread notices of one group with the same key concern the same subject. */
  key(payload: P): string
  /** Which of the two is retained: the later one ([R094], [R095]) or the earlier one ([R093]). */
  readonly merge: 'later' | 'earlier'
  /**
   * Of notices with the same value only the first is shown ([R098]). Reading it also marks the others as read ([R103]).
   */
  firstOf?(payload: P): string | undefined
  /** Accepted only from the main server, not from linked servers ([R102]). */
  readonly fromMain?: true
  /** The item concerned. The notice is hidden from users who can no longer see the item. */
  item?(payload: P): ItemRef | undefined
  /** Milliseconds after which the notice disappears ([R099]); by default it stays until it is ignored. */
  readonly lifetimeMs?: number
  /** The user who caused it; shown before the sentence. */
  actor?(payload: P): string
  /** What happened. The page and the digest mail show the same sentence. */
  sentence(payload: P): Sentence
  /** What the user who caused it wrote. The page shows it below the sentence, a mail after it. */
  message?(payload: P): string
  /** The address in the page that it leads to. A notice without one is only dismissed. */
  path?(payload: P): string | undefined
}
