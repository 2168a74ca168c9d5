// Background jobs for administrators: the list, retry, cancel, and a new search index.
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/harness.ts'
import { indexAllNames } from '../../search/items/index.ts'

test('administrators list, retry and cancel jobs; others may not', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const anna = await world.person('anna')
  const { db } = world.app
  await sql`
    insert into job (kind, key, input, state, due, attempts, created_at, ended_at, kept_until, error_code, error_message)
    values ('scan', 'a', '{}', 'failed', null, 5, 1000, 2000, ${Date.now() + 60_000}, 'ECONNREFUSED', 'no scanner'),
      ('scan', 'b', '{}', 'waiting', ${Date.now() + 3_600_000}, 1, 1000, null, null, null, null),
      ('conversion', 'c', '{}', 'failed', null, 5, 1000, 2000, ${Date.now() + 60_000}, 'timeout', '')`.execute(db)
  const stateOf = async (key: string) =>
    (await sql<{ state: string; due: number | null }>`select state, due from job where key = ${key}`.execute(db))
      .rows[0]

  const { list, kinds } = await admin.call('getJobs', { state: 'failed' })
  expect(list.map(({ kind, errorCode, title }) => [kind, errorCode, title.zh])).toEqual([
    ['conversion', 'timeout', '预览转换'],
    ['scan', 'ECONNREFUSED', '病毒扫描'],
  ])
  expect(kinds.find(({ kind }) => kind === 'scan')).toMatchObject({ waiting: 1, failed: 1 })
  const failed = list[1]?.jobId ?? 0
  await expect(anna.refusal('getJobs', {})).resolves.toBe('noPermission')
  await expect(anna.refusal('retryJob', { jobId: failed })).resolves.toBe('noPermission')

  await admin.call('retryJob', { jobId: failed })
  expect(await stateOf('a')).toMatchObject({ state: 'waiting' })
  await admin.call('cancelJob', { jobId: failed })
  expect(await stateOf('a')).toEqual({ state: 'cancelled', due: null })
  await expect(admin.refusal('cancelJob', { jobId: failed })).resolves.toBe('duplicateOperation')
  await expect(admin.refusal('retryJob', { jobId: 999_999 })).resolves.toBe('notFound')
  expect(await admin.call('retryFailedJobs', { kind: '' })).toEqual({ count: 1 })
  expect(await stateOf('c')).toMatchObject({ state: 'waiting' })
})

test('a job that an administrator cancels leaves no copy and no return that seems to be under way', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const anna = await world.person('anna')
  const { db } = world.app
  const folder = await anna.folder(anna.library, '项目')
  const { rows: copies } = await sql<{ id: number }>`
    insert into server_copy (account_id, source_server, target_server, target_folder, conflict, is_move, created_at,
      address, strong) values (${anna.userId}, 1, 0, ${folder}, 'keepBoth', false, 1, '', false) returning id`.execute(
    db,
  )
  const { rows: returns } = await sql<{ id: number }>`
    insert into rollback (item_id, account_id, created_at, target_time, with_rights, with_links)
    values (${folder}, ${anna.userId}, 1, 1, false, false) returning id`.execute(db)
  const [copyId = 0, rollbackId = 0] = [copies[0]?.id, returns[0]?.id]
  const due = Date.now() + 3_600_000
  const { rows: jobs } = await sql<{ id: number }>`
    insert into job (kind, key, input, state, due, created_at) values
      ('servers.copy', ${String(copyId)}, ${JSON.stringify({ copyId })}::jsonb, 'waiting', ${due}, 1),
      ('rollback.run', ${String(rollbackId)}, ${JSON.stringify({ rollbackId })}::jsonb, 'waiting', ${due}, 1)
    returning id`.execute(db)
  for (const { id: jobId } of jobs) await admin.call('cancelJob', { jobId })
  expect((await anna.call('getServerCopy', { copyId })).copy.state).toBe('cancelled')
  const { list } = await anna.call('getRollbacks', { folderId: folder })
  expect(list).toMatchObject([{ state: 'failed', problem: codes.cancelledByAdministrator.code }])
})

test('the search index is rebuilt from the items', async () => {
  const world = await openWorld()
  const admin = await world.admin()
  const anna = await world.person('anna')
  await anna.upload(anna.library, '采购合同.txt')
  await world.app.settle()
  await sql`delete from search_queue`.execute(world.app.db)
  await sql`delete from search_item`.execute(world.app.db)
  const found = async () => (await anna.call('searchDoc', { keyword: '采购合同' })).list.length
  expect(await found()).toBe(0)
  const { count } = await admin.call('rebuildSearch', {})
  expect(count).toBeGreaterThan(0)
  await expect.poll(found, { timeout: 120_000 }).toBe(1)
  await expect.poll(async () => (await admin.call('getJobs', {})).notIndexed, { timeout: 120_000 }).toBe(0)
})

test('while the search index is rebuilt, searches read the old rows and what changed, and the rest is counted', async () => {
  const world = await openWorld({ elected: false })
  const [admin, anna] = [await world.admin(), await world.person('anna')]
  await anna.upload(anna.library, '采购合同.txt')
  await indexAllNames(world.app.db)
  const found = async () => (await anna.call('searchDoc', { keyword: '合同' })).list.map(({ fName }) => fName)
  const { count } = await admin.call('rebuildSearch', {})
  expect(await admin.refusal('rebuildSearch', {})).toBe('duplicateOperation')
  expect(await found()).toEqual(['采购合同.txt'])
  await anna.upload(anna.library, '租赁合同.txt')
  expect(await found()).toEqual(['租赁合同.txt', '采购合同.txt'])
  expect((await admin.call('getJobs', {})).notIndexed).toBeGreaterThan(count)
  await indexAllNames(world.app.db)
  expect((await admin.call('getJobs', {})).notIndexed).toBe(0)
  expect(await found()).toEqual(['租赁合同.txt', '采购合同.txt'])
})
