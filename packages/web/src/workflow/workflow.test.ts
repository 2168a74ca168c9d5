// @vitest-environment happy-dom
// What the workflow area declares: its windows, and what it does when a push arrives.
import { afterEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../test/fake-api.ts'
import { queryClient } from '../core/call/query.ts'
import { pushes, windows } from './area.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

// [R072] The detail of a workflow has one window.
// [R075] The windows of a workflow template (480x500) and of the detail (930x580) have the documented sizes.
test('[R072] [R075] windows have their documented names and sizes, and the detail is one', () => {
  expect(Object.keys(windows)).toEqual(
    expect.arrayContaining([
      'cloudoc-workflow-template',
      'cloudoc-workflow-detail',
      'cloudoc-process-manager',
      'template-window',
    ]),
  )
  expect(windows['cloudoc-workflow-template'].size).toEqual({ width: 480, height: 500 })
  expect(windows['cloudoc-workflow-detail']).toMatchObject({ size: { width: 930, height: 580 }, single: true })
})

// [R323] Push 21 reads the lists again, and with nodeState 1 deletes the reminder of the launcher.
test('[R323] push 21 reads lists again, and deletes the reminder when the process goes on', async () => {
  const { sent } = fakeApi({ delLauncherRemind: {} })
  const read = vi.spyOn(queryClient, 'invalidateQueries')
  const payload = {
    ...{ serverId: 0, remindId: 1, processId: 7, processName: '合同', launcherId: 1, launcherName: 'a' },
  }
  pushes.processLauncher({ ...payload, nodeState: 0, createTime: 1, need: 'rework' })
  expect(read).toHaveBeenCalledWith({ queryKey: ['workflow'] })
  expect(sent).toEqual([])
  pushes.processLauncher({ ...payload, nodeState: 1, createTime: 1, need: 'rework' })
  await expect.poll(() => sent).toMatchObject([{ name: 'delLauncherRemind', input: { processId: '7' } }])
})
