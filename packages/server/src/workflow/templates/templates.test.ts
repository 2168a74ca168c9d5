// Two administrators at one template: nobody's changes are lost or published by somebody else.
import { expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { named, straight, taskNode } from '../../../test/workflows.ts'

const world = sharedWorld()

test('drafts belong to their authors; who comes second sees what was published, and keeps or gives up their changes', async () => {
  const admin = await world.admin()
  const [other, ben] = [await world.person('other'), await world.person('ben')]
  await admin.call('setPowerHolders', { power: 'system', userIds: [other.userId] })
  const second = await world.signIn(other.account, 7)
  const body = straight([taskNode('one', [named(ben)])])
  const base = { templateName: '合同', body }
  const { templateId } = await admin.call('saveProcessTemplate', { templateId: 0, ...base, baseVersion: 0 })
  await admin.call('publishProcessTemplate', { templateId, baseVersion: 0 })
  // What is saved as it is published is no draft.
  await admin.call('saveProcessTemplate', { templateId, ...base, baseVersion: 1 })
  expect(await admin.call('getProcessTemplateDraft', { templateId })).toMatchObject({ hasDraft: false, base: null })
  expect(await admin.refusal('publishProcessTemplate', { templateId, baseVersion: 1 })).toBe('notFound')

  const mine = straight([taskNode('one', [named(ben)]), taskNode('mine', [named(ben)])])
  const theirs = straight([taskNode('one', [named(ben)]), taskNode('theirs', [named(ben)])])
  await admin.call('saveProcessTemplate', { templateId, templateName: '合同', body: mine, baseVersion: 1 })
  await second.call('saveProcessTemplate', { templateId, templateName: '合同', body: theirs, baseVersion: 1 })
  expect((await second.call('getProcessTemplateDraft', { templateId })).body).toEqual(theirs)
  expect((await second.call('publishProcessTemplate', { templateId, baseVersion: 1 })).version).toBe(2)

  // Neither saved nor published over it, and told by whom.
  const late = { templateId, templateName: '合同', body: mine, baseVersion: 1 }
  const refused = await admin.wire('saveProcessTemplate', late)
  expect(refused).toMatchObject({ code: 'fileConflict' })
  expect(refused.msg).toContain(other.account)
  expect(await admin.refusal('publishProcessTemplate', { templateId, baseVersion: 1 })).toBe('fileConflict')
  expect(await admin.call('getProcessTemplateDraft', { templateId })).toMatchObject({
    ...{ baseVersion: 1, version: 2, updatedBy: other.account, hasDraft: true },
    ...{ body: mine, base: body, published: theirs },
  })

  // Their own changes on top of what is published now, or none.
  await admin.call('saveProcessTemplate', { ...late, baseVersion: 2 })
  expect(await admin.call('getProcessTemplateDraft', { templateId })).toMatchObject({
    baseVersion: 2,
    base: null,
    body: mine,
  })
  await admin.call('saveProcessTemplate', { ...late, body: theirs, baseVersion: 2 })
  expect(await admin.call('getProcessTemplateDraft', { templateId })).toMatchObject({ hasDraft: false, body: theirs })
})

test('the simulation names those who have left, and who is asked instead of them', async () => {
  const admin = await world.admin()
  const names = ['anna', 'gone', 'stays', 'instead'] as const
  const people = await Promise.all(names.map((name) => world.person(name)))
  const [anna, gone, stays, instead] = people as [Person, Person, Person, Person]
  const body = straight([
    taskNode('some', [named(gone, stays)], { need: { of: 'all', count: 0 } }),
    taskNode('none', [named(gone)], { empty: { to: 'people', ids: [instead.userId] } }),
    taskNode('stuck', [named(gone)], { empty: { to: 'launcher' } }),
    { id: 'cc', name: '抄送', type: 'cc', handlers: [named(gone)] },
  ])
  await admin.call('setAccountState', { userId: gone.userId, state: 'disabled' })
  const { steps } = await admin.call('simulateProcess', { body, launcherId: anna.userId })
  const left = [{ userId: gone.userId, accountName: gone.account, gone: true }]
  expect(steps.map(({ node, unable, isInstead, isStuck }) => ({ node, unable, isInstead, isStuck }))).toEqual([
    { node: 'some', unable: left, isInstead: false, isStuck: false },
    { node: 'none', unable: left, isInstead: true, isStuck: false },
    { node: 'stuck', unable: left, isInstead: false, isStuck: true },
    { node: 'cc', unable: left, isInstead: false, isStuck: false },
  ])
  expect(steps.map(({ people }) => people.map(({ userId }) => userId))).toEqual([
    [stays.userId],
    [instead.userId],
    [anna.userId],
    [],
  ])
})

test('the simulation says where the launcher may not put the archive', async () => {
  const admin = await world.admin()
  const anna = await world.person('anna')
  const folderId = await admin.folder(admin.library, '归档（试运行）')
  const archive = { id: 'archive', name: '归档', type: 'archive', folderId, pattern: '' } as const
  const body = straight([taskNode('one', [named(admin)]), archive])
  const closed = async () =>
    (await admin.call('simulateProcess', { body, launcherId: anna.userId })).problems.filter(
      ({ problem }) => problem === 'noUploadRight',
    )
  expect(await closed()).toEqual([{ node: 'archive', problem: 'noUploadRight' }])
  await admin.shares({ folderId }, [{ to: anna, rights: 2 + 16 }])
  expect(await closed()).toEqual([])
})
