// Mail servers as people have them: those that want a name first, answer more than was asked, number anew, forget, or break
// off. Behind each double is a real server.
import { readdir, rm } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { SMTPServerOptions } from 'smtp-server'
import { expect, test } from 'vitest'
import { longTest } from '../../test/full.ts'
import { type Person, sharedWorld } from '../../test/harness.ts'
import { startMailServer, startWrongServer } from '../../test/mail-server.ts'
import { mailText, startDovecot } from '../../test/mails.ts'

const world = sharedWorld()

interface Way {
  readonly port: number
  /** The commands that the client has sent. */
  readonly said: string[]
}

/**
 * A way to a server. `command` gets each line of the client: it answers in its place, changes it, or passes it on
 * (undefined). `answer` may change what the server says.
 */
async function wayTo(
  port: number,
  odd: {
    readonly command?: (
      line: string,
      socket: Socket,
    ) => { readonly answer: string } | { readonly line: string } | undefined
    readonly answer?: (text: string, socket: Socket) => string
    /** Whether nothing gets through any more. */
    readonly isDead?: (socket: Socket) => boolean
  },
): Promise<Way> {
  const said: string[] = []
  const own = await startWrongServer((socket) => {
    const beyond = createConnection(port, '127.0.0.1')
    let rest = ''
    socket.on('data', (chunk: Buffer) => {
      if (odd.isDead?.(socket) === true) return
      const lines = (rest + chunk.toString('latin1')).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        said.push(line)
        const found = odd.command?.(line, socket)
        if (found !== undefined && 'answer' in found) socket.write(`${found.answer}\r\n`)
        else beyond.write(`${found?.line ?? line}\r\n`, 'latin1')
      }
    })
    beyond.on('data', (chunk: Buffer) => {
      if (odd.isDead?.(socket) === true) return
      socket.write(
        odd.answer === undefined ? chunk : Buffer.from(odd.answer(chunk.toString('latin1'), socket), 'latin1'),
      )
    })
    for (const [one, other] of [
      [socket, beyond],
      [beyond, socket],
    ] as const)
      one.on('close', () => other.destroy()).on('error', () => other.destroy())
  })
  return { port: own, said }
}

async function boxOf(person: Person, name: string, at: object): Promise<number> {
  await (await world.admin()).call('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
  const { boxId } = await person.call('createMailbox', {
    ...{ account: `${name}@example.com`, loginName: name, password: 'secret', mailProtocol: 'imap', ssl: false },
    ...{ imapAddress: '127.0.0.1', popAddress: '127.0.0.1', smtpAddress: '', fetch: false, ...at },
  })
  return boxId
}

async function fetched(person: Person, boxId: number): Promise<void> {
  await person.call('fetchMail', { boxId })
  await expect.poll(async () => (await person.call('getMailbox', { boxId })).isFetching).toBe(false)
}
const titles = async (person: Person, boxId: number): Promise<string[]> =>
  (await person.call('getMailList', { boxId })).list.map(({ mailTitle }) => mailTitle).toSorted()

// [R290] NetEase and others refuse folders to a client that has not named itself.
test('[R290] a server that opens no folder before the client has named itself is read', async () => {
  const dovecot = await startDovecot(['anna'])
  await dovecot.deliver('anna', mailText('授权'))
  let isNamed = false
  const way = await wayTo(dovecot.imapPort, {
    command(line) {
      isNamed ||= /^\S+ ID \(/i.test(line)
      const [, tag] = /^(\S+) (?:SELECT|EXAMINE|STATUS) /i.exec(line) ?? []
      return tag === undefined || isNamed
        ? undefined
        : { answer: `${tag} NO SELECT Unsafe Login. Please contact kefu@188.com for help` }
    },
  })
  const anna = await world.person('odd-anna')
  const boxId = await boxOf(anna, 'anna', { imapPort: way.port })
  await fetched(anna, boxId)
  expect(await titles(anna, boxId)).toEqual(['授权'])
  expect(way.said.findIndex((line) => /LOGIN|AUTHENTICATE/.test(line))).toBeGreaterThanOrEqual(0)
})

test('[R290] folders with Chinese names are read and written by their names', async () => {
  const dovecot = await startDovecot(['nora'])
  const nora = await world.person('odd-nora')
  await dovecot.deliver('nora', mailText('归档'))
  const boxId = await boxOf(nora, 'nora', { imapPort: dovecot.imapPort })
  await fetched(nora, boxId)
  // As the server writes the name: modified UTF-7.
  await dovecot.deliver('nora', mailText('往来'), '&VAhUDF+AZ2U-')
  await fetched(nora, boxId)
  const { list } = await nora.call('getMailFolders', { boxId })
  const folder = list.find(({ name }) => name === '合同往来')
  expect(folder).toMatchObject({ role: 'other', unread: 1 })
  const mails = (await nora.call('getMailList', { boxId, role: 'inbox' })).list
  await nora.call('moveMails', {
    ...{ mailIdArray: mails.map(({ mailId }) => mailId), mailFolderId: folder?.mailFolderId ?? 0 },
  })
  await fetched(nora, boxId)
  const parts = ['new', 'cur'].map((part) => readdir(join(dovecot.mailOf('nora'), '.&VAhUDF+AZ2U-', part)))
  expect((await Promise.all(parts)).flat()).toHaveLength(2)
})

test('[R290] of a server that answers everything to every question, what was not asked is dropped; words are never searched there', async () => {
  const dovecot = await startDovecot(['bea'])
  for (let n = 1; n <= 5; n += 1) await dovecot.deliver('bea', mailText(`第 ${n} 封`))
  const way = await wayTo(dovecot.imapPort, {
    command: (line) => {
      const [, before, after] = /^(\S+ UID FETCH )\S+( .*)$/i.exec(line) ?? []
      return before === undefined ? undefined : { line: `${before}1:*${after}` }
    },
  })
  const bea = await world.person('odd-bea')
  const boxId = await boxOf(bea, 'bea', { imapPort: way.port })
  await fetched(bea, boxId)
  for (let n = 6; n <= 8; n += 1) await dovecot.deliver('bea', mailText(`第 ${n} 封`))
  await fetched(bea, boxId)
  expect(await titles(bea, boxId)).toEqual(Array.from({ length: 8 }, (_, n) => `第 ${n + 1} 封`))
  const { list } = await bea.call('getMailList', { keyword: '第 7 封' })
  expect(list.map(({ mailTitle }) => mailTitle)).toEqual(['第 7 封'])
  expect(way.said.filter((line) => /\bSEARCH\b/i.test(line))).toEqual([])
  // Ranges are ascending, and name their end.
  for (const line of way.said) {
    const [, range = ''] = /UID FETCH (\S+)/i.exec(line) ?? []
    for (const part of range.split(',').filter(Boolean)) {
      const [from, to = from] = part.split(':').map(Number)
      expect(from, line).toBeLessThanOrEqual(to ?? 0)
    }
  }
})

// [R290] No flag, move or deletion may hit another mail when a server numbers its mails anew.
test('[R290] when a server numbers its mails anew, a change that waits hits none of them, and all are here once', async () => {
  const dovecot = await startDovecot(['cleo'])
  await dovecot.deliver('cleo', mailText('甲'))
  await dovecot.deliver('cleo', mailText('乙'))
  const cleo = await world.person('odd-cleo')
  const boxId = await boxOf(cleo, 'cleo', { imapPort: dovecot.imapPort })
  await fetched(cleo, boxId)
  const mails = (await cleo.call('getMailList', { boxId })).list
  const first = mails.find(({ mailTitle }) => mailTitle === '甲')?.mailId ?? 0
  await dovecot.stop()
  await cleo.call('deleteMails', { mailIdArray: [first] })
  await cleo.call('markMails', {
    mailIdArray: mails.map(({ mailId }) => mailId).filter((id) => id !== first),
    isStarred: true,
  })
  // The number of the first one now names another mail.
  for (const name of [
    'dovecot-uidlist',
    'dovecot.index',
    'dovecot.index.cache',
    'dovecot.index.log',
    'dovecot-uidvalidity',
  ])
    await rm(join(dovecot.mailOf('cleo'), name), { force: true })
  await dovecot.deliver('cleo', mailText('丙'))
  await dovecot.start()
  const validity = async () =>
    (
      await sql<{
        v: string
      }>`select uid_validity as v from mail_folder where mailbox_id = ${boxId} and role = 'inbox'`.execute(world.app.db)
    ).rows[0]?.v
  const before = await validity()
  await fetched(cleo, boxId)
  expect(await validity()).not.toBe(before)
  const { list } = await cleo.call('getMailList', { boxId, role: 'inbox' })
  expect(list.map(({ mailTitle }) => mailTitle).toSorted()).toEqual(['丙', '乙', '甲'])
  expect(list.some(({ isStarred }) => isStarred)).toBe(false)
})

test.each([
  ['has no UIDL', (line: string) => (/^UIDL/i.test(line) ? { answer: '-ERR unknown command' } : undefined), undefined],
  [
    'gives several mails one id',
    undefined,
    (text: string) => text.replaceAll(/^(\d+) [0-9a-f]{16}\r$/gm, '$1 same-id\r'),
  ],
] as const)('[R289] a POP3 server that %s: each mail is here once', async (_, command, answer) => {
  const dovecot = await startDovecot(['dina'])
  for (const subject of ['一', '二']) await dovecot.deliver('dina', mailText(subject))
  const way = await wayTo(dovecot.popPort, { ...(command && { command }), ...(answer && { answer }) })
  const dina = await world.person('odd-dina')
  const boxId = await boxOf(dina, 'dina', { mailProtocol: 'pop3', popPort: way.port })
  await fetched(dina, boxId)
  await dovecot.deliver('dina', mailText('三'))
  await fetched(dina, boxId)
  await fetched(dina, boxId)
  expect(await titles(dina, boxId)).toEqual(['一', '三', '二'])
})

test.each([
  ['IMAP', 'imap', (text: string) => text.replaceAll(/RFC822\.SIZE \d+/g, 'RFC822.SIZE 900000000')],
  ['POP3', 'pop3', (text: string) => text.replaceAll(/^(\d+) \d{3,6}\r$/gm, '$1 900000000\r')],
] as const)(
  '[R290] a mail too large to be fetched over %s is listed by its beginning, with the reason',
  async (_, mailProtocol, answer) => {
    const dovecot = await startDovecot(['lena'])
    await dovecot.deliver('lena', mailText('巨大的附件', '开头 '.repeat(200)))
    const ways = { imap: await wayTo(dovecot.imapPort, { answer }), pop3: await wayTo(dovecot.popPort, { answer }) }
    const lena = await world.person('odd-lena')
    const boxId = await boxOf(lena, 'lena', { mailProtocol, imapPort: ways.imap.port, popPort: ways.pop3.port })
    await fetched(lena, boxId)
    await fetched(lena, boxId)
    const { list } = await lena.call('getMailList', { boxId })
    expect(list.map(({ mailTitle }) => mailTitle)).toEqual(['巨大的附件'])
    const detail = await lena.call('getMailDetail', { mailId: list[0]?.mailId ?? 0 })
    expect(detail.problem).toContain('没有收取完整内容')
    expect(detail.text).toContain('开头')
  },
)

test('[R289] a wrong password is tried once, and a refusal for too many connections is no wrong password', async () => {
  const dovecot = await startDovecot(['mona'])
  const signsIn = (line: string): boolean => /^\S+ (LOGIN|AUTHENTICATE) /i.test(line)
  const way = await wayTo(dovecot.imapPort, {})
  const mona = await world.person('odd-mona')
  const page = await mona.listen()
  const boxId = await boxOf(mona, 'mona', { imapPort: way.port, password: 'wrong', fetch: true })
  const state = async () => (await mona.call('getMailbox', { boxId })).state
  await expect.poll(state).toBe('signIn')
  expect(way.said.filter(signsIn)).toHaveLength(1)

  const full = await wayTo(dovecot.imapPort, {
    command: (line) =>
      signsIn(line) ? { answer: `${line.split(' ')[0]} NO [LIMIT] Too many simultaneous connections` } : undefined,
  })
  const other = await boxOf(mona, 'mona2', { loginName: 'mona', imapPort: full.port, fetch: true })
  await expect.poll(async () => (await mona.call('getMailbox', { boxId: other })).state).toBe('unreachable')
  expect((await mona.call('getMailbox', { boxId: other })).problem).toContain('Too many simultaneous connections')
  expect(way.said.filter(signsIn)).toHaveLength(1)
  await page.close()
})

/** Whoever signs in may send. */
const signedIn: SMTPServerOptions = {
  authMethods: ['PLAIN'],
  allowInsecureAuth: true,
  onAuth: ({ username = '' }, _session, done) => done(null, { user: username }),
}

/** A mail that is due now. */
async function sent(person: Person, smtpPort: number, receivers: readonly string[]): Promise<number> {
  const boxId = await boxOf(person, person.account, {
    ...{ mailProtocol: 'pop3', popPort: 1, smtpAddress: '127.0.0.1', smtpPort },
  })
  const to = receivers.map((address) => ({ name: '', address }))
  const { outgoingId, version } = await person.call('createMailDraft', { boxId, subject: '合同', to, text: '正文' })
  await person.call('sendMail', { outgoingId, version })
  await sql`update outgoing_mail set send_at = 0 where id = ${outgoingId}`.execute(world.app.db)
  return outgoingId
}
const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
const outcome = (person: Person, outgoingId: number) => async () =>
  (await person.call('getOutgoingMail', { outgoingId })).state

test('[R290] a receiver that the server refuses for now does not keep the mail from the others, and is named', async () => {
  const smtp = await startMailServer({
    ...signedIn,
    onRcptTo({ address }, _session, done) {
      done(address === 'busy@example.com' ? refusal(451, 'try later') : undefined)
    },
  })
  const eva = await world.person('odd-eva')
  const outgoingId = await sent(eva, smtp.port, ['a@example.com', 'busy@example.com', 'b@example.com'])
  await expect.poll(outcome(eva, outgoingId)).toBe('filed')
  expect(await eva.call('getOutgoingMail', { outgoingId })).toMatchObject({ refusedReceivers: ['busy@example.com'] })
  expect(smtp.mails.map(({ to }) => to)).toEqual([['a@example.com', 'b@example.com']])
})

test('[R290] a mail that the server finds too large at its end has failed, and says so', async () => {
  const smtp = await startMailServer({
    ...signedIn,
    onData(stream, _session, done) {
      stream.resume()
      stream.on('end', () => done(refusal(552, 'message too big')))
    },
  })
  const fritz = await world.person('odd-fritz')
  const outgoingId = await sent(fritz, smtp.port, ['a@example.com'])
  await expect.poll(outcome(fritz, outgoingId)).toBe('failed')
  expect((await fritz.call('getOutgoingMail', { outgoingId })).problem).toContain('message too big')
})

test('[R290] a mail that the server wants to see a second time is sent once, when it is asked again', async () => {
  let asked = 0
  const smtp = await startMailServer({
    ...signedIn,
    onRcptTo(_address, _session, done) {
      asked += 1
      done(asked === 1 ? refusal(451, 'greylisted, try again') : undefined)
    },
  })
  const gina = await world.person('odd-gina')
  const outgoingId = await sent(gina, smtp.port, ['a@example.com'])
  await expect.poll(() => asked).toBe(1)
  await expect.poll(outcome(gina, outgoingId)).toBe('queued')
  await expect
    .poll(async () => {
      await sql`update job set due = 0 where kind = 'mail.deliver' and state = 'waiting'`.execute(world.app.db)
      return outcome(gina, outgoingId)()
    })
    .toBe('filed')
  expect(smtp.mails).toHaveLength(1)
})

test.each([
  ['before the mail has arrived', (line: string) => /^DATA/i.test(line), 0],
  ['after the mail has arrived, before the answer', (line: string) => line === '.', 1],
] as const)(
  '[R290] a connection that breaks %s leaves the mail unsure: it is not sent again by itself',
  async (_, isEnd, arrived) => {
    const smtp = await startMailServer(signedIn)
    const way = await wayTo(smtp.port, {
      command(line, socket) {
        if (!isEnd(line)) return undefined
        // The last line goes through; its answer does not come back.
        if (arrived === 0) socket.destroy()
        return arrived === 0 ? { answer: '' } : undefined
      },
      answer(text, socket) {
        if (smtp.mails.length > 0) socket.destroy()
        return smtp.mails.length > 0 ? '' : text
      },
    })
    const hera = await world.person('odd-hera')
    const outgoingId = await sent(hera, way.port, ['a@example.com'])
    await expect.poll(outcome(hera, outgoingId)).toBe('unsure')
    await sql`update job set due = 0 where kind = 'mail.deliver' and state = 'waiting'`.execute(world.app.db)
    expect(smtp.mails).toHaveLength(arrived)
  },
)

// [R290] Addresses with Chinese letters leave where the server takes them; where it does not, the reason is named.
test('[R290] an address with Chinese letters is sent where the server offers it, its domain in ASCII otherwise', async () => {
  const smtp = await startMailServer(signedIn)
  const kim = await world.person('odd-kim')
  const outgoingId = await sent(kim, smtp.port, ['张三@例子.中国', 'wang@例子.中国'])
  await expect.poll(outcome(kim, outgoingId)).toBe('filed')
  expect(smtp.mails.map(({ to }) => to.length)).toEqual([2])
  expect(smtp.mails[0]?.to.map((address) => address.split('@')[0])).toEqual(['张三', 'wang'])
  expect(smtp.mails[0]?.source).toContain('张三@')

  const old = await startMailServer({ ...signedIn, hideSMTPUTF8: true })
  const lou = await world.person('odd-lou')
  const way = await wayTo(old.port, {})
  const domainOnly = await sent(lou, way.port, ['wang@例子.中国'])
  await expect.poll(outcome(lou, domainOnly)).toBe('filed')
  expect(way.said.filter((line) => /^RCPT/i.test(line))).toEqual(['RCPT TO:<wang@xn--fsqu00a.xn--fiqs8s>'])
  expect(old.mails[0]?.source).toContain('wang@xn--fsqu00a.xn--fiqs8s')
  expect(old.mails[0]?.source).not.toMatch(/\P{ASCII}/u)
})

test('[R290] a server that takes no addresses with Chinese letters gets nothing, and the mail says which they are', async () => {
  const smtp = await startMailServer({ ...signedIn, hideSMTPUTF8: true })
  const max = await world.person('odd-max')
  const outgoingId = await sent(max, smtp.port, ['a@example.com', '张三@example.com'])
  await expect.poll(outcome(max, outgoingId)).toBe('failed')
  const { problem } = await max.call('getOutgoingMail', { outgoingId })
  expect(problem).toContain('SMTPUTF8')
  expect(problem).toContain('张三@example.com')
  expect(smtp.mails).toEqual([])
})

test('[R290] more receivers than a field takes are refused by name; those that the server has no room for are named, nobody gets the mail twice', async () => {
  const most = 100
  const smtp = await startMailServer({
    ...signedIn,
    onRcptTo(_address, { envelope }, done) {
      done(envelope.rcptTo.length >= most ? refusal(452, 'too many recipients') : undefined)
    },
  })
  const ned = await world.person('odd-ned')
  const people = Array.from({ length: 5000 }, (_, n) => `p${n}@example.com`)
  const boxId = await boxOf(ned, 'ned', { mailProtocol: 'pop3', popPort: 1 })
  const to = people.map((address) => ({ name: '', address }))
  expect(await ned.refusal('createMailDraft', { boxId, to })).toBe('tooMany')
  const outgoingId = await sent(ned, smtp.port, people.slice(0, 250))
  await expect.poll(outcome(ned, outgoingId)).toBe('filed')
  expect(smtp.mails.map((mail) => mail.to)).toEqual([people.slice(0, most)])
  const { refusedReceivers } = await ned.call('getOutgoingMail', { outgoingId })
  expect(refusedReceivers).toEqual(people.slice(most, 250))
})

test('[R290] a mail server or a sender whose clock is ahead puts no mail into the future', async () => {
  const dovecot = await startDovecot(['olga'])
  const olga = await world.person('odd-olga')
  const date = 'Sat, 01 Jan 2101 10:00:00 +0800'
  await dovecot.deliver('olga', mailText('来自未来', '正文', { Date: date }))
  const way = await wayTo(dovecot.imapPort, {
    answer: (text) => text.replaceAll(/INTERNALDATE "[^"]+"/g, 'INTERNALDATE "01-Jan-2101 10:00:00 +0800"'),
  })
  const boxes = [
    await boxOf(olga, 'olga', { imapPort: way.port }),
    await boxOf(olga, 'olga2', { loginName: 'olga', mailProtocol: 'pop3', popPort: dovecot.popPort }),
  ]
  for (const boxId of boxes) {
    await fetched(olga, boxId)
    const [mail] = (await olga.call('getMailList', { boxId })).list
    expect(mail?.mailTitle).toBe('来自未来')
    expect(mail?.mailTime).toBeLessThanOrEqual(Date.now())
    expect(mail?.mailTime).toBeGreaterThan(Date.now() - 600_000)
  }
})

// [R290] A network that swallows packets without an end of the connection: new mail is here soon after it is back.
longTest(
  '[R290] a connection that goes dead while it waits is noticed, and new mail is here within a minute of the return',
  async () => {
    const dovecot = await startDovecot(['ines'])
    const open = new Set<Socket>()
    let dead: ReadonlySet<Socket> = new Set()
    let isIdle = false
    let isDown = false
    const way = await wayTo(dovecot.imapPort, {
      command(line, socket) {
        open.add(socket)
        socket.once('close', () => open.delete(socket))
        isIdle ||= /^\S+ IDLE$/i.test(line)
        return undefined
      },
      isDead: (socket) => isDown || dead.has(socket),
    })
    const ines = await world.person('odd-ines')
    const page = await ines.listen()
    const boxId = await boxOf(ines, 'ines', { imapPort: way.port, fetch: true })
    await expect.poll(() => isIdle).toBe(true)
    isDown = true
    dead = new Set(open)
    await dovecot.deliver('ines', mailText('停网期间'))
    // The server here gives the dead connection up by itself.
    await expect.poll(() => [...dead].some((socket) => open.has(socket)), { timeout: 600_000 }).toBe(false)
    isDown = false
    await expect.poll(() => titles(ines, boxId), { timeout: 60_000 }).toEqual(['停网期间'])
    await page.close()
  },
)
