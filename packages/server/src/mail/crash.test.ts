// A server that is killed while it sends or fetches mail: nothing is lost, and nothing is sent or stored twice. The
// receiver has a mailbox of a real IMAP server; what counts is the Message-ID there.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { few } from '../../test/full.ts'
import { openWorld, type Person, storeOf, type World } from '../../test/harness.ts'
import { startMailServer } from '../../test/mail-server.ts'
import { type Dovecot, mailText, startDovecot } from '../../test/mails.ts'
import { ServerProcess } from '../../test/server-process.ts'

const script = join(import.meta.dirname, '../../test/stopping-server.ts')

/** Starts a server that stops at a point, and kills it there. */
async function killedAt(world: World, point: string): Promise<void> {
  const server = new ServerProcess([JSON.stringify(world.database), await storeOf(world), point], {}, script)
  await server.says(/stopped/)
  server.child.kill('SIGKILL')
  await server.exited
}

/** The Message-IDs of a folder at the server. */
async function idsIn(dovecot: Dovecot, user: string, folder = ''): Promise<string[]> {
  const root = folder === '' ? dovecot.mailOf(user) : join(dovecot.mailOf(user), `.${folder}`)
  const found: string[] = []
  for (const part of ['new', 'cur'])
    for (const name of await readdir(join(root, part)).catch(() => []))
      found.push(/^message-id:\s*(\S+)/im.exec(await readFile(join(root, part, name), 'utf8'))?.[1] ?? '')
  return found
}

async function scene() {
  const world = await openWorld({ elected: false })
  await (await world.admin()).call('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
  const dovecot = await startDovecot(['anna', 'ben'])
  // What it takes is in the mailbox of the receiver.
  const smtp = await startMailServer({
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    onAuth: ({ username = '' }, _session, done) => done(null, { user: username }),
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const stored = async (): Promise<void> => {
          await dovecot.deliver('ben', Buffer.concat(chunks))
          done()
        }
        void stored()
      })
    },
  })
  const box = async (person: Person, name: string): Promise<number> => {
    const made = await person.call('createMailbox', {
      ...{ account: `${name}@example.com`, loginName: name, password: 'secret', mailProtocol: 'imap', fetch: false },
      ...{ imapAddress: '127.0.0.1', imapPort: dovecot.imapPort, popAddress: '127.0.0.1', popPort: dovecot.popPort },
      ...{ smtpAddress: '127.0.0.1', smtpPort: smtp.port, ssl: false },
    })
    return made.boxId
  }
  const anna = await world.person('anna')
  return { world, dovecot, anna, boxId: await box(anna, 'anna') }
}

/** The installation after the crash: the lease of the killed process is over. */
const restarted = (world: World) => openWorld({ peer: world, now: () => Date.now() + 10 * 60_000 })

const stateOf = async (person: Person, outgoingId: number) =>
  (await person.call('getOutgoingMail', { outgoingId })).state

// [R290] A server that is killed while it sends a mail loses none and sends none twice: what may or may not have been
// sent is shown as such to its writer, who decides.
test.each(
  few(2, [
    { point: 'mail accepted', becomes: 'unsure', arrived: 1 },
    { point: 'job mail.deliver taken', becomes: 'filed', arrived: 1 },
    { point: 'job mail.deliver ran', becomes: 'filed', arrived: 1 },
    { point: 'mail handed over', becomes: 'unsure', arrived: 0 },
  ] as const),
)('[R290] killed while it sends (at “$point”): nothing is lost or sent twice', async ({ point, becomes, arrived }) => {
  const { world, dovecot, anna, boxId } = await scene()
  const { outgoingId } = await anna.call('createMailDraft', { boxId, subject: '合同' })
  const saved = await anna.call('saveMailDraft', {
    ...{ outgoingId, version: 1, boxId, subject: '合同', text: '见附件', html: '' },
    to: [{ name: '', address: 'ben@example.com' }],
  })
  await anna.call('sendMail', { outgoingId, version: saved.version })
  await sql`update outgoing_mail set send_at = 0 where id = ${outgoingId}`.execute(world.app.db)
  const [{ id } = { id: '' }] = (
    await sql<{ id: string }>`select message_id as id from outgoing_mail where id = ${outgoingId}`.execute(world.app.db)
  ).rows
  await killedAt(world, point)
  const after = await restarted(world)
  const writer = await after.signIn('anna', 7)
  await expect.poll(() => stateOf(writer, outgoingId)).toBe(becomes)
  expect(await idsIn(dovecot, 'ben')).toEqual(Array.from({ length: arrived }, () => `<${id}>`))
  expect(await idsIn(dovecot, 'anna', 'Sent')).toEqual(becomes === 'filed' ? [`<${id}>`] : [])
  if (becomes === 'filed') return
  // It is not lost: it waits for its writer, with what to do. Sent once more it has the same Message-ID, by which
  // receiving servers know it again.
  const { list } = await writer.call('getOutgoingMails', { what: 'waiting' })
  expect(list).toMatchObject([{ outgoingId, state: 'unsure' }])
  const { version } = await writer.call('getOutgoingMail', { outgoingId })
  await writer.call('sendMail', { outgoingId, version })
  await sql`update outgoing_mail set send_at = 0 where id = ${outgoingId}`.execute(after.app.db)
  await expect.poll(() => stateOf(writer, outgoingId)).toBe('filed')
  expect([...new Set(await idsIn(dovecot, 'ben'))]).toEqual([`<${id}>`])
  expect(await idsIn(dovecot, 'anna', 'Sent')).toEqual([`<${id}>`])
})

test.each(few(1, ['mails fetched', 'job mail.fetch ran']))(
  '[R290] killed while it fetches (at “%s”): each mail is here once',
  async (point) => {
    const { world, dovecot, anna, boxId } = await scene()
    const subjects = Array.from({ length: 120 }, (_, n) => `第 ${n} 封`)
    for (const subject of subjects) await dovecot.deliver('anna', mailText(subject))
    await anna.call('fetchMail', { boxId })
    await killedAt(world, point)
    const after = await restarted(world)
    const reader = await after.signIn('anna', 7)
    await expect.poll(async () => (await reader.call('getMailbox', { boxId })).state).toBe('ok')
    await expect.poll(async () => (await reader.call('getMailbox', { boxId })).isFetching).toBe(false)
    const { list } = await reader.call('getMailList', { boxId, role: 'inbox', rows: 200 })
    expect(list.map(({ mailTitle }) => mailTitle).toSorted()).toEqual(subjects.toSorted())
  },
)
