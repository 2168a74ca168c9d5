// @vitest-environment happy-dom
import type { SignActivity } from '@cloudoc/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../test/fake-api.ts'
import { signInAs } from '../../test/session.ts'
import { addTexts } from '../core/i18n/i18n.ts'
import { finder } from './area.ts'
import { en } from './texts.en.ts'
import { zh } from './texts.zh.ts'

addTexts(zh, en)
const one = (activityId: number, activityTitle: string, isTurn: boolean): SignActivity => ({
  ...{ activityId, activityTitle, activityState: 1, state: 'running', launchId: 7, launcherName: '林夏' },
  ...{ fileName: '合同.pdf', pages: 2, order: true, signsFor: '', createTime: 0, endTime: null, deadline: null },
  ...{ signedCount: 0, signerCount: 2, waiting: [], isTurn, fieldCount: 1, rejection: null },
})
const counts = { all: 0, open: 0, signed: 0, rejected: 0, done: 0 }

beforeEach(() => {
  signInAs(7)
  fakeApi({
    getSignReviewList: () => ({ list: [one(1, '采购合同', true), one(2, '借款合同', false)], total: 2, counts }),
    getSignCreationList: () => ({ list: [one(2, '借款合同', false), one(3, '租赁合同', false)], total: 2, counts }),
  })
})
afterEach(() => vi.unstubAllGlobals())

it('finds each process of signing once, what waits for the person first', async () => {
  const found = await finder.find('合同', 5)
  expect(found.map(({ label, hint }) => [label, hint])).toEqual([
    ['采购合同', '待你签署'],
    ['借款合同', '林夏'],
    ['租赁合同', '林夏'],
  ])
  expect(await finder.find('合同', 2)).toHaveLength(2)
})
