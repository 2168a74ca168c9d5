// Mailboxes against a real IMAP and POP3 server: fetching, flags, moving, sending, filing ([R289]-[R291]).
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codes, newSensitiveRule } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { openWorld, sharedWorld } from '../../test/harness.ts'
import { startMailServer, startWrongServer } from '../../test/mail-server.ts'
import { type Dovecot, mailText, startDovecot } from '../../test/mails.ts'
import { Pauses } from '../../test/pauses.ts'
import { textOfRendition, unpacked } from '../../test/renditions.ts'

const world = sharedWorld()

/** A server that takes mail from whoever signs in with the password. */
const startSmtp = () =>
  startMailServer({
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    onAuth({ username = '', password = '' }, _session, done) {
      if (password === 'secret') done(null, { user: username })
      else done(Object.assign(new Error('wrong'), { responseCode: 535 }))
    },
  })

async function allowLocal(): Promise<void> {
  await (await world.admin()).call('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
}

const boxAt = (dovecot: Dovecot, user: string, smtpPort = 1) => ({
  account: `${user}@example.com`,
  loginName: user,
  mailProtocol: 'imap' as const,
  imapAddress: '127.0.0.1',
  imapPort: dovecot.imapPort,
  popAddress: '127.0.0.1',
  popPort: dovecot.popPort,
  smtpAddress: '127.0.0.1',
  smtpPort,
  ssl: false,
})

/** Fetches a mailbox and waits until that has ended. */
async function fetched(person: Person, boxId: number): Promise<void> {
  await person.call('fetchMail', { boxId })
  await expect
    .poll(async () => (await person.call('getMailbox', { boxId })).isFetching, { timeout: 120_000 })
    .toBe(false)
}

// [R289] A mailbox is created, read, checked, changed and deleted with the documented fields, and its password is shown to
// nobody.
test('[R289] a mailbox is set up, checked step by step, changed and removed', async () => {
  await allowLocal()
  const dovecot = await startDovecot(['anna'])
  const smtp = await startSmtp()
  const anna = await world.person('anna')
  const ben = await world.person('ben')
  const entered = boxAt(dovecot, 'anna', smtp.port)
  const wrong = await anna.call('checkMailbox', { ...entered, password: 'wrong' })
  expect(wrong.passed).toBe(false)
  expect(wrong.steps.map(({ step, state }) => [step, state])).toEqual([
    ['receive', 'passed'],
    ['signIn', 'failed'],
    ['send', 'passed'],
    ['sendSignIn', 'failed'],
  ])
  expect(wrong.steps[1]).toMatchObject({ field: 'password' })
  expect(await anna.call('checkMailbox', { ...entered, password: 'secret' })).toMatchObject({ passed: true })
  const { boxId } = await anna.call('createMailbox', { ...entered, password: 'secret', fetch: false })
  expect(await anna.refusal('createMailbox', { ...entered, password: 'secret' })).toBe('alreadyExists')
  const box = await anna.call('getMailbox', { boxId })
  expect(box).toMatchObject({ ...entered, boxId, fetch: false, isDefault: true, state: 'new' })
  expect(JSON.stringify(box)).not.toContain('secret')
  // The stored password is used for the servers that it was entered for, and for no others.
  expect(await anna.call('checkMailbox', { ...entered, boxId })).toMatchObject({ passed: true })
  expect(await anna.refusal('checkMailbox', { ...entered, boxId, imapAddress: 'elsewhere.invalid' })).toBe('badRequest')
  expect(await anna.refusal('updateMailbox', { ...entered, boxId, imapAddress: 'elsewhere.invalid' })).toBe(
    'badRequest',
  )
  for (const call of ['getMailbox', 'deleteMailbox', 'fetchMail', 'getMailFolders'] as const)
    expect(await ben.refusal(call, { boxId })).toBe('notFound')
  expect(await ben.refusal('checkMailbox', { ...entered, boxId })).toBe('notFound')
  const stored = await world.app.db.selectFrom('mailbox').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain('secret')
  await anna.call('deleteMailbox', { boxId })
  expect(await anna.refusal('getMailbox', { boxId })).toBe('notFound')
})

test('settings of a mailbox do not reach the services of this machine', async () => {
  const admin = await world.admin()
  await admin.call('setServerSetting', { mailbox_local_hosts: [] })
  const eve = await world.person('eve')
  for (const imapAddress of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '169.254.169.254']) {
    const { steps } = await eve.call('checkMailbox', {
      ...{ account: 'eve@example.com', mailProtocol: 'imap', imapAddress, password: 'x', imapPort: 22, ssl: false },
    })
    expect(steps[0]).toMatchObject({ state: 'failed', problem: '不允许连接这个地址，请联系管理员' })
  }
  await allowLocal()
  // Nor are the banners of other services shown.
  const port = await startWrongServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.6 inner\r\n'))
  for (const mailProtocol of ['imap', 'pop3'] as const) {
    const { steps } = await eve.call('checkMailbox', {
      ...{ account: 'eve@example.com', mailProtocol, password: 'x', ssl: false },
      ...{ imapAddress: '127.0.0.1', imapPort: port, popAddress: '127.0.0.1', popPort: port },
    })
    expect(steps[0]).toMatchObject({ state: 'failed' })
    expect(JSON.stringify(steps)).not.toMatch(/SSH|inner/)
  }
})

// [R290] Mails arrive from the mail server, are listed by period, read, flagged and
// moved there and here.
// [R291] A new mail is pushed with mailId, mailTime, senderName and mailTitle.
// [R324] A new mail is a notice in the group of e-mail.
test('[R290] [R291] [R324] mail is fetched once, listed by period, flagged and moved on both sides', async () => {
  await allowLocal()
  const dovecot = await startDovecot(['carl'])
  const carl = await world.person('carl')
  await dovecot.deliver('carl', mailText('旧邮件', 'old '.repeat(1000)))
  const { boxId } = await carl.call('createMailbox', { ...boxAt(dovecot, 'carl'), password: 'secret', fetch: false })
  await fetched(carl, boxId)
  const box = await carl.call('getMailbox', { boxId })
  expect(box).toMatchObject({ state: 'ok', unread: 1, problem: '', spaceTotal: 10 * 1024 * 1024 })
  expect(box.spaceUsed).toBeGreaterThan(4000)
  // Mail that was there before is no news.
  const notices = async () =>
    (await carl.call('getNotices', {})).groups
      .filter(({ group }) => group === 'email')
      .flatMap(({ list }) => list.map(({ message }) => JSON.parse(message) as { mailId: number; mailTitle: string }))
  expect(await notices()).toEqual([])
  await dovecot.deliver('carl', mailText('Q4 回款计划', '预测表已更新'))
  await fetched(carl, boxId)
  await fetched(carl, boxId)
  const { list } = await carl.call('getMailList', { role: 'inbox' })
  expect(list.map(({ mailTitle }) => mailTitle)).toEqual(['Q4 回款计划', '旧邮件'])
  const [news] = list
  expect(news).toMatchObject({ senderName: '钱磊', senderAddress: 'qianlei@partner.example', isRead: false })
  await expect.poll(notices).toMatchObject([{ mailId: news?.mailId, senderName: '钱磊', mailTitle: 'Q4 回款计划' }])
  const mailId = news?.mailId ?? 0
  const detail = await carl.call('getMailDetail', { mailId })
  expect(detail).toMatchObject({ problem: '', isOutside: true })
  expect(detail.text).toContain('预测表已更新')
  // By period and by words.
  const titles = async (input: object) => (await carl.call('getMailList', input)).list.map(({ mailTitle }) => mailTitle)
  const time = news?.mailTime ?? 0
  expect(await titles({ beginTime: time + 1 })).toEqual([])
  expect(await titles({ endTime: time + 1 })).toHaveLength(2)
  expect(await titles({ keyword: '回款' })).toEqual(['Q4 回款计划'])
  expect(await titles({ keyword: 'partner qianlei' })).toHaveLength(2)
  expect(await titles({ keyword: '预测表' })).toEqual(['Q4 回款计划'])
  expect(await titles({ keyword: '没有' })).toEqual([])
  // Flags and moves arrive at the server.
  await carl.call('markMails', { mailIdArray: [mailId], isRead: true, isStarred: true })
  await carl.call('moveMails', { mailIdArray: [mailId], role: 'archive' })
  await fetched(carl, boxId)
  const archive = join(dovecot.mailOf('carl'), '.Archive', 'cur')
  await expect
    .poll(async () => (await readdir(archive).catch(() => [])).map((name) => name.split(':2,')[1]))
    .toEqual(['FS'])
  await fetched(carl, boxId)
  const archived = (await carl.call('getMailList', { role: 'archive' })).list
  expect(archived).toMatchObject([{ mailId, isRead: true, isStarred: true }])
  expect(await titles({ role: 'inbox' })).toEqual(['旧邮件'])
  await carl.call('deleteMails', { mailIdArray: [mailId] })
  await fetched(carl, boxId)
  expect(await readdir(archive)).toEqual([])
})

test('mails that are moved on, moved back or deleted before the server was told are there as they are here', async () => {
  await allowLocal()
  const dovecot = await startDovecot(['mona'])
  for (const subject of ['去而复返', '一去再去', '去了又删']) await dovecot.deliver('mona', mailText(subject, '正文'))
  const mona = await world.person('mona')
  const { boxId } = await mona.call('createMailbox', { ...boxAt(dovecot, 'mona'), password: 'secret' })
  await fetched(mona, boxId)
  const { list } = await mona.call('getMailList', { role: 'inbox' })
  const idOf = (title: string): number => list.find(({ mailTitle }) => mailTitle === title)?.mailId ?? 0
  const move = (title: string, role: 'inbox' | 'archive') =>
    mona.call('moveMails', { mailIdArray: [idOf(title)], role })
  const inbox = join(dovecot.mailOf('mona'), 'cur')
  const archive = join(dovecot.mailOf('mona'), '.Archive', 'cur')
  const there = async (folder: string) => (await readdir(folder).catch(() => [])).length
  // The folder of the server is made by the first of these moves.
  await Promise.all([move('去而复返', 'archive'), move('一去再去', 'archive'), move('去了又删', 'archive')])
  await move('去而复返', 'inbox')
  await move('一去再去', 'inbox')
  await move('一去再去', 'archive')
  await mona.call('markMails', { mailIdArray: [idOf('一去再去')], isRead: true })
  await mona.call('deleteMails', { mailIdArray: [idOf('去了又删')] })
  await fetched(mona, boxId)
  await fetched(mona, boxId)
  await expect.poll(() => there(inbox), { timeout: 120_000 }).toBe(1)
  await expect.poll(() => there(archive), { timeout: 120_000 }).toBe(1)
  await fetched(mona, boxId)
  const shown = async (role: 'inbox' | 'archive') =>
    (await mona.call('getMailList', { role })).list.map(({ mailId, mailTitle }) => [mailId, mailTitle])
  expect(await shown('inbox')).toEqual([[idOf('去而复返'), '去而复返']])
  expect(await shown('archive')).toEqual([[idOf('一去再去'), '一去再去']])
  expect((await readdir(archive))[0]).toMatch(/:2,S$/)
})

test('a wrong password pauses the mailbox after one sign-in, until its owner acts', async () => {
  await allowLocal()
  const dovecot = await startDovecot(['dora'])
  const dora = await world.person('dora')
  const { boxId } = await dora.call('createMailbox', { ...boxAt(dovecot, 'dora'), password: 'wrong' })
  await expect.poll(async () => (await dora.call('getMailbox', { boxId })).state, { timeout: 120_000 }).toBe('signIn')
  expect((await dora.call('getMailbox', { boxId })).problem).toContain('服务器不接受该账号或密码')
  await dora.call('updateMailbox', { ...boxAt(dovecot, 'dora'), boxId, password: 'secret' })
  await fetched(dora, boxId)
  expect(await dora.call('getMailbox', { boxId })).toMatchObject({ state: 'ok', problem: '' })
})

// [R289] Mail of a POP3 mailbox.
test('[R289] mail is fetched over POP3 byte for byte, each once', async () => {
  await allowLocal()
  const dovecot = await startDovecot(['pia'])
  const pia = await world.person('pia')
  const gbk = Buffer.concat([
    Buffer.from('From: a@partner.example\r\nSubject: '),
    Buffer.from('d6d0cec4d6f7cce2', 'hex'),
    Buffer.from('\r\nContent-Type: text/plain; charset=gb2312\r\n\r\n.'),
    Buffer.from('d6d0cec4', 'hex'),
    Buffer.from('\r\n'),
  ])
  await dovecot.deliver('pia', gbk)
  await dovecot.deliver('pia', mailText('第二封', '正文', { Date: 'Fri, 20 Nov 2020 10:21:00 +0800' }))
  const { boxId } = await pia.call('createMailbox', {
    ...boxAt(dovecot, 'pia'),
    ...{ mailProtocol: 'pop3', password: 'secret', fetch: false },
  })
  await fetched(pia, boxId)
  await fetched(pia, boxId)
  const { list } = await pia.call('getMailList', { boxId })
  expect(list.map(({ mailTitle }) => mailTitle).toSorted()).toEqual(['中文主题', '第二封'])
  // What was in the box before has its own date.
  const second = list.find(({ mailTitle }) => mailTitle === '第二封')
  expect(second?.mailTime).toBe(Date.UTC(2020, 10, 20, 2, 21))
  const mail = list.find(({ mailTitle }) => mailTitle === '中文主题')
  const detail = await pia.call('getMailDetail', { mailId: mail?.mailId ?? 0 })
  expect(detail.text.trim()).toBe('.中文')
  await pia.call('deleteMails', { mailIdArray: [mail?.mailId ?? 0] })
  await fetched(pia, boxId)
  expect(await readdir(join(dovecot.mailOf('pia'), 'cur'))).toHaveLength(1)
})

// [R290] A written mail leaves by the server of its mailbox.
// [R159] A file is sent by mail with the e-mail feature, the download right and nothing sensitive found.
test('[R290] [R159] a mail with a file of the drive leaves by the mailbox, once, and its copy is filed', async () => {
  await allowLocal()
  const dovecot = await startDovecot(['fay'])
  const smtp = await startSmtp()
  const fay = await world.person('fay')
  const gus = await world.person('gus')
  const { boxId } = await fay.call('createMailbox', {
    ...boxAt(dovecot, 'fay', smtp.port),
    ...{ password: 'secret', senderName: '费伊', fetch: false },
  })
  const fileId = await fay.upload(fay.library, '合同.txt', '合同正文')
  const foreign = await gus.upload(gus.library, '私.txt')
  const draft = await fay.call('createMailDraft', { boxId, subject: '合同' })
  const { outgoingId } = draft
  expect(await gus.refusal('getOutgoingMail', { outgoingId })).toBe('notFound')
  expect(await fay.refusal('attachFilesToMail', { outgoingId, fileIdArray: [foreign] })).toBe('notFound')
  const attached = await fay.call('attachFilesToMail', { outgoingId, fileIdArray: [fileId] })
  const saved = await fay.call('saveMailDraft', {
    ...{ outgoingId, version: attached.version, boxId, subject: '合同请查收', text: '你好', html: '<p>你好</p>' },
    to: [{ name: '钱磊', address: 'qianlei@partner.example' }],
    bcc: [{ address: 'secret@example.com' }],
  })
  expect(await fay.refusal('saveMailDraft', { outgoingId, version: attached.version, boxId, subject: '旧' })).toBe(
    'fileConflict',
  )
  expect(await fay.refusal('sendMail', { outgoingId, version: attached.version })).toBe('fileConflict')
  // Mail leaves from the mailbox or its aliases, and from no other address.
  const more = { ...boxAt(dovecot, 'fay', smtp.port), senderName: '费伊', fetch: false }
  await fay.call('updateMailbox', { ...more, boxId, aliases: ['Sales@example.com'] })
  const content = { subject: '合同请查收', text: '你好', to: [{ address: 'qianlei@partner.example' }] }
  const other = { outgoingId, version: saved.version, boxId, ...content }
  expect(await fay.refusal('saveMailDraft', { ...other, fromAddress: 'boss@example.com' })).toBe('badRequest')
  expect(await fay.refusal('createMailDraft', { boxId, fromAddress: 'boss@example.com' })).toBe('badRequest')
  const { outgoingId: second } = await fay.call('createMailDraft', {
    boxId,
    ...content,
    fromAddress: 'sales@example.com',
  })
  await fay.call('sendMail', { outgoingId: second, version: 1 })
  await world.app.db.updateTable('outgoing_mail').set({ send_at: 0 }).where('id', '=', second).execute()
  const fromAlias = await smtp.next(({ from }) => from === 'sales@example.com')
  expect(fromAlias.source).toMatch(/^From: .*<sales@example\.com>/m)
  expect(await fay.call('getOutgoingMail', { outgoingId: second })).toMatchObject({ account: 'sales@example.com' })
  await fay.call('updateMailbox', { ...more, boxId, aliases: [] })
  await fay.call('sendMail', { outgoingId, version: saved.version })
  // Taken back within the undo time, it is a draft again.
  const { version } = await fay.call('takeMailBack', { outgoingId })
  expect(await fay.refusal('takeMailBack', { outgoingId })).toBe('duplicateOperation')
  await fay.call('sendMail', { outgoingId, version })
  await world.app.db.updateTable('outgoing_mail').set({ send_at: 0 }).where('id', '=', outgoingId).execute()
  const arrived = await smtp.next(({ to }) => to.includes('secret@example.com'))
  expect(arrived).toMatchObject({ from: 'fay@example.com', to: ['qianlei@partner.example', 'secret@example.com'] })
  expect(arrived.source).not.toContain('secret@example.com')
  expect(arrived.source).toContain(Buffer.from('合同正文').toString('base64'))
  await expect
    .poll(async () => (await fay.call('getOutgoingMail', { outgoingId })).state, { timeout: 120_000 })
    .toBe('filed')
  await expect.poll(async () => (await fay.call('getOutgoingMail', { outgoingId: second })).state).toBe('filed')
  expect(smtp.mails).toHaveLength(2)
  const sent = await readdir(join(dovecot.mailOf('fay'), '.Sent', 'cur'))
  expect(sent).toHaveLength(2)
  expect(await fay.refusal('sendMail', { outgoingId, version: version + 1 })).toBe('duplicateOperation')
  await fetched(fay, boxId)
  await expect
    .poll(async () => (await fay.call('getMailList', { role: 'sent' })).list.length, { timeout: 120_000 })
    .toBe(2)
  const { list } = await fay.call('getMailContacts', { keyword: '钱' })
  expect(list).toEqual([{ name: '钱磊', address: 'qianlei@partner.example', isColleague: false }])
})

test('[R290] mail that arrives in a folder after a fetch was there is here when that fetch, asked again, has ended', async () => {
  const pauses = new Pauses()
  const own = await openWorld({ pause: pauses.at })
  await (await own.admin()).call('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
  const dovecot = await startDovecot(['vera'])
  await dovecot.deliver('vera', mailText('先到'))
  const vera = await own.person('vera')
  const stop = pauses.hold('mails fetched')
  const { boxId } = await vera.call('createMailbox', { ...boxAt(dovecot, 'vera'), password: 'secret', fetch: false })
  await vera.call('fetchMail', { boxId })
  await stop.reached
  await dovecot.deliver('vera', mailText('后到'))
  await vera.call('fetchMail', { boxId })
  stop.release()
  await expect.poll(async () => (await vera.call('getMailbox', { boxId })).isFetching).toBe(false)
  const { list } = await vera.call('getMailList', { boxId })
  expect(list.map(({ mailTitle }) => mailTitle).toSorted()).toEqual(['先到', '后到'])
})

// [R256] A file in which something sensitive was found cannot be mailed (-68), not even if it was attached before.
test('[R256] [R159] a file with a hit is not attached, and a mail is not sent with one that was attached before', async () => {
  const own = await openWorld()
  const admin = await own.admin()
  await admin.call('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
  const dovecot = await startDovecot(['ida'])
  const smtp = await startSmtp()
  const ida = await own.person('ida')
  const { boxId } = await ida.call('createMailbox', {
    ...boxAt(dovecot, 'ida', smtp.port),
    ...{ password: 'secret', senderName: '依达', fetch: false },
  })
  const fileId = await ida.upload(ida.library, '底价.txt', '投标底价 12')
  const { outgoingId } = await ida.call('createMailDraft', { boxId, subject: '报价' })
  const { version } = await ida.call('attachFilesToMail', { outgoingId, fileIdArray: [fileId] })
  const saved = await ida.call('saveMailDraft', {
    ...{ outgoingId, version, boxId, subject: '报价', text: '你好', html: '<p>你好</p>' },
    to: [{ name: '钱磊', address: 'qianlei@partner.example' }],
  })
  await admin.call('saveSensitiveRule', {
    rule: { ...newSensitiveRule, name: '底价', words: ['投标底价'], action: 'audit' },
  })
  await admin.call('startSensitiveRecheck', {})
  const state = async () => (await ida.call('getFileInfo', { fileId })).sensitive
  await expect.poll(state, { timeout: 120_000 }).toBe(2)
  expect(await ida.refusal('sendMail', { outgoingId, version: saved.version })).toBe('sensitiveFile')
  const other = await ida.call('createMailDraft', { boxId, subject: '再试' })
  const attaching = { outgoingId: other.outgoingId, fileIdArray: [fileId] }
  expect(await ida.refusal('attachFilesToMail', attaching)).toBe('sensitiveFile')
  // A release lets it leave.
  const { list } = await admin.call('getSensitiveList', { side: 'review' })
  await admin.call('sensitiveApprove', { checkId: list[0]?.checkId ?? 0 })
  await ida.call('attachFilesToMail', attaching)
  await ida.call('sendMail', { outgoingId, version: saved.version })
  expect(smtp.mails).toEqual([])
})

// [R256] What is attached from the computer is looked at when it is attached and before the mail leaves.
test('[R256] a file from the computer in which a rule finds something is not attached, and no mail leaves with one', async () => {
  const own = await openWorld()
  const admin = await own.admin()
  await admin.call('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
  await admin.call('saveSensitiveRule', {
    rule: { ...newSensitiveRule, name: '底价', words: ['投标底价'], action: 'audit' },
  })
  const dovecot = await startDovecot(['jo'])
  const smtp = await startSmtp()
  const jo = await own.person('jo')
  const { boxId } = await jo.call('createMailbox', {
    ...boxAt(dovecot, 'jo', smtp.port),
    ...{ password: 'secret', senderName: '乔', fetch: false },
  })
  const { outgoingId, version } = await jo.call('createMailDraft', { boxId, subject: '报价' })
  const put = async (fileName: string, payload: string): Promise<{ result: number; data: { version: number } }> =>
    (
      await own.app.http.inject({
        method: 'PUT',
        url: `/services2/mail/outgoing/attach/${outgoingId}?${new URLSearchParams({ fileName }).toString()}`,
        headers: { authorization: `Bearer ${jo.token}`, 'content-type': 'application/octet-stream' },
        payload,
      })
    ).json()
  expect((await put('底价.txt', '投标底价 12')).result).toBe(codes.sensitiveFile.code)
  // The draft is as it was, also for the page that wrote it.
  expect(await jo.call('getOutgoingMail', { outgoingId })).toMatchObject({ version, attachments: [] })
  const attached = await put('说明.txt', '内部编号 7')
  expect(attached).toMatchObject({ result: codes.success.code, data: { attachments: [{ name: '说明.txt' }] } })
  const saved = await jo.call('saveMailDraft', {
    ...{ outgoingId, version: attached.data.version, boxId, subject: '报价', text: '你好', html: '<p>你好</p>' },
    to: [{ name: '钱磊', address: 'qianlei@partner.example' }],
  })
  await jo.call('sendMail', { outgoingId, version: saved.version })
  // A rule that is made while the mail waits holds it back, and the writer is told why.
  await admin.call('saveSensitiveRule', {
    rule: { ...newSensitiveRule, name: '编号', words: ['内部编号'], action: 'block' },
  })
  await own.app.db.updateTable('outgoing_mail').set({ send_at: 0 }).where('id', '=', outgoingId).execute()
  const mail = () => jo.call('getOutgoingMail', { outgoingId })
  await expect.poll(async () => (await mail()).state, { timeout: 120_000 }).toBe('failed')
  expect((await mail()).problem).toContain('附件含有公司不允许发送的内容')
  expect(smtp.mails).toEqual([])
})

// [R109] The record of a file names the mail that it was saved from, to whoever has that mail, as long as it exists.
test('[R109] an attachment is read, downloaded and saved to the drive, and its record names the mail', async () => {
  await allowLocal()
  const dovecot = await startDovecot(['hal'])
  const hal = await world.person('hal')
  const body = [
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>见附件 <img src="https://tracker.example/x.gif"></p>',
    '--b',
    'Content-Type: application/octet-stream; name="=?GBK?B?1tDOxC50eHQ=?="',
    'Content-Disposition: attachment',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('附件内容').toString('base64'),
    '--b--',
    '',
  ].join('\r\n')
  await dovecot.deliver('hal', mailText('带附件', body, { 'Content-Type': 'multipart/mixed; boundary=b' }))
  const { boxId } = await hal.call('createMailbox', { ...boxAt(dovecot, 'hal'), password: 'secret', fetch: false })
  await fetched(hal, boxId)
  const [listed] = (await hal.call('getMailList', { attached: true })).list
  expect(listed).toMatchObject({ attachmentCount: 1, summary: '见附件' })
  const mailId = listed?.mailId ?? 0
  const detail = await hal.call('getMailDetail', { mailId })
  expect(detail.html).toContain('tracker.example')
  const { bodyKey } = detail
  const textOf = (key: string, id = mailId) =>
    world.app.http.inject({ url: `/services2/mail/body/${id}?key=${encodeURIComponent(key)}` })
  const shown = await textOf(bodyKey)
  expect(shown.headers['content-security-policy']).toContain('sandbox allow-popups')
  expect(shown.headers['content-security-policy']).toContain("default-src 'none'; img-src data:;")
  expect(shown.body).toContain('见附件')
  expect(shown.body).not.toContain('tracker')
  for (const wrong of [await textOf('1.x'), await textOf(`${bodyKey}x`), await textOf(bodyKey, mailId + 1)])
    expect(wrong.json()).toMatchObject({ result: -3 })
  expect(detail.attachments).toMatchObject([{ number: 0, name: '中文.txt', size: 12 }])
  const preview = (who: Person, number: number) =>
    world.app.http.inject({
      url: `/services2/mail/attachmentPreview/${mailId}/${number}`,
      headers: { authorization: `Bearer ${who.token}` },
    })
  const rendition = unpacked((await preview(hal, 0)).rawPayload)
  expect(textOfRendition(rendition)).toBe('附件内容')
  expect((await preview(hal, 1)).json()).toMatchObject({ result: codes.notFound.code })
  expect((await preview(await world.person('gwen'), 0)).json()).toMatchObject({ result: codes.notFound.code })
  // Read in another character set.
  const other = await hal.call('getMailDetail', { mailId, charset: 'big5' })
  expect(other.attachments[0]?.name).not.toBe('中文.txt')
  const saved = await hal.call('saveMailAttachment', { mailId, number: 0, folderId: hal.library })
  expect(saved.fName).toBe('中文.txt')
  const whole = await hal.call('saveMailAttachment', { mailId, folderId: hal.library })
  expect(whole.fName).toBe('带附件.eml')
  const ida = await world.person('ida')
  expect(await ida.refusal('getMailDetail', { mailId })).toBe('notFound')
  const emailIdFor = async (who: Person): Promise<readonly number[]> => {
    const { fileId } = saved
    const page = await who.call('getSubItemList3', { folderId: hal.library })
    const listed = page.list.filter(({ fId }) => fId === fileId)
    return [...listed, await who.call('getFileInfo', { fileId })].map(({ emailId }) => emailId)
  }
  await hal.shares({ folderId: hal.library }, [{ to: ida, rights: 6 }])
  expect(await emailIdFor(hal)).toEqual([mailId, mailId])
  expect(await emailIdFor(ida)).toEqual([0, 0])
  expect(await hal.refusal('saveMailAttachment', { mailId, number: 0, folderId: ida.library })).toBe('notFound')
  await hal.call('deleteMails', { mailIdArray: [mailId] })
  expect(await emailIdFor(hal)).toEqual([0, 0])
})

test('[R290] threads follow the references of mails, never their subjects; one Message-ID twice is two mails', async () => {
  await allowLocal()
  const dovecot = await startDovecot(['kim'])
  const kim = await world.person('kim')
  const deliver = (body: string, id: string, more: Readonly<Record<string, string>> = {}) =>
    dovecot.deliver('kim', mailText('周报', body, { 'Message-ID': `<${id}@p.example>`, ...more }))
  await deliver('root', 'a')
  await deliver('answer', 'b', { 'In-Reply-To': '<a@p.example>', References: '<a@p.example>' })
  await deliver('deeper', 'c', { 'In-Reply-To': '<b@p.example>', References: '<a@p.example> <b@p.example>' })
  await deliver('stranger', 'd')
  await deliver('twice one', 'e')
  await deliver('twice two', 'e')
  const { boxId } = await kim.call('createMailbox', { ...boxAt(dovecot, 'kim'), password: 'secret', fetch: false })
  await fetched(kim, boxId)
  const { list } = await kim.call('getMailList', { boxId })
  expect(list).toHaveLength(6)
  const threadOf = async (summary: string): Promise<string[]> => {
    const mailId = list.find((mail) => mail.summary === summary)?.mailId ?? 0
    return (await kim.call('getMailDetail', { mailId })).thread.map((mail) => mail.summary).toSorted()
  }
  expect(await threadOf('root')).toEqual(['answer', 'deeper'])
  expect(await threadOf('deeper')).toEqual(['answer', 'root'])
  expect(await threadOf('stranger')).toEqual([])
})

test('[R290] a sender who bears the name of a colleague, or an address in the name, is told from the real one', async () => {
  await allowLocal()
  const dovecot = await startDovecot(['jan'])
  const jan = await world.person('jan')
  const boss = await world.person('boss')
  await world.app.db
    .updateTable('account')
    .set({ name: 'Anna Cox 林', email: 'anna@corp.example' })
    .where('id', '=', boss.userId)
    .execute()
  const senders: readonly (readonly [string, string, boolean])[] = [
    ['Anna Cox 林', 'anna@corp.example', false],
    ['Anna Cox 林', 'anna@elsewhere.example', true],
    ['Аnnа Соx 林', 'a@elsewhere.example', true], // Cyrillic letters
    ['Anna\u200b Cox\u00a0林', 'b@elsewhere.example', true],
    ['anna@corp.example', 'c@elsewhere.example', true],
    ['Somebody Else', 'd@elsewhere.example', false],
  ]
  for (const [n, [name, address]] of senders.entries()) {
    const word = `=?utf-8?B?${Buffer.from(name).toString('base64')}?=`
    await dovecot.deliver('jan', mailText(`来信 ${n}`, 'x', { From: `${word} <${address}>` }))
  }
  const { boxId } = await jan.call('createMailbox', { ...boxAt(dovecot, 'jan'), password: 'secret', fetch: false })
  await fetched(jan, boxId)
  const { list } = await jan.call('getMailList', { boxId })
  for (const [n, [name, , isSuspicious]] of senders.entries()) {
    const mailId = list.find(({ mailTitle }) => mailTitle === `来信 ${n}`)?.mailId ?? 0
    expect((await jan.call('getMailDetail', { mailId })).isSuspicious, name).toBe(isSuspicious)
  }
})

// [R289] When somebody leaves, their mailboxes go with the stored passwords and what was fetched; nothing is fetched for
// whoever is frozen.
test('[R289] the mailboxes of a leaver are taken away with their passwords and mails', async () => {
  await allowLocal()
  const dovecot = await startDovecot(['lea'])
  const admin = await world.admin()
  const [lea, max] = [await world.person('lea'), await world.person('max')]
  await dovecot.deliver('lea', mailText('机密'))
  const { boxId } = await lea.call('createMailbox', { ...boxAt(dovecot, 'lea'), password: 'secret', fetch: false })
  await fetched(lea, boxId)
  const names = { userId: lea.userId, successorId: max.userId }
  const { parts, seen } = await admin.call('getHandover', names)
  expect(parts.find(({ kind }) => kind === 'mailboxes')?.items).toMatchObject([
    { name: 'lea@example.com', outcome: 'ends' },
  ])
  expect(await admin.call('handOver', { ...names, seen })).toMatchObject({ done: true })
  const left = (table: 'mailbox' | 'mail') =>
    world.app.db.selectFrom(table).select('id').where('account_id', '=', lea.userId).execute()
  expect([await left('mailbox'), await left('mail')]).toEqual([[], []])
  expect((await max.call('getMailList', {})).list).toEqual([])
})
