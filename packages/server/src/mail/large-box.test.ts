// A large mailbox: it is fetched in bounded memory, newest mails first, and is usable meanwhile. The server that fetches is
// a process of its own, whose memory the kernel counts.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { longTest } from '../../test/full.ts'
import { openWorld, storeOf } from '../../test/harness.ts'
import { mailText, startDovecot } from '../../test/mails.ts'
import { ServerProcess } from '../../test/server-process.ts'

const script = join(import.meta.dirname, '../../test/stopping-server.ts')
const count = 100_000
/** Megabytes of the heap of the server, of which it uses some 120 at rest: what grew with the mails would end it. */
const heapMb = 256
const mostResident = 640 * 1024 * 1024

// [R290] A mailbox of 100,000 mails is fetched in bounded memory; the newest are there first, and are read and searched
// while older ones follow.
longTest('[R290] a mailbox of 100,000 mails is fetched in bounded memory, and is usable meanwhile', async () => {
  const world = await openWorld({ elected: false })
  await (await world.admin()).call('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
  const dovecot = await startDovecot(['anna'])
  await dovecot.fill('anna', count, (n) => mailText(n === 0 ? '最早的来信' : `第 ${n} 封`, `正文 ${n} `.repeat(100)))
  const anna = await world.person('anna')
  const { boxId } = await anna.call('createMailbox', {
    ...{ account: 'anna@example.com', loginName: 'anna', password: 'secret', mailProtocol: 'imap', fetch: false },
    ...{ imapAddress: '127.0.0.1', imapPort: dovecot.imapPort, popAddress: '', smtpAddress: '', ssl: false },
  })
  await anna.call('fetchMail', { boxId })
  const server = new ServerProcess(
    [JSON.stringify(world.database), await storeOf(world), 'nowhere'],
    { NODE_OPTIONS: `--max-old-space-size=${heapMb}` },
    script,
  )
  const memory = async (): Promise<number> => {
    const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
  }
  const stored = async (): Promise<number> => {
    const { n } = await world.app.db
      .selectFrom('mail')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return n
  }
  const list = async (more: object = {}) => (await anna.call('getMailList', { boxId, ...more })).list
  try {
    await server.ready()
    await expect.poll(async () => (await list()).length, { timeout: 300_000 }).toBeGreaterThan(0)
    expect((await list())[0]?.mailTitle).toBe(`第 ${count - 1} 封`)
    expect(await list({ keyword: String(count - 1) })).toHaveLength(1)
    await expect.poll(stored, { timeout: 600_000, interval: 500 }).toBeGreaterThan(count / 10)
    let most = 0
    await expect
      .poll(
        async () => {
          most = Math.max(most, await memory())
          return stored()
        },
        { timeout: 1_700_000, interval: 500 },
      )
      .toBe(count)
    expect(most).toBeLessThan(mostResident)
    await expect.poll(async () => (await anna.call('getMailbox', { boxId })).isFetching).toBe(false)
    expect(await list({ keyword: '最早的来信' })).toMatchObject([{ mailTitle: '最早的来信' }])
  } finally {
    server.child.kill('SIGKILL')
    await server.exited
  }
})
