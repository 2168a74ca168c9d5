// How notices are added, merged and removed ([R093]-[R101]).
import { pushes } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  badgeOf,
  type Group,
  loadRules,
  ruleOf,
  type StoredNotice,
  visibleNotices,
  withLoaded,
  withNotice,
  withoutNotices,
} from './notice-groups.ts'

const notice = (remindId: number, more: Partial<StoredNotice> = {}): StoredNotice => ({
  remindId,
  group: 'email',
  key: `k${remindId}`,
  pushType: pushes.shareRemind.type,
  data: {},
  time: remindId,
  read: false,
  ...more,
})
const ids = (groups: readonly Group[]): [string, number, number[]][] =>
  groups.map(({ group, total, list }) => [group, total, list.map(({ remindId }) => remindId)])
const all = (...list: readonly StoredNotice[]): readonly Group[] =>
  list.reduce<readonly Group[]>((groups, one) => withNotice(groups, one, 'later'), [])

beforeAll(loadRules)

describe('a notice that comes', () => {
  it('stands first in its group, and its group first [R088] [R093]', () => {
    expect(ids(all(notice(1), notice(2, { group: 'audit' }), notice(3)))).toEqual([
      ['email', 2, [3, 1]],
      ['audit', 1, [2]],
    ])
  })

  it('is there once, and once for what it tells of: the later, or the earlier one [R093] [R094] [R095]', () => {
    const groups = all(notice(1, { key: 'a' }), notice(2))
    expect(withNotice(groups, notice(2), 'later')).toBe(groups)
    expect(ids(withNotice(groups, notice(3, { key: 'a' }), 'later'))).toEqual([['email', 2, [3, 2]]])
    expect(withNotice(groups, notice(3, { key: 'a' }), 'earlier')).toBe(groups)
  })

  it('takes the place of the oldest where a group has a thousand [R101]', () => {
    const groups = all(...Array.from({ length: limits.noticesMost }, (_, n) => notice(n + 1)))
    const [group] = withNotice(groups, notice(5000), 'later')
    expect(group?.total).toBe(limits.noticesMost)
    expect(group?.list).toHaveLength(limits.noticesMost)
    expect([group?.list[0]?.remindId, group?.list.at(-1)?.remindId]).toEqual([5000, 2])
  })

  it('is counted beyond what is loaded, and keeps what was', () => {
    const groups: Group[] = [{ group: 'email', total: 40, list: [notice(9), notice(8)] }]
    expect(ids(withNotice(groups, notice(10), 'later'))).toEqual([['email', 41, [10, 9, 8]]])
    const fresh: Group[] = [{ group: 'email', total: 41, list: [notice(10), notice(9)] }]
    expect(ids(withLoaded(fresh, groups))).toEqual([['email', 41, [10, 9, 8]]])
    expect(ids(withLoaded([{ group: 'email', total: 2, list: [notice(10), notice(9)] }], groups))).toEqual([
      ['email', 2, [10, 9]],
    ])
  })
})

it('what was read leaves, with its group when that was the last [R096] [R097]', () => {
  const groups = all(notice(1), notice(2), notice(3, { group: 'audit' }))
  expect(ids(withoutNotices(groups, ({ remindId }) => remindId >= 2))).toEqual([['email', 1, [1]]])
})

it('of some kinds only the first is shown [R098]', () => {
  const rule = () => ({
    group: 'audit' as const,
    key: () => '',
    merge: 'later' as const,
    sentence: () => ({ zh: '', en: '' }),
    firstOf: (payload: { readonly state?: number }) =>
      payload.state === 1 || payload.state === 5 ? String(payload.state) : undefined,
  })
  const list = [5, 1, 2, 1, 5, 2].map((state, n) => notice(10 - n, { data: { state } }))
  expect(visibleNotices({ list }, rule).map(({ remindId }) => remindId)).toEqual([10, 9, 8, 5])
  expect(visibleNotices({ list })).toHaveLength(6)
})

// [R390] A badge says at most 99.
it('[R390] the badge says 1 to 99, then 99+', () => {
  expect([1, 99, 100, 13_000].map(badgeOf)).toEqual(['1', '99', '99+', '99+'])
})

it('pushes say how they are kept; those of another version are not known', () => {
  expect(ruleOf(pushes.shareRemind.type)?.group).toBe('authorization')
  expect(ruleOf(pushes.fileChange.type)).toBeUndefined()
  expect(ruleOf(9999)).toBeUndefined()
})
