/*
 * Notices: unread messages for a user. A push becomes a notice by the `notice` rule in its declaration. The rule
 * defines its group, the key that identifies duplicates, how duplicates are merged, and the item concerned. The server
 * stores notices and their read state by this rule, and the client renders them by it.
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
] as const
export type NoticeGroup = (typeof noticeGroups)[number]

/** How a push is stored as a notice. */
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
}
