// Every act of a process in every state: who may not do it gets the named code, and nothing has changed. Then the acts
// themselves, by calls.
import type { TemplateBody } from '@cloudoc/contract'
import { ItemStatusBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { named, publish, straight, taskNode } from '../../../test/workflows.ts'
import { passDeadlines } from './feature.ts'

const world = sharedWorld()
const hour = 3_600_000
let made = 0
const fresh = (name: string): string => `${name} ${(made += 1)}`

async function people<const N extends readonly string[]>(...names: N): Promise<{ [K in keyof N]: Person }> {
  const found: Person[] = []
  for (const name of names) found.push(await world.person(name))
  return found as { [K in keyof N]: Person }
}

async function launch(person: Person, templateId: number, fileId?: number): Promise<number> {
  const { processId } = await person.call('createProcess', { templateId, title: '审批', fileId })
  await person.call('launchProcess', { processId })
  return processId
}

async function taskOf(person: Person, processId: number) {
  const { taskId, rev } = await person.call('getProcess', { processId })
  return { processId, taskId, rev }
}

/** Everything that is stored about a process. */
async function stored(processId: number): Promise<unknown> {
  const { rows } = await sql`
    select p.*, (select json_agg(w order by w.task_id, w.account_id) from process_task w where w.process_id = p.id) as tasks,
      (select json_agg(e order by e.id) from process_entry e where e.process_id = p.id) as course,
      (select json_agg(y order by y.account_id) from process_player y where y.process_id = p.id) as players
    from process p where p.id = ${processId}`.execute(world.app.db)
  return rows[0]
}

const acts = {
  passNode: {},
  failNode: {},
  backNode: { node: 'start' },
  handOnNode: { userId: 'other' },
  addNodeHandler: { userId: 'other', place: 'before' },
  assignNode: { userIdArray: ['other'] },
  setProcessFolder: {},
  startNode: {},
  updateProcessFile: { fileId: 'file' },
} as const
const states = ['draft', 'running', 'back', 'passed', 'failed', 'withdrawn'] as const
type State = (typeof states)[number]

describe('acts and states', () => {
  test('an act in the wrong state, or by the wrong person, has its code and changes nothing', async () => {
    const admin = await world.admin()
    const [anna, ben, cara, dora] = await people('anna', 'ben', 'cara', 'dora')
    const body = straight([taskNode('one', [named(ben)], { mayReplace: true }), taskNode('two', [named(dora)])])
    const templateId = await publish(admin, fresh('状态'), body)
    const make: Readonly<Record<State, () => Promise<number>>> = {
      draft: async () => (await anna.call('createProcess', { templateId, title: '审批' })).processId,
      running: () => launch(anna, templateId),
      back: async () => {
        const processId = await launch(anna, templateId)
        await ben.call('backNode', { ...(await taskOf(ben, processId)), node: 'start', comments: '改' })
        return processId
      },
      passed: async () => {
        const processId = await launch(anna, templateId)
        await ben.call('passNode', await taskOf(ben, processId))
        await dora.call('passNode', await taskOf(dora, processId))
        return processId
      },
      failed: async () => {
        const processId = await launch(anna, templateId)
        await ben.call('failNode', await taskOf(ben, processId))
        return processId
      },
      withdrawn: async () => {
        const processId = await launch(anna, templateId)
        const { revision } = await anna.call('getProcess', { processId })
        await anna.call('withdrawProcess', { processId, revision })
        return processId
      },
    }
    // In which state, by whom, an act is done; everything else is refused.
    const done = new Set(['running ben passNode', 'running ben failNode', 'running ben backNode'])
    for (const name of ['handOnNode', 'addNodeHandler']) done.add(`running ben ${name}`)
    done.add('back anna startNode')
    const callers = { anna, ben, cara }
    for (const state of states) {
      const processId = await make[state]()
      const before = await stored(processId)
      for (const [who, person] of Object.entries(callers)) {
        const knows = who === 'anna' || (who === 'ben' && state !== 'draft' && state !== 'withdrawn')
        const isTurn = (who === 'ben' && state === 'running') || (who === 'anna' && state === 'back')
        const fileId = await person.upload(person.library, fresh('附件') + '.txt')
        const [task] = ((await stored(processId)) as { tasks: { task_id: number; rev: number }[] | null }).tasks ?? []
        for (const [name, more] of Object.entries(acts)) {
          const label = `${state} ${who} ${name}`
          if (done.has(label)) continue
          const input: { processId: number; taskId: number; rev: number } & Record<string, unknown> = {
            ...{ processId, taskId: task?.task_id ?? 1, rev: task?.rev ?? 1 },
          }
          for (const [key, value] of Object.entries(more as Record<string, unknown>))
            input[key] =
              value === 'other' ? dora.userId : value === 'file' ? fileId : Array.isArray(value) ? [dora.userId] : value
          const expected = !knows
            ? 'notFound'
            : !isTurn
              ? 'alreadyHandled'
              : name === 'updateProcessFile'
                ? 'notFound'
                : 'badRequest'
          expect(await person.refusal(name as 'passNode', input), label).toBe(expected)
        }
        const isOpen = state === 'running' || state === 'back'
        const mine = who === 'anna'
        const { revision } = mine ? await anna.call('getProcess', { processId }) : { revision: 1 }
        const whole: [string, object, string | undefined][] = [
          ['launchProcess', {}, mine ? (state === 'draft' ? undefined : 'processLaunchedTwice') : 'noPermission'],
          ['deleteProcess', {}, mine ? (state === 'draft' ? undefined : 'processLaunchedTwice') : 'noPermission'],
          ['withdrawProcess', { revision }, mine ? (isOpen ? undefined : 'alreadyHandled') : 'noPermission'],
          ['remindProcess', {}, mine ? (isOpen ? 'duplicateOperation' : 'alreadyHandled') : 'noPermission'],
          ['commentProcess', { comments: '说' }, state === 'draft' ? 'noPermission' : undefined],
          [
            'updateProcessTitle',
            { title: '新' },
            mine ? (state === 'draft' || state === 'back' ? undefined : 'alreadyHandled') : 'noPermission',
          ],
        ]
        for (const [name, more, code] of whole) {
          if (knows && code === undefined) continue
          const label = `${state} ${who} ${name}`
          expect(await person.refusal(name as 'launchProcess', { processId, ...more }), label).toBe(
            knows ? code : 'notFound',
          )
        }
      }
      expect(await stored(processId), state).toEqual(before)
    }
  }, 120_000)
})

describe('acts', () => {
  const courseOf = async (person: Person, processId: number) =>
    (await person.call('getProcess', { processId })).course.map(({ what, by, to, comments, detail }) => ({
      ...{ what, by: by?.userId, to: to.map(({ userId }) => userId), comments, detail },
    }))

  test('handing on: the other one decides, the first one no longer', async () => {
    const admin = await world.admin()
    const [anna, ben, cara] = await people('anna', 'ben', 'cara')
    const processId = await launch(anna, await publish(admin, fresh('转交'), straight([taskNode('one', [named(ben)])])))
    const task = await taskOf(ben, processId)
    await ben.call('handOnNode', { ...task, userId: cara.userId, comments: '你来' })
    expect(await ben.refusal('passNode', task)).toBe('alreadyHandled')
    // Handed on once: the state that it was made on has gone.
    expect(await ben.refusal('handOnNode', { ...task, userId: cara.userId })).toBe('alreadyHandled')
    await cara.call('passNode', await taskOf(cara, processId))
    expect(await courseOf(anna, processId)).toContainEqual(
      expect.objectContaining({ what: 'handedOn', by: ben.userId, to: [cara.userId], comments: '你来' }),
    )
    expect((await anna.call('getProcess', { processId })).state).toBe('passed')
  })

  test('adding a handler before and after: they decide in that order', async () => {
    const admin = await world.admin()
    const [anna, ben, cara, dora] = await people('anna', 'ben', 'cara', 'dora')
    const processId = await launch(anna, await publish(admin, fresh('加签'), straight([taskNode('one', [named(ben)])])))
    const add = async (userId: number, place: 'before' | 'after') =>
      ben.call('addNodeHandler', { ...(await taskOf(ben, processId)), userId, place })
    await add(dora.userId, 'after')
    await add(cara.userId, 'before')
    const turns: number[] = []
    for (const person of [cara, ben, dora]) {
      const { waitsFor } = await anna.call('getProcess', { processId })
      turns.push(...waitsFor.map(({ userId }) => userId))
      await person.call('passNode', await taskOf(person, processId))
    }
    expect(turns).toEqual([cara.userId, ben.userId, dora.userId])
    expect((await anna.call('getProcess', { processId })).state).toBe('passed')
  })

  test('a comment and a copy: everybody who has to do with it reads it, after the end too', async () => {
    const admin = await world.admin()
    const [anna, ben, cara] = await people('anna', 'ben', 'cara')
    const copy = { id: 'cc', name: '抄送', type: 'cc', handlers: [named(cara)] } as const
    const body = straight([copy, taskNode('one', [named(ben)])])
    const fileId = await anna.upload(anna.library, fresh('抄送') + '.txt')
    const processId = await launch(anna, await publish(admin, fresh('抄送'), body), fileId)
    // Copied: told, listed and may read the file, without anything to decide.
    expect((await cara.call('getProcess', { processId })).may).toMatchObject({ act: false, withdraw: false })
    expect((await cara.call('getFileInfo', { fileId })).fId).toBe(fileId)
    await world.app.settle()
    const { list } = await cara.call('getNoticeList', { group: 'workflow', unread: true })
    expect(list.map(({ message }) => JSON.parse(message) as object)).toContainEqual(
      expect.objectContaining({ processId, copied: true }),
    )
    await cara.call('commentProcess', { processId, comments: '请看第三条' })
    await ben.call('passNode', await taskOf(ben, processId))
    await anna.call('commentProcess', { processId, comments: '谢谢' })
    const said = (await courseOf(ben, processId)).filter(({ what }) => what === 'commented')
    expect(said.map(({ by, comments }) => [by, comments])).toEqual([
      [cara.userId, '请看第三条'],
      [anna.userId, '谢谢'],
    ])
    expect(await cara.refusal('commentProcess', { processId, comments: '长'.repeat(1001) })).toBe('badRequest')
    expect(await cara.refusal('getFileInfo', { fileId })).toBe('notFound')
  })

  test('reminding: those whom it waits for are told, at most every two hours', async () => {
    const admin = await world.admin()
    const [anna, ben] = await people('anna', 'ben')
    const processId = await launch(anna, await publish(admin, fresh('提醒'), straight([taskNode('one', [named(ben)])])))
    expect(await anna.refusal('remindProcess', { processId })).toBe('duplicateOperation')
    await sql`update process set launched_at = launched_at - ${3 * hour} where id = ${processId}`.execute(world.app.db)
    await anna.call('remindProcess', { processId })
    await world.app.settle()
    const { list } = await ben.call('getNoticeList', { group: 'workflow', unread: true })
    expect(list.map(({ message }) => JSON.parse(message) as object)).toContainEqual(
      expect.objectContaining({ processId, reminder: true }),
    )
    expect(await anna.refusal('remindProcess', { processId })).toBe('duplicateOperation')
  })

  test('a deadline escalates to the superior, and only reminds where the template says so', async () => {
    const admin = await world.admin()
    const [anna, chief] = await people('anna', 'chief')
    const { groupId } = await world.group(fresh('法务'))
    const ben = await world.person('ben', { groupId })
    await admin.call('setGroupManagers', { groupId, userIds: [chief.userId] })
    const late = (action: 'escalate' | 'remind') => ({ deadline: { hours: 1, action, to: [] } })
    const start = async (action: 'escalate' | 'remind') =>
      launch(anna, await publish(admin, fresh('期限'), straight([taskNode('one', [named(ben)], late(action))])))
    const [escalated, reminded] = [await start('escalate'), await start('remind')]
    await passDeadlines(world.app.services, Date.now() + 2 * hour)
    const waits = async (processId: number) =>
      (await anna.call('getProcess', { processId })).waitsFor.map(({ userId }) => userId)
    expect([await waits(escalated), await waits(reminded)]).toEqual([[chief.userId], [ben.userId]])
    expect((await courseOf(anna, reminded)).filter(({ what }) => what === 'late')).toEqual([
      expect.objectContaining({ to: [ben.userId], detail: 'remind' }),
    ])
  })

  // [R133] Files archived by the second of two processes on one file carry the bit of several archives.
  test('[R133] a file that is archived again gets the bit of several archives', async () => {
    const admin = await world.admin()
    const [anna, ben] = await people('anna', 'ben')
    const folderId = await admin.folder(admin.library, fresh('归档'))
    await admin.shares({ folderId }, [{ to: anna, rights: 2 + 16 }])
    const archive = { id: 'archive', name: '归档', type: 'archive', folderId, pattern: '{number}' } as const
    const body: TemplateBody = straight([taskNode('one', [named(ben)]), archive])
    const templateId = await publish(admin, fresh('归档'), body)
    const fileId = await anna.upload(anna.library, fresh('再次') + '.txt')
    const bits: number[] = []
    for (let n = 0; n < 2; n += 1) {
      const processId = await launch(anna, templateId, fileId)
      await ben.call('passNode', await taskOf(ben, processId))
      const state = async () => (await anna.call('getProcess', { processId })).state
      await expect.poll(state, { timeout: 120_000 }).toBe('passed')
      const { rows } = await sql<{ status: number }>`
        select i.status from process p, jsonb_array_elements_text(p.archived) a join item i on i.id = a::bigint
        where p.id = ${processId}`.execute(world.app.db)
      bits.push(...rows.map(({ status }) => status & (ItemStatusBit.singleArchive | ItemStatusBit.multipleArchive)))
    }
    const [single, multiple] = [ItemStatusBit.singleArchive, ItemStatusBit.multipleArchive]
    expect(bits).toEqual([single, single, single, multiple, multiple, multiple])
  }, 60_000)
})
