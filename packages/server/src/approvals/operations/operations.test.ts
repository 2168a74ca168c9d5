// Rules for downloads: whom they exempt, what they approve by themselves, and what follows at the deadline ([R251], E2).
import { ApplyState, rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openWorld, type Person, sharedWorld } from '../../../test/harness.ts'
import { remindDue } from '../review/feature.ts'

const world = sharedWorld()
const { preview, edit } = rightsGroup
const hour = 60 * 60_000

/** Adds a rule for downloads from a folder, which holds for everybody. */
async function rule(admin: Person, folderId: number, more: object): Promise<number> {
  const { ruleId } = await admin.call('setOperationRule', {
    ...{ name: '受控下载', operation: 'download', itemIds: [folderId] },
    subjects: [{ subjectType: 'everybody', subjectId: 0 }],
    rounds: [{ by: 'managers', ids: [], needs: 'one', fromLevel: 0 }],
    ...more,
  })
  return ruleId
}
const apply = async (person: Person, ...fileIdArray: number[]) =>
  person.call('applyDownload', { comment: '现场签约', fileIdArray })

test('[R251] a rule spares the people, departments and roles that it exempts, also where another of its subjects names them', async () => {
  const admin = await world.admin()
  const { groupId } = await world.group('法务部')
  const anna = await world.person('anna')
  const [ben, cara, dora, eve] = [
    await world.person('ben'),
    await world.person('cara'),
    await world.person('dora', { groupId }),
    await world.person('eve'),
  ]
  const { roleId } = await admin.call('createRole', { roleName: '审计员' })
  await admin.call('setRoleMembers', { roleId, userIds: [eve.userId], groupIds: [], titles: [] })
  const folderId = await anna.folder(anna.library, '合同')
  const fileId = await anna.upload(folderId, '合同.txt')
  await anna.shares(
    { folderId },
    [ben, cara, dora, eve].map((to) => ({ to, rights: edit })),
  )
  const statuses = async () =>
    Promise.all([ben, cara, dora, eve].map(async (person) => (await person.download(fileId)).statusCode))
  const ruleId = await rule(admin, folderId, {})
  expect(await statuses()).toEqual([403, 403, 403, 403])
  await rule(admin, folderId, {
    ruleId,
    subjects: [
      { subjectType: 'everybody', subjectId: 0 },
      { subjectType: 'user', subjectId: cara.userId, isExempt: true },
      { subjectType: 'group', subjectId: groupId, isExempt: true },
      { subjectType: 'role', subjectId: roleId, isExempt: true },
    ],
  })
  expect(await statuses()).toEqual([403, 200, 200, 200])
})

test('[R251] a rule approves by itself up to its number of files and its level; a folder counts by its files', async () => {
  const admin = await world.admin()
  const [anna, ben] = [await world.person('anna', { secretLevel: 2 }), await world.person('ben', { secretLevel: 2 })]
  const folderId = await anna.folder(anna.library, '资料')
  const files = []
  for (let n = 0; n < 4; n += 1) files.push(await anna.upload(folderId, `${n}.txt`))
  const [one = 0, two = 0, three = 0, secret = 0] = files
  const inner = await anna.folder(folderId, '内')
  for (const name of ['甲', '乙', '丙']) await anna.upload(inner, `${name}.txt`)
  await anna.shares({ folderId }, [{ to: ben, rights: preview }])
  await anna.call('setSecretLevel', { fileIdArray: [secret], secretLevel: 2, duration: 3, unit: 2 })
  await rule(admin, folderId, { autoFiles: 2, autoLevel: 1, autoOwnDepartment: false })
  expect((await apply(ben, one, two)).nodeState).toBe(ApplyState.approved)
  expect((await ben.download(one)).statusCode).toBe(200)
  expect((await ben.download(three)).statusCode).toBe(403)
  expect((await apply(ben, one, two, three)).nodeState).toBe(ApplyState.pending)
  expect((await apply(ben, secret)).nodeState).toBe(ApplyState.pending)
  expect((await ben.download(secret)).statusCode).toBe(403)
  const folder = await ben.call('applyDownload', { comment: '现场签约', folderIdArray: [inner] })
  expect(folder.nodeState).toBe(ApplyState.pending)
})

test('[R251] a rule approves by itself in the own department only, where it says so', async () => {
  const admin = await world.admin()
  const [own, other] = [await world.group('研发部'), await world.group('市场部')]
  const ben = await world.person('ben', { groupId: own.groupId })
  const states = []
  for (const { library } of [own, other]) {
    const folderId = await admin.folder(library, '公开')
    const fileId = await admin.upload(folderId, '公开.txt')
    await admin.shares({ folderId }, [{ to: ben, rights: preview }])
    await rule(admin, folderId, { autoFiles: 2, autoOwnDepartment: true })
    states.push((await apply(ben, fileId)).nodeState)
  }
  expect(states).toEqual([ApplyState.approved, ApplyState.pending])
})

test.each(['wait', 'reject', 'managers'] as const)(
  '[R251] an application that nobody decides by its deadline: %s',
  async (atDeadline) => {
    const at = await openWorld({ elected: false })
    const admin = await at.admin()
    const [anna, ben, cleo] = [await at.person('anna'), await at.person('ben'), await at.person('cleo')]
    const folderId = await anna.folder(anna.library, '合同')
    const fileId = await anna.upload(folderId, '合同.txt')
    await anna.shares({ folderId }, [
      { to: ben, rights: preview },
      { to: cleo, rights: preview },
    ])
    const rounds = [{ by: 'people', ids: [cleo.userId], needs: 'one', fromLevel: 0 }]
    await rule(admin, folderId, { rounds, hours: 2, atDeadline })
    const { applicationId } = await apply(ben, fileId)
    const stateOf = async () => (await ben.call('getApplyDetail', { applicationId })).nodeState
    const pass = async (time: number) => {
      while ((await remindDue(at.app.services, time)) > 0);
    }
    await pass(Date.now() + hour)
    expect(await stateOf()).toBe(ApplyState.pending)
    expect((await anna.wire('applyApprove', { applicationId })).code).not.toBe('success')
    await pass(Date.now() + 2 * hour + 1)
    expect(await stateOf()).toBe(atDeadline === 'reject' ? ApplyState.rejected : ApplyState.pending)
    expect((await ben.download(fileId)).statusCode).toBe(403)
    // The owner of the library is asked besides, and decides; otherwise nobody but the reviewer does.
    const decided = await anna.wire('applyApprove', { applicationId })
    expect(decided.code === 'success').toBe(atDeadline === 'managers')
    if (atDeadline === 'wait') await cleo.call('applyApprove', { applicationId })
    expect((await ben.download(fileId)).statusCode).toBe(atDeadline === 'reject' ? 403 : 200)
  },
)
