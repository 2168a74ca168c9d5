// What a process keeps: its contents as long as it runs and some time after, its course for ever; and what reminds people
// of signatures that wait.
import { signLimits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, password, type World } from '../../../test/harness.ts'
import { readMail, startMailServer } from '../../../test/mail-server.ts'
import { contract } from '../../../test/signing.ts'
import { sendDigests } from '../../people/digest/index.ts'
import { removeContents, signing } from './feature.ts'

const dayMs = 24 * 60 * 60_000
let world: World
let admin: Person
let ahead = 0

beforeAll(async () => {
  world = await openWorld({ now: () => Date.now() + ahead })
  admin = await world.admin()
  await admin.call('createSignAuthority', { name: '青云科技' })
})

async function launched(launcher: Person, signer: Person, title: string): Promise<number> {
  const folderId = await launcher.folder(launcher.library, title)
  const fileId = await launcher.upload(folderId, '合同.pdf', await contract(1, title))
  const { activityId } = await launcher.call('launchSign', {
    ...{ fileId, archiveFolderId: folderId, title, order: true },
    singerList: [{ userId: signer.userId }],
  })
  return activityId
}

const contentsOf = async (activityId: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from sign_revision r join blob b on b.id = r.blob_id
    where r.activity_id = ${activityId}`.execute(world.app.db)
  return rows[0]?.n ?? 0
}

// [R275] The contents of a process that runs are never removed; those of one that is over are, long after its end. The
// archived file and the course stay.
test('[R275] contents are held as long as the process runs, and not for ever after', async () => {
  const [anna, ben] = [await world.person('keep-a'), await world.person('keep-b')]
  const running = await launched(anna, ben, '进行中')
  const archived = await launched(anna, ben, '已归档')
  const refused = await launched(anna, ben, '已拒签')
  await ben.call('sign', { activityId: archived, revision: 0, password })
  await ben.call('rejectSign', { activityId: refused, comments: '不' })
  await expect.poll(async () => (await anna.call('getSignDetail', { activityId: archived })).state).toBe('archived')
  await removeContents(world.app.db, Date.now() + (signLimits.contentDays - 1) * dayMs)
  expect([await contentsOf(running), await contentsOf(archived), await contentsOf(refused)]).toEqual([1, 2, 1])
  await removeContents(world.app.db, Date.now() + (signLimits.contentDays + 1) * dayMs)
  expect([await contentsOf(running), await contentsOf(archived), await contentsOf(refused)]).toEqual([1, 0, 0])
  const detail = await anna.call('getSignDetail', { activityId: archived })
  expect(detail).toMatchObject({ state: 'archived', size: 0 })
  expect(detail.timeline.map(({ what }) => what)).toContain('signed')
  expect(await anna.refusal('checkSign', { activityId: archived })).toBe('versionMissing')
  const { list } = await anna.call('checkFileSign', { fileId: detail.archivedFileId })
  expect(list).toMatchObject([{ isIntact: true, isTrusted: true }])
  const broken = await Promise.all((signing.checks ?? []).map(({ broken: rows }) => sql`${rows}`.execute(world.app.db)))
  expect(broken.flatMap(({ rows }) => rows)).toEqual([])
  // The running one is signed afterwards.
  await ben.call('sign', { activityId: running, revision: 0, password })
})

// [R335] The mail of what somebody has not seen names the signatures that wait for them, with the way to sign.
test('[R335] the digest mail names a signature that waits, and none that was given', async () => {
  const server = await startMailServer()
  await admin.call('setServerSetting', {
    ...{ mail_host: '127.0.0.1', mail_port: server.port, mail_security: 'plain', mail_account: '' },
    mail_sender: 'drive@example.com',
  })
  const [anna, ben] = [await world.person('dig-a'), await world.person('dig-b')]
  await ben.call('modifyUserInfo', { email: 'dig-b@example.com' })
  await ben.call('setDigest', { every: 'hourly' })
  const done = await launched(anna, ben, '已签合同')
  await launched(anna, ben, '待签合同')
  await ben.call('sign', { activityId: done, revision: 0, password })
  await world.app.settle()
  ahead = 2 * 60 * 60_000
  while (await sendDigests(world.app.services, Date.now() + ahead));
  const text = readMail((await server.next(({ to }) => to.includes('dig-b@example.com'))).source)
  expect(text).toContain('待签合同')
  expect(text).toContain('/doc/folder/cooperate/sign-review?activityId=')
  expect(text).not.toContain('已签合同')
})
