/*
 * Notices: what a person is told and has not seen yet. A push is a notice when its declaration says so (`notice`): which
 * group it stands in, what tells it from another, what becomes of the earlier one, which item it tells of. The server
 * keeps notices and what of them is unread by this declaration, the client draws by the same one.
 */
import type { ItemRef } from './authority.ts'

/** The groups of the centre ([R090]); which stands first is decided by what came last ([R088]). */
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

/** How a push is kept as a notice. */
export interface NoticeRule<P> {
  readonly group: NoticeGroup
  /** Two unread notices of one key in a group tell of one thing. */
  key(payload: P): string
  /** Which of those stays: the later one ([R094], [R095]) or the earlier one ([R093]). */
  readonly merge: 'later' | 'earlier'
  /** Of those for which this is the same only the first is shown ([R098]), and reading it reads those behind it ([R103]). */
  firstOf?(payload: P): string | undefined
  /** It is taken from the main server alone, whatever linked ones say ([R102]). */
  readonly fromMain?: true
  /** Of which item it tells: who may not see it any more is not shown the notice. */
  item?(payload: P): ItemRef | undefined
  /** Milliseconds after which it goes by itself ([R099]); it stays until it is ignored unless said. */
  readonly lifetimeMs?: number
}
