import type { TemplateBody } from '@cloudoc/contract'
import { expect, test } from 'vitest'
import { contentFor, mayRelaunch } from './relaunch.ts'

test('an ended process is launched again by its launcher: failed, withdrawn, or passed and changed since', () => {
  const may = (state: 'draft' | 'running' | 'back' | 'passed' | 'failed' | 'withdrawn', newestVersion = 1, who = 1) =>
    mayRelaunch({ launcherId: 1, state, version: 1, newestVersion }, who)
  expect([may('failed'), may('withdrawn'), may('passed', 2)]).toEqual([true, true, true])
  expect([may('passed'), may('running'), may('back'), may('draft'), may('failed', 1, 2)]).toEqual(
    Array.from({ length: 5 }, () => false),
  )
})

test('it begins with the values that the template still asks for', () => {
  const node = (id: string, handlers: object[]) =>
    ({ id, name: id, type: 'task', handlers }) as unknown as TemplateBody['nodes'][number]
  const body: TemplateBody = {
    nodes: [node('a', [{ by: 'chosen', from: 'launcher' }]), node('b', [{ by: 'people', ids: [3] }])],
    edges: [],
    fields: [{ id: 'sum', name: '金额', type: 'money', required: true, choices: [] }],
    ...{ launcherDecides: true, skipsSame: false },
  }
  const process = {
    ...{ processName: '合同', names: {}, comments: '说明', folderId: 5 },
    form: { sum: '12.00', gone: 'x' },
    chosen: { a: [2], b: [3], c: [4] },
  }
  expect(contentFor(process, body)).toEqual({ ...process, form: { sum: '12.00' }, chosen: { a: [2] } })
})
