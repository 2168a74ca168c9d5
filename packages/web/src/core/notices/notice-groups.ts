// Unread notices by group: adding, merging and removing them. Pure functions, so they can be tested.
import type { Answer, calls, NoticeGroup, NoticeRule, PushName, pushes } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { loadChunk } from '../page/chunks.tsx'

type Answered = Answer<(typeof calls)['getNoticeList']>['list'][number]

/** A notice as stored on the server. */
export interface StoredNotice extends Omit<Answered, 'message'> {
  /** The payload of its push. */
  readonly data: object
}

/** Converts a notice from the server's answer. */
export function toStoredNotice({ message, ...notice }: Answered): StoredNotice {
  return { ...notice, data: JSON.parse(message) as object }
}

/** The unread notices of one group: their number, and the newest ones as far as loaded. */
export interface Group {
  readonly group: NoticeGroup
  readonly total: number
  readonly list: readonly StoredNotice[]
}

/** The push declarations of the contract. Loaded later, because their schemas are too large for the first page. */
let declared: typeof pushes | undefined
let names: ReadonlyMap<number, PushName> = new Map()

/** Loads the notice rules. Until then no push is known. */
export async function loadRules(): Promise<void> {
  if (declared !== undefined) return
  const contract = await loadChunk(() => import('@cloudoc/contract'))
  declared = contract.pushes
  names = contract.pushNames(declared)
}

/** The declaration of a push. */
export function pushDeclaration<N extends PushName>(name: N): (typeof pushes)[N] | undefined {
  return declared?.[name]
}

/** The push a notice came with; undefined for a push of another version. */
export function pushOf({ pushType }: Pick<StoredNotice, 'pushType'>): PushName | undefined {
  return names.get(pushType)
}

/** The notice rule of a push; undefined for a push of another version. */
export function ruleOf(pushType: number): NoticeRule<object> | undefined {
  const name = pushOf({ pushType })
  const push = name && pushDeclaration(name)
  return push !== undefined && 'notice' in push ? push.notice : undefined
}

/**
 * The groups with one more notice in front. Notices about the same subject are merged ([R093]-[R095]); the oldest are
 * dropped above the limit ([R101]).
 */
export function withNotice(
  groups: readonly Group[],
  notice: StoredNotice,
  merge: 'later' | 'earlier',
): readonly Group[] {
  const own = groups.find(({ group }) => group === notice.group) ?? { group: notice.group, total: 0, list: [] }
  if (own.list.some(({ remindId }) => remindId === notice.remindId)) return groups
  const same = own.list.find(({ key }) => key === notice.key)
  if (same !== undefined && merge === 'earlier') return groups
  const list = [notice, ...own.list.filter((one) => one !== same)].slice(0, limits.noticesMost)
  const total = Math.min(limits.noticesMost, own.total + (same === undefined ? 1 : 0))
  return [{ group: own.group, total, list }, ...groups.filter((one) => one !== own)]
}

/** The groups without the read notices; empty groups are removed. */
export function withoutNotices(groups: readonly Group[], isRead: (notice: StoredNotice) => boolean): readonly Group[] {
  return groups.flatMap((one) => {
    const list = one.list.filter((notice) => !isRead(notice))
    const total = one.total - (one.list.length - list.length)
    return total > 0 ? [{ ...one, list, total }] : []
  })
}

/** The server's groups, together with older notices that were already loaded. */
export function withLoaded(fresh: readonly Group[], before: readonly Group[]): readonly Group[] {
  return fresh.map((one) => {
    const last = one.list.at(-1)?.remindId ?? Number.POSITIVE_INFINITY
    const older = before.find(({ group }) => group === one.group)?.list.filter(({ remindId }) => remindId < last) ?? []
    return { ...one, list: [...one.list, ...older].slice(0, one.total) }
  })
}

/** The shown notices of a group: for some kinds only the first ([R098]). */
export function visibleNotices({ list }: Pick<Group, 'list'>, rule = ruleOf): readonly StoredNotice[] {
  const met = new Set<string>()
  return list.filter(({ pushType, data }) => {
    const first = rule(pushType)?.firstOf?.(data)
    if (first === undefined) return true
    if (met.has(first)) return false
    met.add(first)
    return true
  })
}

/** Whether a notice is one of these, or is hidden behind one of them because only the first is shown ([R103]). */
export function readWith(groups: readonly Group[], remindIds: readonly number[], rule = ruleOf) {
  const firstOf = ({ pushType, data }: StoredNotice): string | undefined => rule(pushType)?.firstOf?.(data)
  const firsts = new Map<string, number>()
  for (const notice of groups.flatMap(({ list }) => list)) {
    const first = firstOf(notice)
    if (first !== undefined && remindIds.includes(notice.remindId))
      firsts.set(first, Math.max(notice.remindId, firsts.get(first) ?? 0))
  }
  return (notice: StoredNotice): boolean => {
    const first = firstOf(notice)
    return remindIds.includes(notice.remindId) || (first !== undefined && notice.remindId < (firsts.get(first) ?? 0))
  }
}

/** The badge text for a count: 1 to 99, then 99+. */
export function badgeOf(count: number): string {
  return count > 99 ? '99+' : String(count)
}
