// @vitest-environment happy-dom
import { OperateType } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { cleanUp, render } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { connectionStore } from '../../core/push/connection.ts'
import { offlineCopiesChanged } from '../offline/offline-copies.ts'
import { useAccessCheck } from './access-check.ts'

const ended: string[] = []
function Shown(): ReactNode {
  useAccessCheck({ serverId: 0, fId: 5, previewKey: '5-1' }, (error) => ended.push(error.code))
  return null
}

beforeEach(() => {
  vi.useFakeTimers()
  signInAs(7)
  connectionStore.setState({ channel: 'online' })
  ended.length = 0
})
afterEach(async () => {
  await cleanUp()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const there = { state: -1, percent: 100, msg: '', pages: 0 }

// [R166] The preview then closes within two seconds, with a message.
it('[R166] what is told of its rights, of a folder above or of its end has it asked after within a second', async () => {
  for (const change of [
    { serverId: 0, fId: 5, fType: 1, operateType: OperateType.rights },
    { serverId: 0, fId: 1, fType: 2, operateType: OperateType.rights },
    { serverId: 0, fId: 1, fType: 2, operateType: OperateType.delete },
    { serverId: 0, fId: 5, fType: 1, operateType: OperateType.delete },
    { serverId: 0, fId: 5, fType: 1, operateType: OperateType.edit },
  ] as const) {
    const server = fakeApi({ getPreviewStatus: there })
    await render(<Shown />)
    offlineCopiesChanged({ serverId: 0, fId: 6, fType: 1, operateType: OperateType.rights })
    await vi.advanceTimersByTimeAsync(1000)
    expect(server.inputsOf('getPreviewStatus')).toEqual([])
    fakeApi({ getPreviewStatus: refused('noPermission') })
    offlineCopiesChanged(change)
    await vi.advanceTimersByTimeAsync(1000)
    expect(ended.splice(0)).toEqual(['noPermission'])
    await cleanUp()
  }
})

it('[R166] what nothing is told of is found by asking now and then, every two seconds without a channel', async () => {
  fakeApi({ getPreviewStatus: refused('secretLevel') })
  await render(<Shown />)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(ended.splice(0)).toEqual(['secretLevel'])
  await cleanUp()
  connectionStore.setState({ channel: 'off' })
  await render(<Shown />)
  await vi.advanceTimersByTimeAsync(2000)
  expect(ended).toEqual(['secretLevel'])
})

it('a server that is away ends nothing, and nobody asks for what is not shown any more', async () => {
  const server = fakeApi({ getPreviewStatus: refused('serverException') })
  await render(<Shown />)
  await vi.advanceTimersByTimeAsync(41_000)
  expect([ended, server.inputsOf('getPreviewStatus').length]).toEqual([[], 2])
  await cleanUp()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.inputsOf('getPreviewStatus')).toHaveLength(2)
})
