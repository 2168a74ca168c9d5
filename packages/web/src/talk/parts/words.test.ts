// @vitest-environment happy-dom
// The exact texts and sizes that the documents give for conversations.
import { limits } from '@cloudoc/domain'
import { expect, it } from 'vitest'
import { t } from '../../core/i18n/i18n.ts'
import { badgeOf } from '../../core/notices/notice-groups.ts'
import { withTexts } from '../page-texts.ts'
import { boxed } from '../state/pictures.ts'
import { chatName } from './words.ts'

// [R297] A removed friend is shown as 【id: {id}】已移除, a removed group as 群组已移除.
it('[R297] what is no longer there has the documented names', async () => {
  await withTexts(() => Promise.resolve())
  expect(chatName(t, { push: 'USER', id: 42, name: '', dissolved: false })).toBe('【id: 42】已移除')
  expect(chatName(t, { push: 'GROUP', id: 7, name: '', dissolved: true })).toBe('群组已移除')
  expect(chatName(t, { push: 'GROUP', id: 7, name: '项目群', dissolved: true })).toBe('项目群')
})

// [R298] Limits hold on the page and on the server: 2,048 characters, files of 524,288,000 bytes, badges of at most 99,
// avatars of 30, pictures within 100x100 in their own ratio.
it('[R298] pictures keep their ratio within 100x100, badges end at 99', () => {
  expect(boxed({ width: 1600, height: 900 })).toEqual({ width: 100, height: 56 })
  expect(boxed({ width: 90, height: 3000 })).toEqual({ width: 3, height: 100 })
  expect(boxed({ width: 1, height: 30_000 })).toEqual({ width: 1, height: 100 })
  expect(boxed({ width: 40, height: 20 })).toEqual({ width: 40, height: 20 })
  expect(boxed({})).toEqual({ width: 100, height: 100 })
  expect([limits.longestMessage, limits.largestTalkFile, limits.talkAvatar]).toEqual([2048, 524_288_000, 30])
  expect([1, 99, 100, 5000].map(badgeOf)).toEqual(['1', '99', '99+', '99+'])
})
