/*
 * Both channels against a model: changes and confirmations in any order while sockets are killed and reconnect over
 * either channel. Every permitted client sees every event exactly once, in order, and nobody else sees it.
 */
import { PUSH_PATH, pushes } from '@cloudoc/contract'
import { beforeAll, expect, inject, test } from 'vitest'
import { WebSocket } from 'ws'
import { foreignFrame, readForeign } from '../../../test/foreign-client.ts'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { randomOf } from '../../../test/random.ts'

const world = sharedWorld()
const kills = inject('full') ? 1000 : 40

beforeAll(async () => {
  await (await world.admin()).call('setServerSetting', { old_push: true })
})

type Kind = 'json' | 'binary'
interface Came {
  readonly pushType: number
  readonly identity: number
  readonly data: Record<string, unknown>
}

function readJson(bytes: Buffer): Came {
  const { pushType, identity, data } = JSON.parse(bytes.toString()) as {
    readonly pushType: number
    readonly identity: string
    readonly data: Record<string, unknown>
  }
  return { pushType, identity: Number(identity), data }
}

function readBinary(bytes: Buffer): Came {
  const { pushType, identity, body } = readForeign(bytes)
  return { pushType, identity: Number(identity), data: (body ?? {}) as Record<string, unknown> }
}

/**
 * A client on one device of a user. It remembers its cursor, drops events it has seen, and reconnects over either
 * channel.
 */
class Device {
  readonly person: Person
  readonly seen: Came[] = []
  /** Violations of the contract. */
  readonly wrong: string[] = []
  private readonly known = new Set<number>()
  private socket: WebSocket | undefined
  private cursor = ''
  private epoch = ''
  private replay = { left: 0, newest: '' }
  unconfirmed: Came[] = []
  /** True after the first login: from then on it has a cursor. */
  isWelcome = false
  private waiting: (() => void)[] = []

  constructor(person: Person) {
    this.person = person
  }

  async come(kind: Kind): Promise<void> {
    const port = await world.port()
    const socket = new WebSocket(`ws://127.0.0.1:${port}${kind === 'json' ? PUSH_PATH : ''}`)
    this.socket?.terminate()
    this.socket = socket
    let last = 0
    socket.on('error', () => undefined)
    socket.on('open', () => {
      const { token, userId: accountId } = this.person
      // Clients written to the decisions do not know the epoch.
      if (kind === 'binary') {
        socket.send(foreignFrame(18, 0n, JSON.stringify({ accountId, token, lastIdentity: this.cursor })))
      } else socket.send(JSON.stringify({ cmd: 'login', token, lastIdentity: this.cursor, epoch: this.epoch }))
    })
    socket.on('message', (bytes: Buffer) => {
      if (this.socket !== socket) return
      const came = kind === 'json' ? readJson(bytes) : readBinary(bytes)
      if (came.pushType === 1) return
      if (came.pushType === 18) this.welcome(came.data)
      else {
        // One connection receives nothing twice, and everything in order.
        if (came.identity <= last) this.wrong.push(`${came.identity} after ${last}`)
        last = came.identity
        this.take(came)
      }
    })
  }

  private welcome(data: Record<string, unknown>): void {
    if (data['refetch'] !== false) this.wrong.push('it was to fetch again')
    this.epoch = String(data['epoch'])
    this.isWelcome = true
    for (const look of this.waiting.splice(0)) look()
    this.replay = { left: Number(data['backlog']), newest: String(data['lastIdentity']) }
    if (this.replay.left === 0) this.cursor = this.replay.newest
  }

  private take(came: Came): void {
    // Fewer events follow than announced if the other device has confirmed some meanwhile.
    const isReplay = this.replay.left > 0 && came.identity <= Number(this.replay.newest)
    if (isReplay) {
      this.replay.left -= 1
      if (this.replay.left === 0) this.cursor = this.replay.newest
    } else this.cursor = String(came.identity)
    if (came.pushType === 55) this.unconfirmed.push(came)
    if (this.known.has(came.identity)) return
    this.known.add(came.identity)
    this.seen.push(came)
    for (const look of this.waiting.splice(0)) look()
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  async confirm(): Promise<void> {
    const list = this.unconfirmed
      .slice(0, 100)
      .map(({ pushType, identity }) => ({ pushType, identity: String(identity) }))
    this.unconfirmed = []
    if (list.length > 0) await this.person.call('confirmMsg', { clientType: 6, list })
  }

  kill(): void {
    this.socket?.terminate()
  }

  /** The names of added folders with this prefix, in order of arrival. */
  added(prefix: string): string[] {
    return this.seen
      .filter(({ pushType, data }) => pushType === 8 && data['operateType'] === 2)
      .map(({ data }) => String(data['fName']))
      .filter((name) => name.startsWith(prefix))
  }

  get shared(): string[] {
    return this.seen.filter(({ pushType }) => pushType === 55).map(({ data }) => String(data['docName']))
  }
}

// [R307] Both channels against a model, with killed servers, two machines and confirmations.
// [R400] Changes, follows and shares are pushed from their own events only to people who may see them; each other type is
// proven at its feature.
test('[R307] [R308] [R309] [R342] [R400] whatever breaks, each event is seen once by who may see it, in its order, over either channel', async () => {
  const random = randomOf(20_261_124)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const kindOf = (): Kind => pick(['json', 'binary'])
  const [anna, ben, cara, dan] = await Promise.all(['anna', 'ben', 'cara', 'dan'].map((name) => world.person(name)))
  if (!anna || !ben || !cara || !dan) throw new Error('nobody')
  const folders = [
    { id: await anna.folder(anna.library, 'of both'), readers: [ben, cara] },
    { id: await anna.folder(anna.library, 'of one'), readers: [ben] },
    { id: await anna.folder(anna.library, 'of nobody'), readers: [] },
  ]
  for (const { id, readers } of folders) {
    if (readers.length > 0)
      await anna.shares(
        { folderId: id },
        readers.map((to) => ({ to, rights: 270 })),
      )
  }
  const devices = [ben, cara, dan].flatMap((person) => [new Device(person)])
  for (const person of [ben, cara]) devices.push(new Device(await world.signIn(person.account, 7)))
  await world.app.settle()
  for (const device of devices) await device.come(kindOf())
  // All events from this point on count.
  for (const device of devices) await device.until(() => device.isWelcome)
  await anna.folder(folders[0]?.id ?? 0, 'n0')
  const expected = new Map(devices.map((device) => [device, [] as string[]]))
  const sharedWith = new Map<number, string[]>(devices.map(({ person }) => [person.userId, []]))
  const readersOf = (readers: readonly Person[]): Device[] =>
    devices.filter(({ person }) => readers.some(({ userId }) => userId === person.userId))
  for (const device of readersOf([ben, cara])) {
    expected.get(device)?.push('n0')
    await device.until(() => device.added('n').length === 1)
  }

  let n = 0
  const mine = { killed: 0 }
  while (mine.killed < kills) {
    n += 1
    const chance = random()
    if (chance < 0.5) {
      const { id, readers } = pick(folders)
      await anna.folder(id, `n${n}`)
      for (const device of readersOf(readers)) expected.get(device)?.push(`n${n}`)
    } else if (chance < 0.6) {
      const folderId = await anna.folder(anna.library, `s${n}`)
      const to = pick([ben, cara])
      await anna.shares({ folderId }, [{ to, rights: 270 }])
      sharedWith.get(to.userId)?.push(`s${n}`)
    } else if (chance < 0.7) await pick(devices).confirm()
    else {
      const device = pick(devices)
      device.kill()
      mine.killed += 1
      // Some stay offline for a while, some are killed again while they reconnect.
      if (random() < 0.8) await device.come(kindOf())
    }
  }
  for (const device of devices) await device.come(kindOf())
  await world.app.settle()
  await anna.folder(folders[0]?.id ?? 0, 'nend')
  await dan.folder(dan.library, 'nend')
  for (const device of devices) {
    expected.get(device)?.push('nend')
    await device.until(() => device.added('nend').length === 1)
    expect(device.wrong).toEqual([])
    expect(device.added('n')).toEqual(expected.get(device))
    // A folder that was shared after its creation is not announced at creation. A replay uses current permissions, so
    // it delivers the folder after events that a device has seen meanwhile.
    const order = device.seen
      .filter(({ pushType, data }) => pushType !== 8 || !String(data['fName']).startsWith('s'))
      .map(({ identity, pushType, data }) => ({
        identity,
        what: `${pushType} ${String(data['fName'] ?? data['docName'])}`,
      }))
    expect(order).toEqual(order.toSorted((a, b) => a.identity - b.identity))
  }
  // What one device has confirmed is not sent to the other: both devices together have received everything, each at
  // most once.
  for (const person of [ben, cara]) {
    const own = readersOf([person])
    const all = sharedWith.get(person.userId) ?? []
    const first = ['of both', ...(person === ben ? ['of one'] : [])]
    expect([...new Set(own.flatMap(({ shared }) => shared))].toSorted()).toEqual([...first, ...all].toSorted())
    for (const { shared } of own) expect(new Set(shared).size).toBe(shared.length)
  }
  const ofItems: number[] = [pushes.followChange, pushes.fileChange, pushes.folderChange, pushes.shareRemind].map(
    ({ type }) => type,
  )
  const told = readersOf([dan])[0]?.seen.filter(({ pushType }) => ofItems.includes(pushType)) ?? []
  expect(told.map(({ data }) => data['fName'])).toEqual(['nend'])
  for (const device of devices) device.kill()
})
