// Webhooks: each change arrives signed, at least once, in order for each object, and only if its owner may know of it.
import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { ServerProcess } from '../../../test/server-process.ts'
import { createSender } from './send.ts'

interface Message {
  readonly id: string
  readonly type: string
  readonly position: number
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A program of the company that receives webhooks. Answers by `answer`. */
class Receiver {
  readonly messages: Message[] = []
  answer: (message: Message) => number = () => 204
  address = ''
  private server: Server | undefined

  async open(): Promise<void> {
    this.server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on('end', () => {
        const { type, position, data } = JSON.parse(body) as {
          type: string
          position: number
          data: { fName?: string }
        }
        const headers = request.headers as Record<string, string>
        const message = { id: headers['webhook-id'] ?? '', type, position, name: data.fName ?? '', headers, body }
        this.messages.push(message)
        response.writeHead(this.answer(message)).end()
      })
    })
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve))
    this.address = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`
  }

  close(): void {
    this.server?.closeAllConnections()
    this.server?.close()
  }
}

let world: World
let admin: Person
let receiver: Receiver
let ahead = 0
let died: boolean
/** Called when a message was sent, before its outcome is written. */
let sent: () => unknown

beforeEach(async () => {
  ahead = 0
  died = false
  sent = () => {}
  world = await openWorld({ elected: false })
  admin = await world.admin()
  receiver = new Receiver()
  await receiver.open()
  // The reader begins at the newest change.
  await world.app.settle()
})
afterEach(() => receiver.close())

/** Reads the events and sends what is due, as the elected process does, until nothing more is due. */
async function deliver(): Promise<void> {
  await world.app.settle()
  const ending = new AbortController()
  const { services } = world.app
  const send = createSender({
    ...services,
    now: () => Date.now() + ahead,
    async pause(point) {
      if (point === 'webhook sent') await sent()
      if (died) throw new Error('the process was killed')
    },
  })
  await Promise.all(await send(ending.signal))
}

async function create(topics: ('items' | 'notices' | 'comments')[] = ['items']) {
  return admin.call('createWebhook', { name: `ERP ${topics.join(' ')}`, address: receiver.address, topics })
}

const names = (): string[] => receiver.messages.map(({ name, type }) => `${type} ${name}`)

test('a change arrives signed, once its program knows the secret; it alone verifies', async () => {
  const { webhookId, secret } = await create()
  await admin.upload(admin.library, '合同.txt', 'a')
  await deliver()
  expect(names()).toEqual(['fileChange 合同.txt'])
  const [{ headers, body, id, position } = { headers: {} as Record<string, string>, body: '', id: '', position: 0 }] =
    receiver.messages
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${headers['webhook-timestamp']}.${body}`).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${expected}`)
  expect(id).toBe(`${webhookId}-${position}`)
  const { secret: second } = await admin.call('renewWebhookSecret', { webhookId })
  expect(second).not.toBe(secret)
  await admin.call('testWebhook', { webhookId })
  await deliver()
  expect(receiver.messages[1]?.type).toBe('test')
  expect(receiver.messages[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
  const { list } = await admin.call('getWebhooks', {})
  expect(list).toMatchObject([{ webhookId, waiting: 0, dead: 0, problem: '', isOwn: true }])
  expect(JSON.stringify(list)).not.toContain(second.slice(6))
})

test('what fails is tried again, later changes of the object wait for it, others do not; at the end it is a dead letter', async () => {
  const { webhookId } = await create()
  const folderId = await admin.folder(admin.library, '甲')
  await deliver()
  receiver.answer = ({ body }) => (body.includes(`"fId":${folderId},`) ? 503 : 204)
  receiver.messages.length = 0
  await admin.call('renameFolder', { folderId, folderName: '甲一' })
  await admin.call('renameFolder', { folderId, folderName: '甲二' })
  await admin.folder(admin.library, '乙')
  await deliver()
  expect(receiver.messages).toHaveLength(2)
  const [failed] = receiver.messages.filter(({ body }) => body.includes(`"fId":${folderId},`))
  const of = () => receiver.messages.filter(({ body }) => body.includes(`"fId":${folderId},`))
  ahead += 6000
  await deliver()
  expect(of().map(({ id }) => id)).toEqual([failed?.id, failed?.id])
  for (let n = 0; n < 10; n += 1) {
    ahead += 9 * 60 * 60_000
    await deliver()
  }
  // The first was given up; the second is being tried.
  const dead = await admin.call('getWebhookDeliveries', { webhookId, state: 'dead' })
  expect(dead.list).toMatchObject([{ position: failed?.position, attempts: 11, status: 503, problem: 'HTTP 503' }])
  receiver.answer = () => 204
  receiver.messages.length = 0
  const deliveryId = dead.list[0]?.deliveryId ?? 0
  const asked = { webhookId, deliveryIds: [deliveryId, 987_654_321] }
  expect(await admin.call('retryWebhookDeliveries', asked)).toEqual({ retried: [deliveryId] })
  ahead += 9 * 60 * 60_000
  await deliver()
  expect(of().map(({ position }) => position)).toEqual([failed?.position, (failed?.position ?? 0) + 1])
})

test('a process that dies before it has noted the outcome leaves a delivery that is sent again, with the same id', async () => {
  await create()
  await admin.upload(admin.library, 'a.txt', 'a')
  died = true
  await deliver()
  expect(receiver.messages).toHaveLength(1)
  died = false
  await deliver()
  expect(receiver.messages).toHaveLength(1)
  ahead += 61_000
  await deliver()
  expect(receiver.messages.map(({ id }) => id)).toEqual([receiver.messages[0]?.id, receiver.messages[0]?.id])
  ahead += 61_000
  await deliver()
  expect(receiver.messages).toHaveLength(2)
})

test('a server that is killed while it sends leaves what another one sends again, with the same id', async () => {
  await create()
  await admin.upload(admin.library, 'a.txt', 'a')
  const script = join(import.meta.dirname, '../../../test/stopping-server.ts')
  const args = [JSON.stringify(world.database), join(world.folder, 'blobs'), 'webhook sent']
  const server = new ServerProcess(args, {}, script)
  await server.says(/stopped/)
  server.child.kill('SIGKILL')
  await server.exited
  expect(names()).toEqual(['fileChange a.txt'])
  ahead += 61_000
  await deliver()
  expect(receiver.messages.map(({ id }) => id)).toEqual([receiver.messages[0]?.id, receiver.messages[0]?.id])
})

test('whatever fails, dies or is sent anew, all of an object arrives, and its last message last', async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ act: fc.constant('change' as const), of: fc.nat(1) }) },
    { weight: 4, arbitrary: fc.constant({ act: 'send' as const, of: 0 }) },
    { weight: 2, arbitrary: fc.constant({ act: 'refuse' as const, of: 0 }) },
    { weight: 2, arbitrary: fc.constant({ act: 'die' as const, of: 0 }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('replay' as const), of: fc.nat(6) }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('replay while sending' as const), of: fc.nat(6) }) },
  )
  const { webhookId } = await create()
  const folders = [1, 2].map((n) => admin.folder(admin.library, `甲 ${n}`))
  const ids = await Promise.all(folders)
  await deliver()
  let named = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      receiver.messages.length = 0
      const { position: begun } = await admin.call('getWebhooks', {})
      const changes = ids.map(() => 0)
      const replay = (from: number) => admin.call('replayWebhook', { webhookId, position: begun + 1 + from })
      for (const { act, of } of steps) {
        if (act === 'change') {
          named += 1
          changes[of] = (changes[of] ?? 0) + 1
          await admin.call('renameFolder', { folderId: ids[of] ?? 0, folderName: `乙 ${named}` })
          continue
        }
        if (act === 'replay') await replay(of)
        receiver.answer = () => (act === 'refuse' ? 503 : 204)
        died = act === 'die'
        let isDone = act !== 'replay while sending'
        sent = () => {
          if (isDone) return undefined
          isDone = true
          return replay(of)
        }
        await deliver()
        ahead += 61_000
      }
      receiver.answer = () => 204
      died = false
      sent = () => undefined
      for (let n = 0; n < 3; n += 1) {
        ahead += 24 * 60 * 60_000
        await deliver()
      }
      for (const [n, folderId] of ids.entries()) {
        const of = receiver.messages.filter(({ body }) => body.includes(`"fId":${folderId},`))
        const positions = of.map(({ position }) => position)
        expect(new Set(positions).size).toBe(changes[n])
        expect(positions.at(-1)).toBe(positions.length === 0 ? undefined : Math.max(...positions))
      }
    }),
    {
      numRuns: 15,
      // What is replayed while the newest is being sent must not arrive after it.
      examples: [
        [
          [
            { act: 'change', of: 0 },
            { act: 'send', of: 0 },
            { act: 'change', of: 0 },
            { act: 'replay while sending', of: 0 },
          ],
        ],
      ],
    },
  )
}, 60_000)

test('nothing arrives that the owner may not see, not even by a right that ended before it was sent, nor by a replay', async () => {
  const { webhookId } = await create()
  const anna = await world.person('anna')
  const folderId = await anna.folder(anna.library, '保密')
  await anna.upload(folderId, '薪酬.txt', 'a')
  await deliver()
  expect(names()).toEqual([])
  await anna.shares({ folderId }, [{ to: admin, rights: rightsGroup.edit }])
  await deliver()
  receiver.messages.length = 0
  receiver.answer = () => 500
  await anna.upload(folderId, '名单.txt', 'b')
  await deliver()
  expect(names()).toEqual(['fileChange 名单.txt'])
  receiver.answer = () => 204
  receiver.messages.length = 0
  await anna.shares({ folderId }, [])
  ahead += 24 * 60 * 60_000
  await deliver()
  expect(receiver.messages.filter(({ body }) => body.includes('名单') || body.includes('薪酬'))).toEqual([])
  receiver.messages.length = 0
  await admin.call('replayWebhook', { webhookId, position: 0 })
  await deliver()
  expect(receiver.messages.filter(({ body }) => body.includes('名单') || body.includes('薪酬'))).toEqual([])
  const { list } = await admin.call('getWebhookDeliveries', { webhookId })
  expect(list.filter(({ state }) => state === 'waiting')).toEqual([])
})

test.each(['frozen', 'locked'])(
  'what happens while the owner is %s is sent afterwards, as far as they may know of it then',
  async (state) => {
    const ben = await world.person('ben')
    const shared = await ben.folder(ben.library, '共用')
    await ben.shares({ folderId: shared }, [{ to: admin, rights: rightsGroup.edit }])
    const { webhookId } = await create()
    const setState = (to: string) =>
      sql`update account set state = ${to} where id = ${admin.userId}`.execute(world.app.db)
    await deliver()
    receiver.messages.length = 0
    await setState(state)
    await ben.upload(shared, '看得到.txt', 'a')
    await ben.upload(ben.library, '看不到.txt', 'b')
    for (let n = 0; n < 12; n += 1) {
      await deliver()
      ahead += 61_000
    }
    expect(names()).toEqual([])
    await setState('normal')
    // A lock ends by itself.
    expect((await admin.call('getWebhooks', {})).list[0]?.state).toBe(state === 'locked' ? 'active' : 'paused')
    if (state === 'frozen') await admin.call('pauseWebhook', { webhookId, paused: false })
    await deliver()
    expect(names()).toEqual(['fileChange 看得到.txt'])
  },
)

test('of what happens after the owner has left nothing is kept for their webhook', async () => {
  const ben = await world.person('ben')
  await create()
  await deliver()
  const setState = (to: string) =>
    sql`update account set state = ${to} where id = ${admin.userId}`.execute(world.app.db)
  const kept = async (): Promise<number> => {
    await world.app.settle()
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from webhook_delivery`.execute(world.app.db)
    return rows[0]?.n ?? 0
  }
  const before = await kept()
  await setState('disabled')
  await ben.upload(ben.library, '之后.txt', 'a')
  expect(await kept()).toBe(before)
  await setState('frozen')
  await ben.upload(ben.library, '又.txt', 'a')
  expect(await kept()).toBeGreaterThan(before)
  await setState('normal')
})

test('a replay sends everything from a position on again, in order, also to a webhook that is new', async () => {
  await admin.upload(admin.library, '旧.txt', 'a')
  await world.app.settle()
  const { position } = await admin.call('getWebhooks', {})
  const { webhookId } = await create()
  for (const name of ['一.txt', '二.txt']) await admin.upload(admin.library, name, 'a')
  await deliver()
  const first = receiver.messages.map(({ id }) => id)
  receiver.messages.length = 0
  await admin.call('replayWebhook', { webhookId, position: position + 1 })
  await deliver()
  expect(receiver.messages.map(({ id }) => id).toSorted()).toEqual(first.toSorted())
  receiver.messages.length = 0
  await admin.call('replayWebhook', { webhookId, position })
  await deliver()
  expect(names()).toContain('fileChange 旧.txt')
})

test('is paused without a loss, managed by system administrators alone, and changed by its owner alone', async () => {
  const { webhookId } = await create()
  await admin.call('pauseWebhook', { webhookId, paused: true })
  await admin.upload(admin.library, 'a.txt', 'a')
  await deliver()
  expect(receiver.messages).toEqual([])
  await admin.call('pauseWebhook', { webhookId, paused: false })
  await deliver()
  expect(names()).toEqual(['fileChange a.txt'])
  const ben = await world.person('ben')
  expect(await ben.refusal('getWebhooks', {})).toBe('noPermission')
  expect(await ben.refusal('testWebhook', { webhookId })).toBe('noPermission')
  for (const address of ['http://169.254.169.254/latest', 'http://[fe80::1]/', 'https://lin:secret@erp.example.com/']) {
    expect(await admin.refusal('createWebhook', { name: 'x', address, topics: ['items'] })).toBe('badRequest')
  }
  expect(
    await admin.refusal('createWebhook', { name: 'ERP items', address: receiver.address, topics: ['items'] }),
  ).toBe('alreadyExists')
  await world.app.db.updateTable('webhook').set({ owner_id: ben.userId }).execute()
  const to = { webhookId, name: 'y', address: receiver.address, topics: ['items' as const] }
  expect(await admin.refusal('changeWebhook', to)).toBe('noPermission')
  expect(await admin.refusal('replayWebhook', { webhookId, position: 0 })).toBe('noPermission')
  expect(await admin.refusal('renewWebhookSecret', { webhookId })).toBe('noPermission')
  receiver.messages.length = 0
  await ben.upload(ben.library, 'b.txt', 'b')
  await deliver()
  expect(receiver.messages).toEqual([])
  expect((await admin.call('getWebhooks', {})).list).toMatchObject([{ state: 'paused', problem: 'owner' }])
  await admin.call('deleteWebhook', { webhookId })
  expect((await admin.call('getWebhooks', {})).list).toEqual([])
})
