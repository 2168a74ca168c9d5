// Ended processes are removed when their time is over, and not those that run or that a legal hold covers.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld, type Person } from '../../../test/harness.ts'
import { named, publish, straight, taskNode } from '../../../test/workflows.ts'
import { removeEnded } from './retention.ts'

const dayMs = 24 * 60 * 60_000

test('ended processes go after the days that are set, with their course; running and held ones stay', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const [anna, ben, cara] = [await world.person('anna'), await world.person('ben'), await world.person('cara')]
  const templateId = await publish(admin, '合同', straight([taskNode('one', [named(ben)])]))
  const other = await publish(admin, '保全', straight([taskNode('one', [named(cara)])]))
  const launch = async (template: number, fileId?: number): Promise<number> => {
    const { processId } = await anna.call('createProcess', { templateId: template, title: '合同', fileId })
    await anna.call('launchProcess', { processId })
    return processId
  }
  const pass = async (person: Person, processId: number): Promise<void> => {
    const { taskId, rev } = await person.call('getProcess', { processId })
    await person.call('passNode', { processId, taskId, rev })
  }
  const [kept, about] = [await anna.upload(anna.library, '保全.txt'), await anna.upload(anna.library, '合同.txt')]
  const running = await launch(templateId)
  const [ended, ofHeldFile, ofHeldPerson] = [
    await launch(templateId, about),
    await launch(templateId, kept),
    await launch(other),
  ]
  await pass(ben, ended)
  await pass(ben, ofHeldFile)
  await pass(cara, ofHeldPerson)
  await admin.call('setPowerHolders', { power: 'audit', userIds: [ben.userId] })
  const auditor = await world.signIn(ben.account, 7)
  const held = { name: '诉讼', reason: '核查', itemIdArray: [kept], userIdArray: [cara.userId] }
  const { holdId } = await auditor.call('placeHold', held)
  const left = async (): Promise<number[]> => {
    const { rows } = await sql<{ id: number }>`select id from process order by id`.execute(world.app.db)
    return rows.map(({ id }) => id)
  }
  const removeAt = async (days: number): Promise<number> => {
    const at = Date.now() + days * dayMs
    while (await removeEnded(world.app.services, at));
    return at
  }
  const everything = [running, ended, ofHeldFile, ofHeldPerson]
  await removeAt(4000)
  expect(await left()).toEqual(everything)
  await admin.call('setServerSetting', { process_keep_days: 30 })
  await removeAt(29)
  expect(await left()).toEqual(everything)
  const at31 = await removeAt(31)
  expect(await left()).toEqual([running, ofHeldFile, ofHeldPerson])
  expect(await anna.refusal('getProcess', { processId: ended })).toBe('notFound')
  expect((await anna.call('getFileInfo', { fileId: about })).fName).toBe('合同.txt')
  // The file still names its process: who sees it is told when that was removed, and why; nobody else is.
  expect((await anna.call('getFileInfo', { fileId: about })).processId).toBe(ended)
  const removed = await anna.call('getRemovedProcess', { processId: ended })
  expect(removed).toEqual({ removedTime: at31, keepDays: 30 })
  const unknown = { removedTime: null, keepDays: 0 }
  expect(await cara.call('getRemovedProcess', { processId: ended })).toEqual(unknown)
  expect(await anna.call('getRemovedProcess', { processId: running })).toEqual(unknown)
  const courses = await sql`select 1 from process_entry where process_id = ${ended}`.execute(world.app.db)
  expect(courses.rows).toEqual([])
  const audited = await sql<{ detail: object }>`
    select detail from audit where call = 'endedProcessesRemoved'`.execute(world.app.db)
  expect(audited.rows.map(({ detail }) => detail)).toEqual([expect.objectContaining({ count: 1, days: 30 })])
  await auditor.call('liftHold', { holdId, reason: '结案' })
  await removeAt(31)
  expect(await left()).toEqual([running])
}, 60_000)
