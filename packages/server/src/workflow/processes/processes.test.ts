import type { TemplateBody } from '@cloudoc/contract'
import { isFrame } from '@cloudoc/contract'
import { ItemStatusBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld, type Person, sharedWorld } from '../../../test/harness.ts'
import { edge, named, publish, straight, taskNode } from '../../../test/workflows.ts'
import { passDeadlines } from './feature.ts'

const byText = (a: unknown, b: unknown): number => String(a).localeCompare(String(b))

const world = sharedWorld()
let made = 0
const fresh = (name: string): string => `${name} ${(made += 1)}`

/** The task of a process that waits for somebody. */
async function taskOf(person: Person, processId: number) {
  const { list } = await person.call('getProcessList', { list: 'pending' })
  const row = list.find((one) => one.processId === processId)
  if (row === undefined) throw new Error(`${processId} does not wait for ${person.account}`)
  return { processId, taskId: row.taskId, rev: row.rev }
}

const pass = async (person: Person, processId: number, comments = '') =>
  person.call('passNode', { ...(await taskOf(person, processId)), comments })

const pendingOf = async (person: Person): Promise<number[]> =>
  (await person.call('getProcessList', { list: 'pending' })).list.map(({ processId }) => processId)

const stateOf = async (person: Person, processId: number) => (await person.call('getProcess', { processId })).state

async function launch(person: Person, templateId: number, fileId: number | undefined, more: object = {}) {
  const { processId } = await person.call('createProcess', { templateId, title: '渠道协议', fileId, ...more })
  await person.call('launchProcess', { processId })
  return processId
}

/** Archive folder of the administrator that these people may put files into. */
async function archiveFolder(admin: Person, ...people: Person[]): Promise<number> {
  const folderId = await admin.folder(admin.library, fresh('归档'))
  await admin.shares(
    { folderId },
    people.map((to) => ({ to, rights: 2 + 16 })),
  )
  return folderId
}

const people = async (...names: string[]): Promise<Person[]> => {
  const found: Person[] = []
  for (const name of names) found.push(await world.person(name))
  return found
}

/** start → 法务 → (财务 ∥ 市场) → 总经理 → 归档 → end */
function contract(law: Person, money: Person, market: Person, boss: Person, folderId: number): TemplateBody {
  const body = straight([
    taskNode('law', [named(law)], { name: '法务审核', mayReplace: true }),
    { id: 'fork', name: '', type: 'fork' },
    taskNode('money', [named(money)], { name: '财务会签' }),
    { id: 'join', name: '', type: 'join' },
    taskNode('boss', [named(boss)], { name: '总经理' }),
    { id: 'archive', name: '归档', type: 'archive', folderId, pattern: '{number} {title}' },
  ])
  return {
    ...body,
    nodes: [...body.nodes, taskNode('market', [named(market)], { name: '市场会签' })],
    edges: [...body.edges, ...([edge('fork', 'market'), edge('market', 'join')] as TemplateBody['edges'])],
  }
}

describe('a process from launch to archive', () => {
  // [R264] A process runs node by node through five people, back and on, with a replaced attachment, to the archive.
  test('[R264] five people, a parallel branch, sent back, replaced and archived', async () => {
    const admin = await world.admin()
    const [anna, law, money, market, boss] = (await people('anna', 'law', 'money', 'market', 'boss')) as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    const folderId = await archiveFolder(admin, anna)
    const templateId = await publish(admin, fresh('合同审批'), contract(law, money, market, boss, folderId))
    const fileId = await anna.upload(anna.library, '协议.docx', 'one')
    const processId = await launch(anna, templateId, fileId)
    expect(await pendingOf(law)).toContain(processId)
    // The handler reads the file as long as it is theirs to judge.
    expect((await law.call('getFileInfo', { fileId })).rights & 4).toBe(4)
    // Law replaces the attachment by a file of the same type.
    const other = await law.upload(law.library, '改.docx', 'two')
    const task = await taskOf(law, processId)
    const wrong = await law.upload(law.library, '改.txt', 'three')
    expect(await law.refusal('updateProcessFile', { ...task, fileId: wrong })).toBe('typeRestricted')
    await law.call('updateProcessFile', { ...task, fileId: other })
    expect((await anna.call('getFileInfo', { fileId })).version).toBe(2)
    await pass(law, processId, '第 4 条改为 45 天')
    await pass(money, processId)
    // Market sends it back to law: what the others said is void.
    await market.call('backNode', { ...(await taskOf(market, processId)), node: 'law', comments: '再看一下' })
    expect(await pendingOf(law)).toContain(processId)
    await pass(law, processId)
    expect([await pendingOf(money), await pendingOf(market)]).toEqual([[processId], [processId]])
    await pass(market, processId)
    expect(await pendingOf(boss)).toEqual([])
    await pass(money, processId)
    await pass(boss, processId)
    await world.app.settle()
    await expect.poll(() => stateOf(anna, processId), { timeout: 120_000 }).toBe('passed')
    const detail = await anna.call('getProcess', { processId })
    const archived = await admin.call('getSubItemList3', { folderId })
    expect(archived.list.map(({ fName }) => fName.replace(/^LC-\d+-\d+ /, '')).sort()).toEqual([
      '渠道协议-审批记录.pdf',
      '渠道协议-表单.pdf',
      '渠道协议.docx',
    ])
    expect(detail.course.map(({ what }) => what)).toContain('archived')
    // Write-protected, and the mark of approval is on the file.
    const [file] = archived.list.filter(({ extName }) => extName === 'docx')
    expect(await admin.refusal('renameFile', { fileId: file?.fId ?? 0, fileName: 'x.docx' })).toBe('noPermission')
    const source = await anna.call('getFileInfo', { fileId })
    expect([source.itemStatus & ItemStatusBit.approved, source.processId]).toEqual([ItemStatusBit.approved, processId])
    expect((file?.itemStatus ?? 0) & ItemStatusBit.singleArchive).toBe(ItemStatusBit.singleArchive)
    // Its handlers no longer read the file, but find the process among the archived ones.
    expect(await boss.refusal('getFileInfo', { fileId })).toBe('notFound')
    expect((await boss.call('getProcessList', { list: 'archived' })).list.map((one) => one.processId)).toEqual([
      processId,
    ])
  })

  test('without the right to the archive folder a process waits, says so, and is archived once it is back', async () => {
    const admin = await world.admin()
    const [anna, ben] = (await people('anna', 'ben')) as [Person, Person]
    const folderId = await archiveFolder(admin, anna)
    const archive = { id: 'archive', name: '归档', type: 'archive', folderId, pattern: '{title}' } as const
    const templateId = await publish(admin, fresh('归档权'), straight([taskNode('one', [named(ben)]), archive]))
    const fileId = await anna.upload(anna.library, fresh('归档权') + '.txt', 'one')
    const processId = await launch(anna, templateId, fileId)
    await admin.shares({ folderId }, [{ to: anna, rights: 2 }])
    await pass(ben, processId)
    const waits = async (person: Person) => {
      await world.app.settle()
      await expect
        .poll(async () => (await person.call('getProcess', { processId })).mode, { timeout: 120_000 })
        .toBe('folder')
    }
    const isEmpty = async () => (await admin.call('getSubItemList3', { folderId })).list.length === 0
    await waits(anna)
    const told = async (): Promise<object[]> => {
      const { list } = await anna.call('getNoticeList', { group: 'workflow', unread: true })
      return list.map(({ message }) => JSON.parse(message) as object)
    }
    await expect.poll(told).toContainEqual(expect.objectContaining({ processId, need: 'folder' }))
    expect(await isEmpty()).toBe(true)
    expect(await anna.refusal('setProcessFolder', { ...(await taskOf(anna, processId)), folderId })).toBe(
      'noPermission',
    )
    await anna.call('setProcessFolder', await taskOf(anna, processId))
    await waits(anna)
    expect([await isEmpty(), await stateOf(anna, processId)]).toEqual([true, 'running'])
    await admin.shares({ folderId }, [{ to: anna, rights: 2 + 16 }])
    await anna.call('setProcessFolder', await taskOf(anna, processId))
    await expect.poll(() => stateOf(anna, processId), { timeout: 120_000 }).toBe('passed')
    expect(await isEmpty()).toBe(false)
  })

  test('what a launcher who cannot act any more left is archived by an administrator, who is told', async () => {
    const admin = await world.admin()
    const [anna, ben] = (await people('anna', 'ben')) as [Person, Person]
    const folderId = await archiveFolder(admin, anna)
    const archive = { id: 'archive', name: '归档', type: 'archive', folderId, pattern: '{title}' } as const
    const templateId = await publish(admin, fresh('归档人'), straight([taskNode('one', [named(ben)]), archive]))
    const fileId = await anna.upload(anna.library, fresh('归档人') + '.txt', 'one')
    const processId = await launch(anna, templateId, fileId)
    await admin.call('setAccountState', { userId: anna.userId, state: 'frozen' })
    await pass(ben, processId)
    await world.app.settle()
    await expect.poll(async () => (await pendingOf(admin)).includes(processId), { timeout: 120_000 }).toBe(true)
    const told = async (): Promise<number> => {
      const { rows } = await sql`select 1 from notice where account_id = ${admin.userId} and read_at is null
        and notice_group = 'workflow' and key = ${String(processId)}`.execute(world.app.db)
      return rows.length
    }
    await expect.poll(told).toBe(1)
    await admin.call('setProcessFolder', await taskOf(admin, processId))
    await expect.poll(() => stateOf(admin, processId), { timeout: 120_000 }).toBe('passed')
    expect((await admin.call('getSubItemList3', { folderId })).list).toHaveLength(3)
    await admin.call('setAccountState', { userId: anna.userId, state: 'normal' })
  })

  // [R133] The four workflow bits, and the archive bits of archived files, are set and decoded.
  // [R266] The file shows whether its process is not submitted, circulating, passed, failed or sent back.
  // [R109] The record of a file names the process that it is or was in, as long as its result holds.
  test('[R109] [R133] [R266] the state of a process is on its file, and locks it', async () => {
    const admin = await world.admin()
    const [anna, ben] = (await people('anna', 'ben')) as [Person, Person]
    const templateId = await publish(admin, fresh('用印'), straight([taskNode('one', [named(ben)])]))
    const folder = await anna.folder(anna.library, fresh('流程'))
    const fileId = await anna.upload(folder, '用印.txt')
    const bits = async () => {
      const { list } = await anna.call('getSubItemList3', { folderId: folder })
      const { itemStatus, processId } = list.find(({ fId }) => fId === fileId) ?? { itemStatus: 0, processId: 0 }
      return [itemStatus & (16384 + 32768 + 65536 + 131072), processId]
    }
    const { processId } = await anna.call('createProcess', { templateId, title: '用印', fileId })
    expect(await bits()).toEqual([16384, processId])
    await anna.call('launchProcess', { processId })
    expect(await bits()).toEqual([0, processId])
    expect(await anna.refusal('renameFile', { fileId, fileName: 'x.txt' })).toBe('alreadyInProcess')
    expect(await anna.refusal('fileOrFolderDelete', { fileIdArray: [fileId] })).toBe('alreadyInProcess')
    expect(await anna.refusal('fileOrFolderDelete', { folderIdArray: [folder] })).toBe('alreadyInProcess')
    await ben.call('backNode', { ...(await taskOf(ben, processId)), node: 'start', comments: '缺附件' })
    expect(await bits()).toEqual([131072, processId])
    await anna.call('startNode', { ...(await taskOf(anna, processId)) })
    await ben.call('failNode', { ...(await taskOf(ben, processId)), comments: '不同意' })
    expect(await bits()).toEqual([65536, processId])
    // Launched again, passed, and changed afterwards: the mark does not move to other bytes.
    const again = await launch(anna, templateId, fileId)
    await pass(ben, again)
    expect(await bits()).toEqual([32768, again])
    await anna.upload(folder, '用印.txt', 'changed', { conflict: 'version' })
    expect(await bits()).toEqual([0, 0])
    expect(await anna.call('getProcess', { processId: again })).toMatchObject({ version: 1, newestVersion: 2 })
  })

  // [R268] A file in a process, a process launched twice and a missing archive folder have their codes.
  test('[R268] -33, -30 and -36', async () => {
    const admin = await world.admin()
    const [anna, ben] = (await people('anna', 'ben')) as [Person, Person]
    const templateId = await publish(admin, fresh('双'), straight([taskNode('one', [named(ben)])]))
    const fileId = await anna.upload(anna.library, fresh('双') + '.txt')
    const processId = await launch(anna, templateId, fileId)
    expect(await anna.refusal('createProcess', { templateId, title: '又', fileId })).toBe('alreadyInProcess')
    expect(await anna.refusal('launchProcess', { processId })).toBe('processLaunchedTwice')
    const archive = { id: 'archive', name: '归档', type: 'archive', folderId: 0, pattern: '' } as const
    const without = await publish(admin, fresh('无'), straight([taskNode('one', [named(ben)]), archive]))
    const draft = await anna.call('createProcess', { templateId: without, title: '无' })
    expect(await anna.refusal('launchProcess', draft)).toBe('noArchiveFolder')
    expect(await stateOf(anna, draft.processId)).toBe('draft')
  })

  test('of two that begin on one file, and of two launches at once, one is done and one refused', async () => {
    const admin = await world.admin()
    const [anna, ben] = (await people('anna', 'ben')) as [Person, Person]
    const templateId = await publish(admin, fresh('抢'), straight([taskNode('one', [named(ben)])]))
    const folderId = await anna.folder(anna.library, fresh('抢'))
    await anna.shares({ folderId }, [{ to: ben, rights: 2 + 4 + 8 + 16 + 64 }])
    const fileId = await anna.upload(folderId, '抢.txt')
    const begin = (person: Person) => person.wire('createProcess', { templateId, title: '抢', fileId })
    const begun = await Promise.all([begin(anna), begin(ben), begin(anna)])
    expect(begun.map(({ code }) => code).sort(byText)).toEqual(['alreadyInProcess', 'alreadyInProcess', 'success'])
    const first = begun.findIndex(({ code }) => code === 'success')
    const owner = first === 1 ? ben : anna
    const draft = begun[first]?.data as { processId: number }
    const launched = await Promise.all([1, 2, 3].map(() => owner.wire('launchProcess', draft)))
    expect(launched.map(({ code }) => code).sort(byText)).toEqual([
      'processLaunchedTwice',
      'processLaunchedTwice',
      'success',
    ])
    const { course } = await owner.call('getProcess', draft)
    expect(course.filter(({ what }) => what === 'launched')).toHaveLength(1)
  })

  test('bad input is refused by name, and nothing has changed', async () => {
    const admin = await world.admin()
    const [anna, ben, cara] = (await people('anna', 'ben', 'cara')) as [Person, Person, Person]
    const fields: TemplateBody['fields'] = [
      { id: 'sum', name: '金额', type: 'money', required: true, choices: [] },
      { id: 'kind', name: '类型', type: 'choice', required: false, choices: ['采购', '销售'] },
      { id: 'day', name: '日期', type: 'date', required: false, choices: [] },
    ]
    const body = straight([taskNode('one', [named(ben)]), taskNode('two', [named(cara)])], { fields: [...fields] })
    const templateId = await publish(admin, fresh('坏'), body)
    const fileId = await anna.upload(anna.library, fresh('坏') + '.docx', 'x')
    const draft = await anna.call('createProcess', { templateId, title: '坏', fileId })
    const forms: [string, string][] = [
      ['sum', ''],
      ['sum', '1e3'],
      ['sum', '0.001'],
      ['kind', '别的'],
      ['day', '2026-02-30'],
      ['nothing', 'x'],
    ]
    for (const [field, value] of forms) {
      const form = [{ field, value }, ...(field === 'sum' ? [] : [{ field: 'sum', value: '1.00' }])]
      const wire = await anna.wire('updateProcess', { ...draft, templateId, title: '坏', form })
      if (wire.code === 'success')
        expect(await anna.refusal('launchProcess', draft), `${field} ${value}`).toBe('badRequest')
      else expect(wire.code).toBe('badRequest')
      expect(await stateOf(anna, draft.processId)).toBe('draft')
    }
    const good = { ...draft, templateId, title: '坏', form: [{ field: 'sum', value: '0.30' }] }
    await anna.call('updateProcess', good)
    // The template is switched off, and on again.
    await admin.call('setProcessTemplateState', { templateId, enabled: false })
    expect(await anna.refusal('launchProcess', draft)).toBe('notFound')
    await admin.call('setProcessTemplateState', { templateId, enabled: true })
    // A version that needs more was published meanwhile: the draft is measured by it.
    const stricter = { ...body, fields: [...fields, { ...fields[0], id: 'more', name: '税额' }] } as TemplateBody
    const saved = { templateId, templateName: fresh('坏'), body: stricter, baseVersion: 1 }
    await admin.call('saveProcessTemplate', saved)
    await admin.call('publishProcessTemplate', { templateId, baseVersion: 1 })
    expect((await anna.wire('launchProcess', draft)).msg).toContain('税额')
    await anna.call('updateProcess', { ...good, form: [...good.form, { field: 'more', value: '0.1' }] })
    await anna.call('launchProcess', draft)
    const task = await taskOf(ben, draft.processId)
    const before = await anna.call('getProcess', draft)
    const other = await ben.upload(ben.library, fresh('坏') + '.txt', 'y')
    const refused = [
      await ben.refusal('backNode', { ...task, node: 'two', comments: '还没到' }),
      await ben.refusal('backNode', { ...task, node: 'start', taskId: 999_999 }),
      await ben.refusal('passNode', { ...task, rev: task.rev + 1 }),
      await ben.refusal('handOnNode', { ...task, userId: 999_999_999 }),
      await ben.refusal('addNodeHandler', { ...task, userId: ben.userId, place: 'before' }),
      await ben.refusal('assignNode', { ...task, userIdArray: [cara.userId] }),
      await ben.refusal('startNode', task),
      await ben.refusal('updateProcessFile', { ...task, fileId: other }),
      await ben.refusal('updateProcessFile', { ...task, fileId: 999_999_999 }),
      await ben.refusal('passNode', { ...task, chosen: [{ node: 'two', userIdArray: [ben.userId] }] }),
      await cara.refusal('passNode', task),
      await cara.refusal('withdrawProcess', { ...draft, revision: before.revision }),
      await ben.refusal('withdrawProcess', { ...draft, revision: before.revision }),
      await ben.refusal('passNode', { ...task, comments: '长'.repeat(1001) }),
    ]
    expect(refused).toEqual([
      ...['badRequest', 'alreadyHandled', 'alreadyHandled', 'notFound', 'badRequest', 'badRequest', 'badRequest'],
      ...['typeRestricted', 'notFound', 'badRequest', 'notFound', 'notFound', 'noPermission', 'badRequest'],
    ])
    expect(await anna.call('getProcess', draft)).toEqual(before)
    // Sent back, it is not submitted without what is required.
    await ben.call('backNode', { ...task, node: 'start', comments: '缺' })
    const again = await taskOf(anna, draft.processId)
    expect(await anna.refusal('startNode', { ...again, form: [] })).toBe('badRequest')
    expect(await stateOf(anna, draft.processId)).toBe('back')
  })

  // [R265] A process needs a title and the chosen next handler.
  test('[R265] title and next handler are required, values are checked', async () => {
    const admin = await world.admin()
    const [anna, ben] = (await people('anna', 'ben')) as [Person, Person]
    const body = straight([
      taskNode('one', [{ by: 'chosen', from: 'launcher' }], { name: '用印' }),
      taskNode('two', [{ by: 'chosen', from: 'before' }], { name: '复核' }),
    ])
    const fields: TemplateBody['fields'] = [{ id: 'sum', name: '金额', type: 'money', required: true, choices: [] }]
    const templateId = await publish(admin, fresh('选'), { ...body, fields: [...fields] })
    expect(await anna.refusal('createProcess', { templateId, title: '  ' })).toBe('badRequest')
    const draft = await anna.call('createProcess', { templateId, title: '选', form: [{ field: 'sum', value: 'abc' }] })
    const launched = (more: object) =>
      anna
        .call('updateProcess', { ...draft, templateId, title: '选', ...more })
        .then(() => anna.wire('launchProcess', draft))
    expect((await launched({ form: [{ field: 'sum', value: 'abc' }] })).msg).toContain('金额')
    expect((await launched({ form: [{ field: 'sum', value: '12.30' }] })).msg).toContain('用印')
    expect(
      (
        await launched({
          form: [{ field: 'sum', value: '12.30' }],
          chosen: [{ node: 'one', userIdArray: [ben.userId] }],
        })
      ).code,
    ).toBe('success')
    const task = await taskOf(ben, draft.processId)
    expect((await ben.wire('passNode', task)).msg).toContain('复核')
    await ben.call('passNode', { ...task, chosen: [{ node: 'two', userIdArray: [anna.userId] }] })
    expect(await pendingOf(anna)).toContain(draft.processId)
  })
})

// [R156] Workflows are offered from level 2 on, to files that are in no process, and not to guests.
test('[R156] below level 2 nothing is launched, and what runs goes on', async () => {
  const own = await openWorld({ elected: false })
  const [admin, anna, ben] = [await own.admin(), await own.person('anna'), await own.person('ben')]
  const templateId = await publish(admin, '用印', straight([taskNode('one', [named(ben)])]))
  const [fileId, other] = [await anna.upload(anna.library, '一.txt'), await anna.upload(anna.library, '二.txt')]
  const processId = await launch(anna, templateId, fileId)
  expect(await anna.refusal('createProcess', { templateId, title: '又', fileId })).toBe('alreadyInProcess')
  await admin.call('setServerSetting', { process_level: 1 })
  expect(await anna.refusal('createProcess', { templateId, title: '二', fileId: other })).toBe('noPermission')
  expect(await anna.refusal('createProcess', { templateId, title: '空' })).toBe('noPermission')
  await pass(ben, processId)
  expect(await stateOf(anna, processId)).toBe('passed')
})

describe('who acts', () => {
  test('two people acting on one state are one act and one refusal', async () => {
    const admin = await world.admin()
    const [anna, ben, cara] = (await people('anna', 'ben', 'cara')) as [Person, Person, Person]
    const both = taskNode('one', [named(ben, cara)], { need: { of: 'all', count: 0 } })
    const processId = await launch(anna, await publish(admin, fresh('同时'), straight([both])), undefined)
    const [b, c] = [await taskOf(ben, processId), await taskOf(cara, processId)]
    const answers = await Promise.all([ben.wire('passNode', b), cara.wire('passNode', c)])
    expect(answers.map(({ code }) => code).sort(byText)).toEqual(['alreadyHandled', 'success'])
    const { course } = await anna.call('getProcess', { processId })
    expect(course.filter(({ what }) => what === 'passed')).toHaveLength(1)
  })

  test('a process is withdrawn as it was seen: two at once, or a pass meanwhile, are one act and one refusal', async () => {
    const admin = await world.admin()
    const [anna, ben, cara] = (await people('anna', 'ben', 'cara')) as [Person, Person, Person]
    const body = straight([taskNode('one', [named(ben)]), taskNode('two', [named(cara)])])
    const templateId = await publish(admin, fresh('撤回'), body)
    const processId = await launch(anna, templateId, undefined)
    const { revision } = await anna.call('getProcess', { processId })
    await pass(ben, processId)
    const before = await anna.call('getProcess', { processId })
    expect(await anna.refusal('withdrawProcess', { processId, revision })).toBe('alreadyHandled')
    expect(await anna.call('getProcess', { processId })).toEqual(before)
    const now = { processId, revision: before.revision }
    const both = await Promise.all([1, 2].map(() => anna.wire('withdrawProcess', now)))
    expect(both.map(({ code }) => code).sort(byText)).toEqual(['alreadyHandled', 'success'])
    const { course } = await anna.call('getProcess', { processId })
    expect(course.filter(({ what }) => what === 'withdrawn')).toHaveLength(1)
  })

  test('before it is sent back, the window knows which opinions become void', async () => {
    const admin = await world.admin()
    const [anna, law, money, market, boss] = (await people('anna', 'law', 'money', 'market', 'boss')) as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    const folderId = await archiveFolder(admin, anna)
    const templateId = await publish(admin, fresh('作废'), contract(law, money, market, boss, folderId))
    const processId = await launch(anna, templateId, undefined)
    await pass(law, processId)
    await pass(money, processId)
    await pass(market, processId)
    const { backTo } = await boss.call('getProcess', { processId })
    const voids = backTo.map(({ node, voids: opinions }) => [node, opinions.map(({ userId }) => userId)])
    expect(Object.fromEntries(voids)).toEqual({
      start: [law.userId, money.userId, market.userId],
      law: [law.userId, money.userId, market.userId],
      // The other branch decided after it, and stays.
      money: [money.userId],
      market: [market.userId],
    })
    await boss.call('backNode', { ...(await taskOf(boss, processId)), node: 'money', comments: '再算一遍' })
    expect([await pendingOf(money), await pendingOf(market)].map((ids) => ids.includes(processId))).toEqual([
      true,
      false,
    ])
    await pass(money, processId)
    expect(await pendingOf(boss)).toContain(processId)
  })

  test('a process does not exist for people who have nothing to do with it', async () => {
    const admin = await world.admin()
    const [anna, ben, cara] = (await people('anna', 'ben', 'cara')) as [Person, Person, Person]
    const templateId = await publish(admin, fresh('私'), straight([taskNode('one', [named(ben)])]))
    const processId = await launch(anna, templateId, undefined)
    expect(await cara.refusal('getProcess', { processId })).toBe('notFound')
    expect(await cara.refusal('passNode', { processId, taskId: 1, rev: 1 })).toBe('notFound')
    expect(await anna.refusal('passNode', { processId, taskId: 1, rev: 1 })).toBe('alreadyHandled')
    expect(await ben.refusal('backNode', { ...(await taskOf(ben, processId)), node: 'nowhere' })).toBe('badRequest')
    const long = { ...(await taskOf(ben, processId)), comments: '长'.repeat(1001) }
    expect(await ben.refusal('passNode', long)).toBe('badRequest')
    await ben.call('passNode', { ...long, comments: '😀'.repeat(500) })
  })

  test('a frozen account hands over to the superior, and the launcher is told', async () => {
    const admin = await world.admin()
    const [anna, ben, chief] = (await people('anna', 'ben', 'chief')) as [Person, Person, Person]
    const node = taskNode('one', [named(ben)], { empty: { to: 'people', ids: [chief.userId] } })
    const processId = await launch(anna, await publish(admin, fresh('离'), straight([node])), undefined)
    await admin.call('setAccountState', { userId: ben.userId, state: 'frozen' })
    expect(await pendingOf(chief)).toContain(processId)
    const { course } = await anna.call('getProcess', { processId })
    expect(course.some(({ what, by }) => what === 'left' && by?.userId === ben.userId)).toBe(true)
    await pass(chief, processId)
    expect(await stateOf(anna, processId)).toBe('passed')
    await admin.call('setAccountState', { userId: ben.userId, state: 'normal' })
  })

  test('somebody who leaves hands over to the successor, and the launcher is told', async () => {
    const admin = await world.admin()
    const [anna, ben, cara] = (await people('anna', 'ben', 'cara')) as [Person, Person, Person]
    const fileId = await anna.upload(anna.library, fresh('离职') + '.txt')
    const body = straight([taskNode('one', [named(ben)])])
    const processId = await launch(anna, await publish(admin, fresh('离职'), body), fileId)
    const names = { userId: ben.userId, successorId: cara.userId }
    const { seen } = await admin.call('getHandover', names)
    expect(await admin.call('handOver', { ...names, seen })).toMatchObject({ done: true })
    expect(await pendingOf(cara)).toContain(processId)
    // The successor reads what they decide about.
    expect((await cara.call('getFileInfo', { fileId })).fName).toContain('离职')
    const { course } = await anna.call('getProcess', { processId })
    expect(course.find(({ what }) => what === 'left')).toMatchObject({
      by: { userId: ben.userId },
      to: [{ userId: cara.userId }],
    })
    await world.app.settle()
    const { list } = await anna.call('getNoticeList', { group: 'workflow', unread: true })
    expect(list.map(({ message }) => JSON.parse(message) as object)).toContainEqual(
      expect.objectContaining({ processId, need: 'left' }),
    )
    await pass(cara, processId)
    expect(await stateOf(anna, processId)).toBe('passed')
  })

  test('a role that is deleted in the middle leaves its nodes to whom the template names instead', async () => {
    const admin = await world.admin()
    const [anna, ben, cara, chief] = (await people('anna', 'ben', 'cara', 'chief')) as [Person, Person, Person, Person]
    const { roleId } = await admin.call('createRole', { roleName: fresh('审核员') })
    await admin.call('setRoleMembers', { roleId, userIds: [cara.userId], groupIds: [], titles: [] })
    const role = { by: 'role', id: roleId } as const
    const instead = { empty: { to: 'people', ids: [chief.userId] } } as const
    const body = straight([taskNode('one', [named(ben)]), taskNode('two', [role], instead), taskNode('three', [role])])
    const templateId = await publish(admin, fresh('角色'), body)
    const reached = await launch(anna, templateId, undefined)
    await pass(ben, reached)
    const processId = await launch(anna, templateId, undefined)
    await admin.call('deleteRole', { roleId })
    // Who was asked before stays asked.
    expect(await pendingOf(cara)).toContain(reached)
    await pass(ben, processId)
    expect([await pendingOf(cara), await pendingOf(chief)].map((ids) => ids.includes(processId))).toEqual([false, true])
    await pass(chief, processId)
    // The last node names no superior either: the launcher chooses who decides.
    const task = await taskOf(anna, processId)
    await anna.call('assignNode', { ...task, userIdArray: [ben.userId] })
    const { course } = await anna.call('getProcess', { processId })
    expect(course.filter(({ what }) => what === 'empty').map(({ node }) => node)).toEqual(['two', 'three'])
    await pass(ben, processId)
    expect(await stateOf(anna, processId)).toBe('passed')
  })

  test('a launcher who cannot act any more is answered for by the administrators', async () => {
    const admin = await world.admin()
    const [anna, ben] = (await people('anna', 'ben')) as [Person, Person]
    const processId = await launch(
      anna,
      await publish(admin, fresh('发起人'), straight([taskNode('one', [named(ben)])])),
      undefined,
    )
    await admin.call('setAccountState', { userId: anna.userId, state: 'frozen' })
    await ben.call('backNode', { ...(await taskOf(ben, processId)), node: 'start', comments: '改' })
    expect(await pendingOf(admin)).toContain(processId)
    await admin.call('startNode', await taskOf(admin, processId))
    await pass(ben, processId)
    expect(await stateOf(admin, processId)).toBe('passed')
  })

  test('a running process keeps the template it began with', async () => {
    const admin = await world.admin()
    const [anna, ben, cara] = (await people('anna', 'ben', 'cara')) as [Person, Person, Person]
    const templateId = await publish(admin, fresh('版'), straight([taskNode('one', [named(ben)])]))
    const processId = await launch(anna, templateId, undefined)
    const body = straight([taskNode('one', [named(cara)]), taskNode('two', [named(cara)])])
    const named2 = { templateId, templateName: fresh('版'), body, baseVersion: 1 }
    await admin.call('saveProcessTemplate', named2)
    expect((await admin.call('publishProcessTemplate', { templateId, baseVersion: 1 })).version).toBe(2)
    expect(await admin.refusal('saveProcessTemplate', named2)).toBe('fileConflict')
    const draft = await admin.call('getProcessTemplateDraft', { templateId })
    expect(draft.versions.map(({ version, running }) => [version, running])).toEqual([
      [2, 0],
      [1, 1],
    ])
    await pass(ben, processId)
    expect(await stateOf(anna, processId)).toBe('passed')
  })

  // [R267] Push 20 tells handlers and launcher, push 21 the launcher what is theirs to do, and nodeState 1 that it is done.
  // [R322] Push 20 tells a handler which node waits, as a workflow notice.
  // [R323] Push 21 is a workflow notice of the launcher, which goes when the process goes on.
  test('[R267] [R322] [R323] pushes 20 and 21', async () => {
    const admin = await world.admin()
    const [anna, ben] = (await people('anna', 'ben')) as [Person, Person]
    const templateId = await publish(admin, fresh('推'), straight([taskNode('one', [named(ben)], { name: '审核' })]))
    const [annas, bens] = [await anna.listen(), await ben.listen()]
    const processId = await launch(anna, templateId, undefined)
    await world.app.settle()
    await expect
      .poll(() => bens.frames.filter((frame) => isFrame(frame, 'processPlayer')).map(({ data }) => data))
      .toContainEqual(expect.objectContaining({ processId, processState: 0, nodeState: 0, nodeName: '审核' }))
    await ben.call('backNode', { ...(await taskOf(ben, processId)), node: 'start', comments: '改' })
    await world.app.settle()
    const told = () => annas.frames.filter((frame) => isFrame(frame, 'processLauncher')).map(({ data }) => data)
    await expect.poll(told).toContainEqual(expect.objectContaining({ processId, nodeState: 0, need: 'rework' }))
    await anna.call('startNode', await taskOf(anna, processId))
    await world.app.settle()
    await expect.poll(told).toContainEqual(expect.objectContaining({ processId, nodeState: 1 }))
    await anna.call('delLauncherRemind', { processId })
    const { rows } = await sql`select 1 from notice where account_id = ${anna.userId} and read_at is null
      and key = ${`launcher ${processId}`}`.execute(world.app.db)
    expect(rows).toEqual([])
  })

  test('a deadline passes a node on, once', async () => {
    const admin = await world.admin()
    const [anna, ben, cara] = (await people('anna', 'ben', 'cara')) as [Person, Person, Person]
    const late = { deadline: { hours: 1, action: 'passOn', to: [cara.userId] } } as const
    const templateId = await publish(admin, fresh('期'), straight([taskNode('one', [named(ben)], late)]))
    const processId = await launch(anna, templateId, undefined)
    await passDeadlines(world.app.services, Date.now() + 2 * 3_600_000)
    await passDeadlines(world.app.services, Date.now() + 2 * 3_600_000)
    expect([await pendingOf(ben), await pendingOf(cara)].map((ids) => ids.includes(processId))).toEqual([false, true])
    const { course } = await anna.call('getProcess', { processId })
    expect(course.filter(({ what }) => what === 'late')).toHaveLength(1)
  })

  // [R033] What waits for a person in workflows is counted.
  // [R263] The four lists have their processes, and count them by state.
  test('[R033] [R263] lists and counts', async () => {
    const admin = await world.admin()
    const [anna, ben, cara] = (await people('lister', 'lena', 'lotte')) as [Person, Person, Person]
    const body = straight([
      taskNode('one', [named(ben)]),
      { id: 'cc', name: '抄送', type: 'cc', handlers: [named(cara)] },
      taskNode('two', [named(cara)]),
    ])
    const templateId = await publish(admin, fresh('列'), body)
    const draft = await anna.call('createProcess', { templateId, title: '草稿' })
    const first = await launch(anna, templateId, undefined)
    const second = await launch(anna, templateId, undefined)
    await pass(ben, first)
    await ben.call('failNode', { ...(await taskOf(ben, second)), comments: '不' })
    const idsIn = async (person: Person, list: 'creation' | 'circulating' | 'archived', state = '') =>
      (await person.call('getProcessList', { list, state })).list.map(({ processId }) => processId)
    expect(await idsIn(anna, 'creation')).toEqual([second, first, draft.processId])
    expect(await idsIn(anna, 'creation', 'failed')).toEqual([second])
    expect(await idsIn(ben, 'circulating')).toEqual([first])
    expect(await idsIn(cara, 'circulating', 'copied')).toEqual([first])
    expect(await idsIn(ben, 'archived', 'failed')).toEqual([second])
    expect(
      (await anna.call('getProcessCount', { list: 'creation' })).states.map(({ state, count }) => [state, count]),
    ).toEqual([
      ['draft', 1],
      ['running', 1],
      ['back', 0],
      ['passed', 0],
      ['failed', 1],
      ['withdrawn', 0],
    ])
    expect((await anna.call('getProcessList', { list: 'creation', keyword: '草稿' })).total).toBe(1)
    const { list } = await cara.call('getCounters', {})
    expect(list.find(({ name }) => name === 'workflowPending')?.count).toBe(1)
  })
})
