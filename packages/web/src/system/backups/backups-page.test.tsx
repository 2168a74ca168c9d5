// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import * as admin from '../../admin/area.ts'
import { joinArea } from '../../core/area/area.ts'
import * as system from '../area.ts'
import { BackupsPage } from './backups-page.tsx'

beforeAll(() => {
  joinArea(admin)
  joinArea(system)
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const none = { folder: '/srv/backups', isBesideData: true, backupTime: 0, list: [], running: null, problem: '' }
const backup = {
  ...{
    name: '2026-11-20T16-45-00.000Z',
    takenAt: 1_795_000_000_000,
    rows: 1200,
    contents: 34,
    bytes: 2048,
    damaged: 0,
  },
  ...{ checkedAt: 0, problems: [] as string[] },
}

it('[R286] an empty page says what to do; a backup is made, checked, and its damage and its restore are told', async () => {
  signInAs(7)
  const server = fakeApi({ getBackups: none, backUpNow: {}, checkBackup: {} })
  await render(<BackupsPage />)
  await until(() => screenText().includes('还没有做过备份'))
  expect(screenText()).toContain('磁盘损坏时会一同丢失')
  server.now({ getBackups: { ...none, running: { what: 'backup', name: '', progress: 420 } } })
  await click(button('立即备份'))
  await until(() => screenText().includes('正在备份 42%'))
  server.now({ getBackups: { ...none, isBesideData: false, backupTime: backup.takenAt, list: [backup] } })
  await until(() => screenText().includes('未检查'))
  expect(screenText()).toContain('npm run restore -- "/srv/backups/2026-11-20T16-45-00.000Z"')
  server.now({ getBackups: { ...none, list: [{ ...backup, checkedAt: 1, problems: ['item.copy is damaged'] }] } })
  await click(button('检查能否恢复'))
  expect(server.inputsOf('checkBackup')).toEqual([{ name: backup.name }])
  await until(() => screenText().includes('有 1 个问题'))
  expect(screenText()).toContain('item.copy is damaged')
})
