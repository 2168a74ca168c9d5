// A mail through real servers: it leaves by postfix, and arrives in the mailboxes of dovecot.
import { readdir, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startPostfix } from '../../test/debian-postfix.ts'
import { sharedWorld } from '../../test/harness.ts'
import { startDovecot } from '../../test/mails.ts'

const world = sharedWorld()
/** The parent process of postfix refuses to run for anybody else. */
const isRoot = userInfo().uid === 0

// [R290] Mails really leave and arrive through the mail servers of the mailbox.
test.runIf(isRoot)(
  '[R290] a mail leaves by postfix and arrives once for each receiver; who is unknown there is named',
  async () => {
    await (await world.admin()).call('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
    const dovecot = await startDovecot(['ada', 'ben', 'cleo'])
    const postfix = await startPostfix(dovecot, ['ada', 'ben', 'cleo'])
    const ada = await world.person('post-ada')
    const at = {
      ...{ password: 'secret', mailProtocol: 'imap' as const, imapAddress: '127.0.0.1', imapPort: dovecot.imapPort },
      ...{ smtpAddress: '127.0.0.1', smtpPort: postfix.port, ssl: false, fetch: false },
    }
    const { boxId } = await ada.call('createMailbox', { ...at, account: 'ada@example.com', loginName: 'ada' })
    const to = ['ben@example.com', 'nobody@example.com'].map((address) => ({ name: '', address }))
    const draft = await ada.call('createMailDraft', {
      ...{ boxId, to, bcc: [{ name: '', address: 'cleo@example.com' }], subject: '合同请查收', text: '你好' },
      html: '<p>你好</p>',
    })
    const { outgoingId, version } = draft
    await ada.call('sendMail', { outgoingId, version })
    await sql`update outgoing_mail set send_at = 0 where id = ${outgoingId}`.execute(world.app.db)
    await expect.poll(async () => (await ada.call('getOutgoingMail', { outgoingId })).state).toBe('filed')
    expect((await ada.call('getOutgoingMail', { outgoingId })).refusedReceivers).toEqual(['nobody@example.com'])
    const { rows } = await sql<{ id: string }>`
    select message_id as id from outgoing_mail where id = ${outgoingId}`.execute(world.app.db)
    const mailsOf = async (user: string): Promise<string[]> => {
      const found: string[] = []
      for (const part of ['new', 'cur'])
        for (const name of await readdir(join(dovecot.mailOf(user), part)))
          found.push(await readFile(join(dovecot.mailOf(user), part, name), 'utf8'))
      return found
    }
    for (const user of ['ben', 'cleo']) {
      await expect.poll(async () => (await mailsOf(user)).length).toBe(1)
      const [source = ''] = await mailsOf(user)
      expect(source).toContain(`Message-ID: <${rows[0]?.id}>`)
      expect(source).toMatch(/^Received: .*\n\s+by mx\.example\.com \(Postfix\)/m)
      expect(source.replace(/^(Delivered-To|X-Original-To):.*$/gm, '')).not.toContain('cleo@example.com')
    }
    // The receiver reads it here, and sees to which address it was delivered.
    const ben = await world.person('post-ben')
    const { boxId: his } = await ben.call('createMailbox', { ...at, account: 'ben@example.com', loginName: 'ben' })
    await ben.call('fetchMail', { boxId: his })
    await expect.poll(async () => (await ben.call('getMailList', { boxId: his })).list.length).toBe(1)
    const [listed] = (await ben.call('getMailList', { boxId: his })).list
    const detail = await ben.call('getMailDetail', { mailId: listed?.mailId ?? 0 })
    expect(detail).toMatchObject({ mailTitle: '合同请查收', deliveredTo: ['ben@example.com'], bcc: [] })
  },
)
