// Mailboxes whose server announces mail: one connection, borrowed by the fetch, opened again when it is cut.
import { createConnection, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { startWrongServer } from '../../../test/mail-server.ts'
import { type Dovecot, mailText, startDovecot } from '../../../test/mails.ts'

const world = sharedWorld()

/** A way to a server that counts what is open, can be cut, and can hide an extension. */
async function wayTo(port: number, hides?: string) {
  const open = new Set<Socket>()
  let most = 0
  const own = await startWrongServer((socket) => {
    const beyond = createConnection(port, '127.0.0.1')
    open.add(socket)
    most = Math.max(most, open.size)
    socket.pipe(beyond)
    beyond.on('data', (chunk: Buffer) =>
      socket.write(
        hides === undefined ? chunk : Buffer.from(chunk.toString('latin1').replaceAll(hides, 'X-NO'), 'latin1'),
      ),
    )
    beyond.on('error', () => socket.destroy())
    beyond.on('close', () => socket.destroy())
    socket.on('close', () => {
      open.delete(socket)
      beyond.destroy()
    })
  })
  return {
    port: own,
    open: () => open.size,
    most: () => most,
    cut() {
      for (const socket of open) socket.destroy()
    },
  }
}

async function boxOf(person: Person, imapPort: number, name: string): Promise<number> {
  await (await world.admin()).call('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
  const { boxId } = await person.call('createMailbox', {
    ...{ account: `${name}@example.com`, loginName: name, password: 'secret', mailProtocol: 'imap' },
    ...{ imapAddress: '127.0.0.1', imapPort, popAddress: '', smtpAddress: '', ssl: false },
  })
  return boxId
}

const isLive = async (boxId: number): Promise<boolean> => {
  const { live_until: until } = await world.app.db
    .selectFrom('mailbox')
    .select('live_until')
    .where('id', '=', boxId)
    .executeTakeFirstOrThrow()
  return until > Date.now()
}

const subjects = async (person: Person): Promise<string[]> =>
  (await person.call('getMailList', { role: 'inbox' })).list.map(({ mailTitle }) => mailTitle)

/** Delivers a mail, and waits until it is here. Nothing polls meanwhile: that happens after minutes. */
async function arrives(dovecot: Dovecot, person: Person, name: string, subject: string): Promise<void> {
  await dovecot.deliver(name, mailText(subject))
  await expect.poll(() => subjects(person)).toContain(subject)
}

// [R290] New mail arrives at once where the server announces it (IDLE): one connection for each mailbox waits and fetches,
// as long as its owner has a page open, and is opened again after a cut.
test('[R290] mail that the server announces is here at once, by one connection that survives cuts', async () => {
  const dovecot = await startDovecot(['anna'])
  const way = await wayTo(dovecot.imapPort)
  const anna = await world.person('live-anna')
  const page = await anna.listen()
  const boxId = await boxOf(anna, way.port, 'anna')
  await expect.poll(() => isLive(boxId)).toBe(true)
  await expect.poll(() => way.open()).toBe(1)
  await arrives(dovecot, anna, 'anna', '第一封')
  await arrives(dovecot, anna, 'anna', '第二封')
  expect([way.open(), way.most()]).toEqual([1, 1])

  way.cut()
  await arrives(dovecot, anna, 'anna', '断线之后')
  await dovecot.stop()
  await expect.poll(() => way.open()).toBe(0)
  await dovecot.start()
  await arrives(dovecot, anna, 'anna', '服务器重启之后')
  expect(way.most()).toBe(1)

  // Whoever has gone is polled, seldom, and holds no connection.
  await page.close()
  await expect.poll(() => way.open()).toBe(0)
  await expect.poll(() => isLive(boxId)).toBe(false)
})

test('a mailbox with other settings gets another connection, and one of a server without IDLE is polled', async () => {
  const dovecot = await startDovecot(['ben'])
  const [way, poor] = [await wayTo(dovecot.imapPort), await wayTo(dovecot.imapPort, 'IDLE')]
  const ben = await world.person('live-ben')
  const page = await ben.listen()
  const boxId = await boxOf(ben, way.port, 'ben')
  await expect.poll(() => isLive(boxId)).toBe(true)
  await expect.poll(() => way.open()).toBe(1)
  // With other settings the connection is another one.
  await ben.call('updateMailbox', {
    ...{ boxId, account: 'ben@example.com', loginName: 'ben', password: 'secret', mailProtocol: 'imap' },
    ...{ imapAddress: '127.0.0.1', imapPort: poor.port, popAddress: '', smtpAddress: '', ssl: false },
  })
  await expect.poll(() => way.open()).toBe(0)
  await expect.poll(async () => (await ben.call('getMailbox', { boxId })).state).toBe('ok')
  await expect.poll(() => poor.most()).toBeGreaterThan(0)
  await expect.poll(() => poor.open()).toBe(0)
  await page.close()
})
