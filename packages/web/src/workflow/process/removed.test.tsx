// @vitest-environment happy-dom
// A file may name a process that retention has removed.
import { fullTime } from '@cloudoc/domain'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { cleanUp, render, screenText } from '../../../test/render.tsx'
import { loadSignedIn } from '../../app/join-areas.ts'
import { WorkflowDetail } from './process-window.tsx'

beforeAll(loadSignedIn)
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const show = (processId: number) =>
  render(<WorkflowDetail processId={processId} close={() => undefined} setDirty={() => undefined} />)

test('the window of a removed process says when it was removed and why, and of another one that it is not available', async () => {
  const removedTime = new Date(2026, 10, 29, 10, 30).getTime()
  fakeApi({
    getProcess: refused('notFound'),
    getRemovedProcess: ({ processId }) =>
      processId === '7' ? { removedTime, keepDays: 30 } : { removedTime: null, keepDays: 0 },
  })
  await show(7)
  await expect.poll(screenText).toContain(`已结束的流程保留 30 天，这个流程已于 ${fullTime(removedTime)} 清理`)
  await cleanUp()
  await show(8)
  await expect.poll(screenText).toContain('看不到这个流程')
})
