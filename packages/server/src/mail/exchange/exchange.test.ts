// A mailbox at Exchange by its own protocol, against a double of the server ([R289]).
import { expect, test } from 'vitest'
import { startExchange } from '../../../test/exchange-server.ts'
import type { Person } from '../../../test/harness.ts'
import { sharedWorld } from '../../../test/harness.ts'
import { mailText } from '../../../test/mails.ts'

const world = sharedWorld()

async function fetched(person: Person, boxId: number): Promise<void> {
  await person.call('fetchMail', { boxId })
  await expect
    .poll(async () => (await person.call('getMailbox', { boxId })).isFetching, { timeout: 120_000 })
    .toBe(false)
}

async function exchange() {
  await (await world.admin()).call('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
  const server = await startExchange()
  const anna = await world.person('anna')
  const entered = {
    ...{ account: 'anna@corp.example', loginName: 'CORP\\anna', mailProtocol: 'exchange' as const },
    ...{ exchangeUrl: server.url, senderName: '安娜', fetch: false },
  }
  return { server, anna, entered }
}

// [R289] Mailboxes of Exchange by its web services: folders, mails, flags and moves on both sides.
test('[R289] a mailbox at Exchange is checked, fetched once, flagged, moved and deleted on both sides', async () => {
  const { server, anna, entered } = await exchange()
  const wrong = await anna.call('checkMailbox', { ...entered, password: 'wrong' })
  expect(wrong.steps.map(({ step, state }) => [step, state])).toEqual([
    ['receive', 'passed'],
    ['signIn', 'failed'],
    ['send', 'passed'],
    ['sendSignIn', 'failed'],
  ])
  expect(await anna.call('checkMailbox', { ...entered, password: 'secret' })).toMatchObject({ passed: true })
  for (const n of [1, 2, 3, 4, 5, 6, 7]) server.deliver(mailText(`旧邮件${n}`))
  server.deliver(mailText('合同'), '合同往来')
  const { boxId } = await anna.call('createMailbox', { ...entered, password: 'secret' })
  await fetched(anna, boxId)
  expect(await anna.call('getMailbox', { boxId })).toMatchObject({ state: 'ok', problem: '', unread: 7 })
  const folders = (await anna.call('getMailFolders', { boxId })).list
  expect(Object.fromEntries(folders.map(({ name, role }) => [name, role]))).toEqual({
    ...{
      收件箱: 'inbox',
      已发送邮件: 'sent',
      草稿: 'drafts',
      已删除邮件: 'trash',
      垃圾邮件: 'junk',
      合同往来: 'other',
    },
  })
  const notices = async () =>
    (await anna.call('getNotices', {})).groups.filter(({ group }) => group === 'email').flatMap(({ list }) => list)
  expect(await notices()).toEqual([])
  server.deliver(mailText('新邮件', '正文在此'))
  await fetched(anna, boxId)
  const fetches = server.asked.filter((name) => name === 'GetItem').length
  await fetched(anna, boxId)
  expect(server.asked.filter((name) => name === 'GetItem')).toHaveLength(fetches)
  const inbox = async () => (await anna.call('getMailList', { role: 'inbox', boxId })).list
  const [news] = await inbox()
  expect(news).toMatchObject({ mailTitle: '新邮件', senderName: '钱磊', isRead: false })
  await expect.poll(notices).toHaveLength(1)
  const mailId = news?.mailId ?? 0
  expect((await anna.call('getMailDetail', { mailId })).text).toContain('正文在此')
  await anna.call('markMails', { mailIdArray: [mailId], isRead: true, isStarred: true })
  await anna.call('moveMails', { mailIdArray: [mailId], role: 'archive' })
  await fetched(anna, boxId)
  await fetched(anna, boxId)
  expect(server.folder('Archive')).toMatchObject([{ isRead: true, flag: 2 }])
  const archive = (await anna.call('getMailList', { role: 'archive', boxId })).list
  expect(archive).toMatchObject([{ mailId, isRead: true, isStarred: true }])
  // What another program does arrives here.
  let n = 0
  server.change('inbox', (item) => {
    n += 1
    if (n === 1) return 'Delete'
    Object.assign(item, n === 2 ? { isRead: true } : { flag: 2 })
    return n === 2 ? 'ReadFlagChange' : 'Update'
  })
  await fetched(anna, boxId)
  const after = await inbox()
  expect(after).toHaveLength(6)
  expect(after.filter(({ isRead }) => isRead)).toHaveLength(1)
  expect(after.filter(({ isStarred }) => isStarred)).toHaveLength(5)
  await anna.call('deleteMails', { mailIdArray: [mailId] })
  await fetched(anna, boxId)
  expect(server.folder('Archive')).toEqual([])
  // A server that has forgotten what it told begins anew, and nothing is there twice.
  server.forget()
  await fetched(anna, boxId)
  expect((await inbox()).map(({ mailTitle }) => mailTitle).toSorted()).toEqual(
    [2, 3, 4, 5, 6, 7].map((number) => `旧邮件${number}`),
  )
})

test('[R289] [R290] a mail is sent by Exchange once, also where the answer is lost', async () => {
  const { server, anna, entered } = await exchange()
  const { boxId } = await anna.call('createMailbox', { ...entered, password: 'secret' })
  const write = async (subject: string) => {
    const { outgoingId, version } = await anna.call('createMailDraft', { boxId, subject })
    const saved = await anna.call('saveMailDraft', {
      ...{ outgoingId, version, boxId, subject, text: '你好', html: '' },
      to: [{ name: '钱磊', address: 'qianlei@partner.example' }],
      bcc: [{ address: 'hidden@example.com' }],
    })
    await anna.call('sendMail', { outgoingId, version: saved.version })
    await world.app.db.updateTable('outgoing_mail').set({ send_at: 0 }).where('id', '=', outgoingId).execute()
    const state = async () => (await anna.call('getOutgoingMail', { outgoingId })).state
    return { outgoingId, state }
  }
  const one = await write('一次')
  await expect.poll(one.state, { timeout: 120_000 }).toBe('filed')
  expect(server.sent).toHaveLength(1)
  expect(server.sent[0]?.toString()).toContain('hidden@example.com')
  await fetched(anna, boxId)
  expect((await anna.call('getMailList', { role: 'sent', boxId })).list).toHaveLength(1)
  server.breakAfterSending()
  const lost = await write('断线')
  // The server is asked whether it has the mail.
  await expect.poll(lost.state, { timeout: 120_000 }).toBe('filed')
  expect(server.sent).toHaveLength(2)
})

test('[R289] what answers is no Exchange, or is refused, is said', async () => {
  const { server, anna, entered } = await exchange()
  const at = async (exchangeUrl: string) =>
    (await anna.call('checkMailbox', { ...entered, exchangeUrl, password: 'secret' })).steps[0]
  expect(await at(server.url.replace('127.0.0.1', '169.254.169.254'))).toMatchObject({ state: 'failed' })
  expect((await at('http://127.0.0.1:1/EWS/Exchange.asmx'))?.problem).toContain('连接被拒绝')
  await (await world.admin()).call('setServerSetting', { mailbox_local_hosts: [] })
  expect((await at(server.url))?.problem).toContain('不允许连接')
})
