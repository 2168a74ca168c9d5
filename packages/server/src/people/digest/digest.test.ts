// The digest mail of unread notices, against a real mail server.
import { pushes } from '@cloudoc/contract'
import { rightsGroup } from '@cloudoc/domain'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { queuedMailsIn } from '../../../test/mail-queue.ts'
import { readMail, startMailServer, type TestMailServer } from '../../../test/mail-server.ts'
import { sendDigests } from './index.ts'
import { lineOf } from './line.ts'
import { nextDigest } from './times.ts'

const hourMs = 60 * 60_000
let world: World
let time = Date.UTC(2026, 10, 24, 10, 20)

beforeAll(async () => {
  world = await openWorld({ now: () => time })
})

async function setUp(server: TestMailServer): Promise<void> {
  await (await world.admin()).call('setServerSetting', {
    mail_host: '127.0.0.1',
    mail_port: server.port,
    mail_security: 'plain',
    mail_account: '',
    mail_sender: 'drive@example.com',
    company_name: '华信集团',
  })
}

let people = 0
/** A user with a mail address. */
async function person(): Promise<Person> {
  people += 1
  const one = await world.person(`p${people}`)
  await one.call('modifyUserInfo', { email: `${one.account}@example.com` })
  return one
}
const share = async (anna: Person, to: Person, name: string): Promise<number> => {
  const folderId = await anna.folder(anna.library, name)
  await anna.shares({ folderId }, [{ to, rights: rightsGroup.edit }])
  return folderId
}
/** Advances to the next full hour and sends what is due. */
const passHour = async (): Promise<void> => {
  await world.app.settle()
  time += hourMs
  while (await sendDigests(world.app.services, time));
}
const to =
  ({ account }: Person) =>
  (mail: { to: readonly string[] }) =>
    mail.to.includes(`${account}@example.com`)

describe('the mail of what somebody has not seen', () => {
  test('names each notice once, leads to its item, and is in the language of who asked for it', async () => {
    const server = await startMailServer()
    await setUp(server)
    const [anna, ben] = [await person(), await person()]
    await share(anna, ben, '从前的')
    await world.app.settle()
    expect(await ben.call('getDigest', {})).toEqual({
      every: 'never',
      email: `${ben.account}@example.com`,
      ready: true,
    })
    await ben.call('setDigest', { every: 'hourly' })
    expect(await ben.call('getDigest', {})).toMatchObject({ every: 'hourly' })
    const folderId = await share(anna, ben, '合同 A&B')
    await passHour()
    const mail = await server.next(to(ben))
    const text = readMail(mail.source)
    expect(text).toContain('华信集团：1 条通知还没看')
    expect(text).toContain(`${anna.account} 给了你“合同 A&B”的权限`)
    expect(text).toMatch(new RegExp(`http://localhost(:80)?/doc/folder/files\\?itemIdStr=s0f-${folderId}\\s`))
    expect(text).toContain('合同 A&amp;B')
    expect(text).not.toContain('从前的')
    // A notice is sent once; a later one is sent without it.
    await passHour()
    await share(anna, ben, '第二个')
    await passHour()
    const second = await server.next(({ source }) => readMail(source).includes('第二个'))
    expect(readMail(second.source)).not.toContain('合同')
    expect(server.mails.filter(to(ben))).toHaveLength(2)
  })

  // [R237] A mentioned person who has not read the comment receives a mail in their language, as text and HTML.
  test('[R237] tells of a comment that names somebody, as text and as a page of their language that fetches and runs nothing', async () => {
    const server = await startMailServer()
    await setUp(server)
    const [anna, ben, eve] = [await person(), await person(), await person()]
    await ben.call('setDigest', { every: 'hourly' })
    await eve.call('setDigest', { every: 'hourly' })
    await world.app.db.updateTable('digest').set({ locale: 'en' }).where('account_id', '=', eve.userId).execute()
    const folderId = await anna.folder(anna.library, '合同')
    const fileId = await anna.upload(folderId, '渠道协议.txt')
    await anna.shares({ folderId }, [
      { to: ben, rights: rightsGroup.edit },
      { to: eve, rights: rightsGroup.edit },
    ])
    await passHour()
    for (const one of [ben, eve]) await server.next(to(one))
    server.mails.splice(0)
    const comment = '第 4 条请确认 <img src=x onerror=1>'
    await anna.call('addComment', { fileId, comment, userIdArray: [ben.userId, eve.userId] })
    await passHour()
    for (const [who, lang, said, all] of [
      [ben, 'zh-CN', '你有 1 条通知还没看', '查看全部通知'],
      [eve, 'en', 'There is a notice you have not seen', 'All notices'],
    ] as const) {
      const text = readMail((await server.next(to(who))).source)
      const page = text.slice(text.indexOf('<!doctype html>'), text.indexOf('</html>'))
      expect(page).toContain(`<html lang="${lang}">`)
      for (const part of [said, all, '第 4 条请确认', '华信集团', `itemIdStr=s0f${fileId}&amp;panel=comments"`])
        expect(page).toContain(part)
      expect(page).not.toMatch(/<img|<script|<link|<style|url\(/i)
      // The plain text part has the same content, for mail clients that show no HTML.
      expect(text.slice(0, text.indexOf('<!doctype html>'))).toContain('第 4 条请确认')
    }
  })

  test('leaves out what was seen, what was taken from them since, and whoever wants none or is gone', async () => {
    const server = await startMailServer()
    await setUp(server)
    const [anna, ben, cara, dan] = [await person(), await person(), await person(), await person()]
    for (const one of [ben, cara, dan]) await one.call('setDigest', { every: 'hourly' })
    await share(anna, ben, '看过的')
    const taken = await share(anna, ben, '收回的')
    await share(anna, ben, '没看的')
    for (const one of [cara, dan]) await share(anna, one, `给 ${one.account}`)
    await world.app.settle()
    const { groups } = await ben.call('getNotices', {})
    const seen = groups[0]?.list.filter(({ message }) => message.includes('看过的')) ?? []
    await ben.call('ignoreNotices', { remindIds: seen.map(({ remindId }) => remindId) })
    // Deleted without an event: only the row is left.
    await world.app.db.updateTable('item').set({ deleted_at: time }).where('id', '=', taken).execute()
    await cara.call('setDigest', { every: 'never' })
    await (await world.admin()).call('setAccountState', { userId: dan.userId, state: 'frozen' })
    await passHour()
    const text = readMail((await server.next(to(ben))).source)
    expect(text).toContain('没看的')
    expect(text).not.toContain('看过的')
    expect(text).not.toContain('收回的')
    expect(server.mails).toHaveLength(1)
  })

  test('waits for nobody: where no mail can be sent it is told later, and two who write it at once write one', async () => {
    const [anna, ben] = [await person(), await person()]
    await ben.call('setDigest', { every: 'hourly' })
    await share(anna, ben, '等着的')
    await (await world.admin()).call('setServerSetting', { mail_host: '' })
    await passHour()
    const server = await startMailServer()
    await setUp(server)
    await world.app.settle()
    time += hourMs
    await Promise.all([sendDigests(world.app.services, time), sendDigests(world.app.services, time)])
    expect(readMail((await server.next(to(ben))).source)).toContain('等着的')
    const mails = await queuedMailsIn(world.app, `${ben.account}@example.com`)
    expect(mails.filter(({ text }) => text.includes('等着的'))).toHaveLength(1)
  })

  test('tells of every kind of notice, at least by its group', async () => {
    for (const locale of ['zh', 'en'] as const) {
      for (const group of ['workflow', 'audit', 'instantMessage'] as const) {
        expect(lineOf(pushes, { pushType: 9999, group, payload: {} }, locale)).toMatchObject({
          path: `/notify/list?group=${group}`,
        })
      }
      const low = { serverId: 0, remindId: 1, percent: 92, used: 1, total: 2 }
      const said = lineOf(pushes, { pushType: pushes.personalSpaceLow.type, group: 'reminder', payload: low }, locale)
      expect(said.text).toContain('92')
      const link = {
        fType: 1,
        fId: 5,
        userName: '陈晓',
        applicationTitle: '报价.xlsx',
        applicationId: 3,
        itemCount: 1,
      }
      for (const [about, page] of [
        [{ operateType: 2, nodeState: 1 }, 'apply-link-review'],
        [{ operateType: 2, nodeState: 1, reminder: true }, 'apply-link-review'],
        [{ operateType: 2, nodeState: 1, late: true }, 'apply-link-creation'],
        [{ operateType: 2, nodeState: 2 }, 'apply-link-creation'],
        [{ operateType: 1, nodeState: 1 }, 'apply-download-review'],
        [{ operateType: 1, nodeState: 4 }, 'apply-download-creation'],
      ] as const) {
        const payload = { ...link, ...about }
        const line = lineOf(
          pushes,
          { pushType: pushes.operateApplication.type, group: 'operationApply', payload },
          locale,
        )
        expect(line).toMatchObject({ path: `/doc/folder/security/${page}?applicationId=3` })
        expect(line.text).toContain('报价.xlsx')
      }
      for (const [about, path] of [
        [{ nodeState: 1 }, 'download-review'],
        [{ nodeState: 1, reminder: true }, 'download-review'],
        [{ nodeState: 2 }, 'download-application'],
      ] as const) {
        const payload = { userName: '陈晓', count: 50, reviewId: 3, ...about }
        const line = lineOf(pushes, { pushType: pushes.moreDownloads.type, group: 'operationApply', payload }, locale)
        expect(line).toMatchObject({ path: `/doc/folder/share/${path}?reviewId=3` })
        expect(line.text).toContain('50')
      }
      const wanted = { serverId: 0, userName: '陈晓', fName: '报价.xlsx', fType: 1, fId: 5, authorizationId: 3 }
      const asked = [wanted, { ...wanted, reminder: true }].map((payload) =>
        lineOf(pushes, { pushType: pushes.authorizationApply.type, group: 'permissionApply', payload }, locale),
      )
      expect(asked.map(({ path }) => path)).toEqual(asked.map(() => '/doc/folder/share/auth-review?authorizationId=3'))
      expect(asked[1]?.text).toMatch(/还在等你处理|still waits/)
      const late = { ...wanted, result: 3 }
      const reply = lineOf(
        pushes,
        { pushType: pushes.authorizationReply.type, group: 'authorization', payload: late },
        locale,
      )
      expect(reply).toMatchObject({ path: '/doc/folder/share/auth-creation' })
      expect(reply.text).toMatch(/已到期限|in time/)
      const spoken = {
        serverId: 0,
        operatorName: '陈晓',
        fName: '报价.xlsx',
        fType: 1,
        fId: 5,
        comment: '看一下',
        mentioned: true,
      }
      const remark = { pushType: pushes.commentRemind.type, group: 'instantMessage', payload: spoken } as const
      expect(lineOf(pushes, remark, locale)).toMatchObject({
        path: '/doc/folder/files?itemIdStr=s0f5&panel=comments',
      })
    }
  })
})

test('is due at the full hour, or at 9 in the morning where the person is, on weekdays alone if so', () => {
  const at = (text: string): number => Date.parse(text)
  const next = (...args: Parameters<typeof nextDigest>): string => new Date(nextDigest(...args)).toISOString()
  const friday = at('2026-11-27T02:00:00Z')
  expect(next('hourly', 'Asia/Shanghai', at('2026-11-24T10:20:00Z'))).toBe('2026-11-24T11:00:00.000Z')
  expect(next('daily', 'Asia/Shanghai', at('2026-11-24T00:59:00Z'))).toBe('2026-11-24T01:00:00.000Z')
  expect(next('daily', 'Asia/Shanghai', at('2026-11-24T01:00:00Z'))).toBe('2026-11-25T01:00:00.000Z')
  expect(next('daily', 'Asia/Kathmandu', friday)).toBe('2026-11-27T03:15:00.000Z')
  expect(next('weekdays', 'Asia/Shanghai', friday)).toBe('2026-11-30T01:00:00.000Z')
  // In Berlin the clock is set back in October: the digest stays at nine local time.
  expect(next('daily', 'Europe/Berlin', at('2026-10-24T08:00:00Z'))).toBe('2026-10-25T08:00:00.000Z')
})
