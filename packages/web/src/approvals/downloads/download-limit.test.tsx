// @vitest-environment happy-dom
// Asking for more downloads of a day, and deciding about it, on the screen.
import type { DownloadApplication, ReviewProgress } from '@cloudoc/contract'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, type, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { connectionStore } from '../../core/push/connection.ts'
import { DownloadLimit } from './download-limit.tsx'
import { DownloadReview } from './download-review.tsx'

const guard = { userId: 9, accountName: '陆远' }
const windowProps = { close: () => undefined, setDirty: () => undefined, setTitle: () => undefined }
const request: DownloadApplication = {
  ...{ reviewId: 5, userId: 8, userName: '林夏', groupName: '市场部', comments: '投标资料', createTime: Date.now() },
  ...{ handleBefore: null, state: 'pending', handleTime: null, handledBy: null, answer: '' },
  ...{ waitsFor: [guard], isAwaited: true, count: 50, given: 0, taken: 200, limit: 200 },
}
const way: ReviewProgress = {
  ...{ reviewId: 5, kind: 'downloads', state: 'pending', launcher: { userId: 8, accountName: '林夏' } },
  ...{ createTime: Date.now(), handleBefore: null, round: 0, rounds: [], notes: [] },
  may: { decide: true, withdraw: false, remind: false, revoke: false },
}

beforeAll(loadSignedIn)
beforeEach(() => {
  void setLocale('zh')
  signInAs(9)
  connectionStore.setState({ reached: true })
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

it('who has used up the downloads of a day asks for more, says what for, and sees that it waits [R284]', async () => {
  let pendingId: number | null = null
  const { sent } = fakeApi({
    getMoreDownloadsTerms: () => ({ reviewers: [guard], pendingId }),
    moreDownloadsApply: () => {
      pendingId = 5
      return { reviewId: 5 }
    },
    getCounters: { list: [] },
  })
  const until0 = Date.now() + 3_600_000
  await render(
    <DownloadLimit
      {...windowProps}
      count={200}
      limit={200}
      until={until0}
      name="合同.docx"
      items={3}
      size={46_766_490}
    />,
  )
  await until(() => screenText().includes('由 陆远 审批'))
  expect(screenText()).toContain('合同.docx 等 3 项，还没有开始 · 44.60 MB')
  expect(element('[role="meter"]').getAttribute('aria-valuenow')).toBe('200')
  await type('说明', '投标资料')
  await click(button('提交申请'))
  await until(() => screenText().includes('申请已提交'))
  expect(sent.find(({ name }) => name === 'moreDownloadsApply')?.input).toEqual({ count: 50, comments: '投标资料' })
})

it('who decides gives as many as were asked for unless they choose [R284]', async () => {
  const { sent } = fakeApi({
    getMoreDownloads: request,
    getReviewWay: way,
    moreDownloadsApprove: {},
    getCounters: { list: [] },
  })
  await render(<DownloadReview {...windowProps} reviewId={5} />)
  await until(() => screenText().includes('投标资料'))
  expect(screenText()).toContain('当天已用 200 / 200 次')
  await click(button('同意，再给 50 次'))
  await until(() => sent.some(({ name }) => name === 'moreDownloadsApprove'))
  expect(sent.find(({ name }) => name === 'moreDownloadsApprove')?.input).toEqual({
    reviewId: 5,
    count: 50,
    comments: '',
  })
})
