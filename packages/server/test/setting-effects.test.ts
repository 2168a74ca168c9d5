// Settings that no other test changes: what each of them changes. docs/settings.md lists the tests of all settings.
import { randomUUID } from 'node:crypto'
import { administered, type SettingName } from '@cloudoc/contract'
import { defaultFormats } from '@cloudoc/domain'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { emptyBins, thin } from '../src/drive/libraries/retention.ts'
import { measureServer } from '../src/drive/quotas/index.ts'
import { talkMessages } from '../src/talk/messages/feature.ts'
import { preview } from '../src/viewing/preview/feature.ts'
import { openWorld, type Person, password, type World } from './harness.ts'
import { contract, lastSignToken } from './signing.ts'

const dayMs = 24 * 60 * 60_000
const start = Date.UTC(2026, 10, 2, 8)
let now = start
let world: World
let admin: Person
let anna: Person
let ben: Person
beforeAll(async () => {
  world = await openWorld({ elected: false, now: () => now })
  admin = await world.admin()
  anna = await world.person('anna')
  ben = await world.person('ben')
})
afterEach(() => {
  now = start
})

async function set(settings: Partial<Record<SettingName, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    const { power } = administered[name as SettingName]
    await admin.call(power === 'system' ? 'setServerSetting' : 'setSafeStrategy', { [name]: value })
  }
}

/** Does something after some days, in which nobody's session ends. */
async function after<T>(days: number, does: () => Promise<T>): Promise<T> {
  now = start + days * dayMs
  const done = await does()
  now = start
  return done
}

/** Runs a chore of a feature once. */
async function runChore({ open }: typeof talkMessages | typeof preview, name: string): Promise<void> {
  const chore = open?.(world.app.services).chores?.find((one) => one.name === name)
  if (chore === undefined) throw new Error(`no chore ${name}`)
  await chore.run(AbortSignal.timeout(60_000))
}

/** What the overview tells an administrator to look at. */
const attention = async () => (await admin.call('getOverview', {})).attention.map(({ what }) => what)

test('captcha_always asks for a captcha at the first sign-in', async () => {
  await set({ captcha_always: true })
  const wire = await world.wire('login3', { userName: 'ben', password: 'Wrong#2026', clientType: 1 })
  expect(wire.code).toBe('wrongVerificationCode')
  await set({ captcha_always: false })
})

test('captcha_after is after how many wrong passwords a captcha is asked for', async () => {
  const wrong = () => world.wire('login3', { userName: 'anna', password: 'Wrong#2026', clientType: 1 })
  await set({ captcha_after: 2, lock_after: 9 })
  const first = [(await wrong()).code, (await wrong()).code]
  expect(first).not.toContain('wrongVerificationCode')
  expect((await wrong()).code).toBe('wrongVerificationCode')
  await set({ captcha_after: 3 })
  expect((await wrong()).code).not.toBe('wrongVerificationCode')
})

test('pwdLength is how long a new password must be', async () => {
  const dora = await world.person('dora')
  const change = () => dora.wire('modifyPwd2', { oldPassword: password, newPassword: 'Twelve#20261' })
  await set({ pwdLength: 14 })
  expect((await change()).code).toBe('passwordRequirements')
  await set({ pwdLength: 8 })
  expect((await change()).code).toBe('success')
})

test('session_days ends a session that is in use', async () => {
  const used = await world.signIn('ben', 7)
  await set({ session_days: 1, session_idle_hours: 720 })
  const short = await world.signIn('ben', 9)
  now = start + 2 * dayMs
  expect((await short.wire('getUserPermissionInfo', {})).code).toBe('notLoggedIn')
  expect(used.token).not.toBe(short.token)
  now = start
  await set({ session_days: 30 })
})

test('visitor_days is the longest life of a visitor password', async () => {
  await set({ visitor_mode: true, visitor_days: 3 })
  expect(await ben.refusal('resetNetDiskPwd', { newPassword: 'Visit#2026', days: 4 })).toBe('badRequest')
  expect(await ben.call('resetNetDiskPwd', { newPassword: 'Visit#2026' })).toEqual({ until: start + 3 * dayMs })
})

test('token_days is the longest life of a token', async () => {
  await set({ personal_tokens: true, token_days: 5 })
  const input = { kind: 'personal' as const, name: 'x', password: 'x' }
  expect(await ben.refusal('createMyProgram', { ...input, days: 6 })).toBe('badRequest')
  expect(await ben.call('createMyProgram', { ...input, days: 5 })).toMatchObject({ expireTime: start + 5 * dayMs })
})

test('login_by_qr hands out codes to sign in with', async () => {
  await set({ login_by_qr: false })
  expect((await world.wire('applyCode', { clientType: 1 })).code).toBe('noPermission')
  await set({ login_by_qr: true })
  expect((await world.wire('applyCode', { clientType: 1 })).code).toBe('success')
})

test('im_groups_by_all lets people make groups', async () => {
  const group = { name: '组', userIdArray: [ben.userId] }
  await set({ im_groups_by_all: false })
  expect(await anna.refusal('imCreateGroup', group)).toBe('noPermission')
  await set({ im_groups_by_all: true })
  await anna.call('imCreateGroup', group)
})

test('im_recall_minutes is how long a message can be taken back', async () => {
  await set({ im_recall_minutes: 2 })
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  const send = () => anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'text', value: '你好' })
  const [one, two] = [await send(), await send()]
  now = start + 60_000
  await anna.call('imRecall', { conversationId, number: one.number })
  now = start + 3 * 60_000
  expect(await anna.refusal('imRecall', { conversationId, number: two.number })).toBe('noPermission')
})

test('recycle_days empties the bins', async () => {
  const fileId = await anna.upload(anna.library, 'gone.txt')
  await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
  const isGone = async () =>
    (await world.app.db.selectFrom('item').select('purged').where('id', '=', fileId).executeTakeFirst())?.purged
  await set({ recycle_days: 5 })
  await emptyBins(world.app.services, start + 3 * dayMs)
  expect(await isGone()).toBe(false)
  await set({ recycle_days: 2 })
  await emptyBins(world.app.services, start + 3 * dayMs)
  expect(await isGone()).toBe(true)
})

test('version_days removes versions that are older', async () => {
  const fileId = await anna.upload(anna.library, 'old.txt', '1')
  await anna.upload(anna.library, 'old.txt', '2', { conflict: 'version' })
  const left = async () => {
    await after(3, () => thin(world.app.services))
    return (await anna.call('getVersionList', { fileId, from: 0, rows: 9 })).list.map(({ version }) => version)
  }
  await set({ version_days: 5 })
  expect(await left()).toEqual([2, 1])
  await set({ version_days: 2 })
  expect(await left()).toEqual([2])
  await set({ version_days: 0 })
})

test('server_space_percent and log_space_percent say from when on space is low', async () => {
  const { db, settings } = world.app.services
  const measure = () =>
    measureServer({ db, settings, blobs: { disk: () => Promise.resolve({ free: 150, size: 1000 }) } }, now)
  await sql`insert into audit_archive select 1, 1, 1, 0, 0, min(id), 95, 1, 0 from blob`.execute(db)
  await set({ log_archive_space: 100, server_space_percent: 90, log_space_percent: 4 })
  await measure()
  expect(await attention()).not.toContain('diskFull')
  expect(await attention()).not.toContain('logFull')
  await set({ server_space_percent: 80, log_space_percent: 6 })
  await measure()
  expect(await attention()).toEqual(expect.arrayContaining(['diskFull', 'logFull']))
})

test('personal_space_percent says from when on somebody’s space is nearly full', async () => {
  const { db } = world.app
  await admin.call('modifyAccount', { userId: ben.userId, quota: 100 })
  const used = sql`insert into usage_total (library_id, account_id, bytes) values (${ben.library}, ${ben.userId}, 70)`
  await used.execute(db)
  await set({ personal_space_percent: 80 })
  expect(await attention()).not.toContain('nearlyFull')
  await set({ personal_space_percent: 60 })
  expect(await attention()).toContain('nearlyFull')
  expect((await admin.call('getStorageOf', { by: 'low' })).list).toMatchObject([{ name: 'ben' }])
  await admin.call('modifyAccount', { userId: ben.userId, quota: null })
})

test('im_user_days and im_group_days remove messages of their kind of conversation', async () => {
  const { conversationId: direct } = await anna.call('imOpenChat', { userId: ben.userId })
  const { conversationId: group } = await anna.call('imCreateGroup', { name: '期限', userIdArray: [ben.userId] })
  for (const conversationId of [direct, group])
    await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'text', value: '会过期' })
  const left = async () => {
    await after(3, () => runChore(talkMessages, 'messages whose time is over'))
    const { rows } = await sql<{ id: number }>`
      select distinct conversation_id as id from talk_message where value = '会过期'`.execute(world.app.db)
    return rows.map(({ id }) => id).toSorted((a, b) => a - b)
  }
  await set({ im_user_days: 0, im_group_days: 5 })
  expect(await left()).toEqual([direct, group])
  await set({ im_user_days: 2 })
  expect(await left()).toEqual([group])
  await set({ im_user_days: 0, im_group_days: 2 })
  expect(await left()).toEqual([])
  await set({ im_group_days: 0 })
})

test('im_sealed_days is how long a recalled message stays sealed', async () => {
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  const message = { conversationId, uuid: randomUUID(), type: 'text' as const, value: '撤回的' }
  const { number } = await anna.call('imSend', message)
  await anna.call('imRecall', { conversationId, number })
  const isSealed = async () => {
    await after(3, () => runChore(talkMessages, 'sealed contents of recalled messages'))
    const { rows } = await sql`
      select 1 from talk_message where conversation_id = ${conversationId} and sealed is not null`.execute(world.app.db)
    return rows.length > 0
  }
  await set({ im_sealed_days: 5 })
  expect(await isSealed()).toBe(true)
  await set({ im_sealed_days: 2 })
  expect(await isSealed()).toBe(false)
})

test('the lists of formats say what is shown, and by what', async () => {
  const names = ['seen.png', 'seen.csv', 'seen.webm', 'seen.docx']
  const files = await Promise.all(names.map((name) => anna.upload(anna.library, name)))
  const forms = () =>
    Promise.all(
      files.map(async (fileId) => {
        const { code, data } = await anna.wire('getDocumentPreviewURL', { fileId })
        return code === 'success' ? (data as { form: string }).form : code
      }),
    )
  await set({ preview: 1, preview_context: '/office/view' })
  expect(await forms()).toEqual(['original', 'rendition', 'original', 'office'])
  await set({ preview_office: [] })
  expect(await forms()).toEqual(['original', 'rendition', 'original', 'rendition'])
  const refused = 'conversionUnsupported'
  await set({ preview_image: [] })
  expect(await forms()).toEqual([refused, 'rendition', 'original', 'rendition'])
  await set({ preview_server: [] })
  expect(await forms()).toEqual([refused, refused, 'original', refused])
  await set({ preview_video: [] })
  expect(await forms()).toEqual([refused, refused, refused, refused])
  const { image, yqServer, video, officeServer } = defaultFormats
  const lists = { preview_image: image, preview_server: yqServer, preview_video: video, preview_office: officeServer }
  await set({ ...lists, preview: 0, preview_context: '' })
})

test('preview_space is the room for renditions', async () => {
  const { db } = world.app
  const fileId = await anna.upload(anna.library, 'room.txt')
  await sql`insert into rendition (blob_id, form, kind, readers, problem, size, used_at)
    select blob_id, 'view', 'room', 1, 'conversionFailed', 2000, 1 from version where item_id = ${fileId}`.execute(db)
  const isKept = async () => {
    await runChore(preview, 'renditions that are too many')
    return (await sql`select 1 from rendition where kind = 'room'`.execute(db)).rows.length > 0
  }
  await set({ preview_space: 0 })
  expect(await isKept()).toBe(true)
  await set({ preview_space: 1000 })
  expect(await isKept()).toBe(false)
})

test('secret_names names the level of a file', async () => {
  const cleo = await world.person('cleo', { secretLevel: 1 })
  const fileId = await cleo.upload(cleo.library, 'level.txt')
  await set({ secret_manage: true, secret_names: ['内部', '秘密'] })
  await cleo.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: 1 })
  expect(await cleo.call('getFileInfo', { fileId })).toMatchObject({ secretName: '内部' })
  await set({ secret_names: ['商密', '核心商密'] })
  expect(await cleo.call('getFileInfo', { fileId })).toMatchObject({ secretName: '商密' })
})

test('signing lets files be sent to be signed, and sign_mail_days is how long the link of a mail is valid', async () => {
  await admin.call('createSignAuthority', { name: '青云科技' })
  await set({ mail_host: '127.0.0.1', mail_port: 9, mail_sender: 'drive@example.com' })
  const state = async (mail: string, days: number) => {
    const fileId = await anna.upload(anna.library, `${mail}.pdf`, await contract(1, mail))
    const signer = { outside: { name: '周敏', mail } }
    const launch = { fileId, title: mail, archiveFolderId: anna.library, singerList: [signer] }
    await set({ signing: false, sign_mail_days: days })
    expect(await anna.refusal('launchSign', launch)).toBe('noPermission')
    await set({ signing: true })
    await anna.call('launchSign', launch)
    const signToken = await lastSignToken(anna, mail)
    return (await after(3, () => world.wire('getSignInvitation', { signToken }))).code
  }
  expect(await state('long@dongjiang.example', 5)).toBe('success')
  expect(await state('short@dongjiang.example', 2)).toBe('notFound')
})

test('best_server is told to programs, also in the list of servers, for the next time that they connect', async () => {
  const told = async () => [
    await ben.call('getServerSetting', { code: 'best_server' }),
    (await ben.call('getServerList', {})).list[0]?.bestServer,
  ]
  expect(await told()).toEqual(['""', ''])
  const best_server = 'doc.huaxin.example|443||8016'
  await set({ best_server })
  expect(await told()).toEqual([JSON.stringify(best_server), best_server])
})

test('online_edit lets files be edited in the page', async () => {
  const fileId = await anna.upload(anna.library, 'edited.txt')
  await set({ online_edit: false })
  expect(await anna.refusal('fileEditLock', { fileId })).toBe('noPermission')
  await set({ online_edit: true })
  expect(await anna.call('fileEditLock', { fileId })).toMatchObject({ editorId: anna.userId })
})

test('export_sub_file lets owners export the list of what is in a folder', async () => {
  const folderId = await anna.folder(anna.library, '导出')
  const exported = async () => {
    const url = `/services2/file/query/exportFolder2/${folderId}`
    const answer = await world.app.http.inject({ url, headers: { authorization: `Bearer ${anna.token}` } })
    return answer.headers['content-disposition'] !== undefined
  }
  await set({ export_sub_file: false })
  expect(await exported()).toBe(false)
  await set({ export_sub_file: true })
  expect(await exported()).toBe(true)
})

test('email lets people use their mailboxes', async () => {
  const box = { account: 'anna@example.com', mailProtocol: 'imap' as const, imapAddress: '127.0.0.1', fetch: false }
  const { boxId } = await anna.call('createMailbox', { ...box, password })
  await set({ email: false })
  expect(await anna.refusal('getMailbox', { boxId })).toBe('noPermission')
  await set({ email: true })
  expect(await anna.call('getMailbox', { boxId })).toMatchObject({ account: box.account })
})
