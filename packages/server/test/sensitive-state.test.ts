// The badge of the check for sensitive contents, from the upload to the result: a first server accepts uploads without
// checking them, a second one checks.
import { isFrame } from '@cloudoc/contract'
import { newSensitiveRule, OperateType } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openWorld } from './harness.ts'

// [R134] The check badge of a file follows from its state: none, just checked, found sensitive; records, lists and open
// pages show it.
test('[R134] the badge of a file is 1 while it is checked, 2 once it was found sensitive, else 0, in its record and in lists, and pages are told', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const reviewer = await world.person('shen')
  const anna = await world.person('anna')
  const folderId = await anna.folder(anna.library, '报价')
  const badges = async (): Promise<Record<string, number>> => {
    const { list } = await anna.call('getSubItemList3', { folderId })
    const infos = await Promise.all(list.map(({ fId }) => anna.call('getFileInfo', { fileId: fId })))
    expect(infos.map(({ sensitive }) => sensitive)).toEqual(list.map(({ sensitive }) => sensitive))
    return Object.fromEntries(list.map(({ fName, sensitive }) => [fName, sensitive]))
  }
  // Without a rule nothing is checked.
  await anna.upload(folderId, '说明.txt', '证件 11010519491231002X')
  expect(await badges()).toEqual({ '说明.txt': 0 })
  const { faults } = await admin.call('saveSensitiveRule', {
    rule: {
      ...newSensitiveRule,
      ...{ name: '客户个人信息', patterns: [{ pattern: 'idCard', atLeast: 1 }], action: 'audit' },
      reviewers: [{ subjectType: 'user', subjectId: reviewer.userId }],
    },
  })
  // What is there already is checked on demand only.
  expect([faults, await badges()]).toEqual([[], { '说明.txt': 0 }])
  const page = await anna.listen()
  const floor = await anna.upload(folderId, '底价.txt', '证件 11010519491231002X')
  await anna.upload(folderId, '菜单.txt', '今日供应')
  expect(await badges()).toMatchObject({ '底价.txt': 1, '菜单.txt': 1 })

  const checking = await openWorld({ peer: world })
  await expect.poll(badges, { timeout: 120_000 }).toMatchObject({ '底价.txt': 2, '菜单.txt': 0 })
  await page.next(
    (frame) => isFrame(frame, 'fileChange') && frame.data.fId === floor && frame.data.operateType === OperateType.edit,
  )
  await checking.close()

  // A new version is checked again, and is marked as under check until the result.
  await anna.upload(folderId, '底价.txt', '没有证件', { conflict: 'version' })
  expect(await badges()).toMatchObject({ '底价.txt': 1 })
  await openWorld({ peer: world })
  await expect.poll(badges, { timeout: 120_000 }).toMatchObject({ '底价.txt': 0 })
})
