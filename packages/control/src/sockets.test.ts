// Who may speak to the sockets of the program, and what it answers ([R360], [R361]).
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codes, localEditAddress } from '@cloudoc/domain'
import { type Person, sharedWorld } from '@cloudoc/server/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { addressOf, serversOf } from './arguments.ts'
import { type Control, startControl } from './control.ts'
import { machineAddress } from './machine-address.ts'

const world = sharedWorld()
const mac = '00:1b:44:11:3a:b7'
let home: string
let control: Control
let server: string
let anna: Person
let fileId: number
const launched: string[] = []

const options = () => ({
  ...{ version: '1.0.0', folder: join(home, 'state'), documents: home, servers: [], machine: () => mac },
  ...{ ports: { device: 0, edit: 0 }, scanMs: 0, quietMs: 0 },
  launch: async (path: string): Promise<void> => void launched.push(path),
})
const address = async (): Promise<string> => {
  const { key } = await anna.call('createEditKey', { fileId, local: true })
  return localEditAddress({
    server,
    code: 'c',
    context: '',
    fileId,
    fileName: '图.dwg',
    version: 1,
    key,
    token: 'word',
  })
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'control-'))
  server = `http://127.0.0.1:${await world.port()}`
  await (await world.admin()).call('setServerSetting', { local_edit: true })
  anna = await world.person('anna-sockets')
  fileId = await anna.upload(anna.library, '图.dwg', 'lines')
  hands = { command: 'handshake', client_type: 'web', code: 'c', account: anna.account, token: 'word' }
  unlock = { command: 'unlockFile', code: 'c', account: anna.account }
  const started = await startControl(options())
  if (started === undefined) throw new Error('runs already')
  control = started
})
afterAll(async () => {
  await control.close()
  await rm(home, { recursive: true, force: true })
})

/** Sends messages from a page; returns the answers until the connection is closed or there are as many. */
async function ask(
  port: 'device' | 'edit',
  messages: readonly object[],
  { origin = server, host }: { origin?: string | undefined; host?: string } = {},
): Promise<unknown[]> {
  const page = new WebSocket(`ws://127.0.0.1:${control.sockets.ports[port]}`, {
    ...(origin !== '' && { origin }),
    ...(host !== undefined && { headers: { host } }),
  })
  const answers: unknown[] = []
  page.on('open', () => messages.forEach((message) => page.send(JSON.stringify(message))))
  page.on('message', (data: Buffer) => {
    const told = JSON.parse(data.toString()) as { event?: string }
    if (told.event === undefined) answers.push(told)
    if (answers.length === messages.length) page.close()
  })
  page.on('error', () => answers.push('refused'))
  await new Promise<void>((resolve) => page.on('close', () => resolve()))
  return answers
}
let hands: object
let unlock: object

// [R360] The device socket answers connect, and get_mac to pages it has met.
test('[R360] [R361] a page is told whether the program is there; more only after it was met with its word', async () => {
  const version = { option: 'connect', version: '1.0.0', sandbox: false }
  expect(await ask('device', [{ option: 'connect' }, { option: 'get_mac' }])).toEqual([version])
  expect(await ask('edit', [hands])).toEqual(['refused'])
  expect(await control.open(await address())).toBe(codes.success.code)
  expect(await ask('device', [{ option: 'get_mac' }])).toEqual([{ option: 'get_mac', mac }])
  const [answer] = await ask('edit', [hands])
  expect(answer).toMatchObject({ command: 'handshake', result: -1, edits: [{ fileId, fileName: '图.dwg', state: 0 }] })
})

// [R361] The edit socket takes the handshake of a web page and unlockFile, which submits what was saved and gives the
// lock back; other origins, accounts and words are refused.
test('[R361] unlockFile hands in what was saved and gives the file back', async () => {
  await control.open(await address())
  await writeFile(launched.at(-1) ?? '', 'saved')
  const [, done] = await ask('edit', [hands, { ...unlock, fileId }])
  expect(done).toMatchObject({ command: 'unlockFile', fileId, result: -1 })
  expect(await anna.call('getFileInfo', { fileId })).toMatchObject({ version: 2, editorId: -1 })
  const [, none] = await ask('edit', [hands, { ...unlock, fileId: fileId + 1 }])
  expect(none).toMatchObject({ result: codes.notFound.code })
})

// [R019] Quick login: the program vouches for the account that it is signed in with, by a key that signs a browser in
// once; browsers that it was not met with get none, whatever origin they say.
// [R022] The key of the session of the desktop program opens the web once.
test('[R019] [R022] a browser that was met gets a key that signs it in once, and no other gets one', async () => {
  await control.open(await address())
  const asks = { option: 'login_key', token: 'word' }
  const [answer] = await ask('device', [asks])
  const { loginKey } = answer as { loginKey: string }
  // Of another client type than the page of this person, whose session stays.
  const enter = () => world.wire('login3ByLoginKey', { clientType: 8, loginKey })
  expect(await enter()).toMatchObject({ code: 'success', data: { accountInfo: { account: anna.account } } })
  expect(await enter()).toMatchObject({ code: 'notLoggedIn' })
  const none = [{ option: 'login_key', loginKey: '' }]
  expect(await ask('device', [{ ...asks, token: 'other' }])).toEqual(none)
  expect(await ask('device', [asks], { origin: 'https://evil.example' })).toEqual(none)
  expect(await ask('device', [{ option: 'login_key' }])).toEqual([])
})

test('[R361] other origins, hosts, accounts, words and messages are refused', async () => {
  await control.open(await address())
  expect(await ask('device', [{ option: 'get_mac' }], { origin: 'https://evil.example' })).toEqual([])
  for (const origin of ['https://evil.example', 'null', '', 'file://', `${server}.evil.example`]) {
    expect(await ask('edit', [hands], { origin }), origin).toEqual(['refused'])
  }
  expect(await ask('device', [{ option: 'connect' }], { host: 'rebound.example' })).toEqual(['refused'])
  for (const wrong of [{ token: 'other' }, { account: 'ben' }, { code: 'd' }, { client_type: 'app' }, { token: 1 }]) {
    expect(await ask('edit', [{ ...hands, ...wrong }]), JSON.stringify(wrong)).toEqual([])
  }
  expect(await ask('edit', [{ ...unlock, fileId }])).toEqual([])
  const other = [hands, { ...unlock, account: 'ben', fileId }]
  expect(await ask('edit', other)).toHaveLength(1)
  expect(await ask('edit', [hands, { ...unlock, command: 'discardEdit', fileId }])).toMatchObject([
    {},
    { result: -400 },
  ])
})

test('[R360] any number of connections leaves the sockets usable', async () => {
  // 10,000 of them; the program takes 64 at a time and closes the others.
  for (let batch = 0; batch < 20; batch += 1) {
    const open = Array.from({ length: 500 }, () =>
      connect(control.sockets.ports.device, '127.0.0.1').on('error', () => 0),
    )
    await Promise.all(
      open.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))),
    )
    for (const socket of open) socket.destroy()
  }
  await expect.poll(() => ask('device', [{ option: 'connect' }])).toMatchObject([{ version: '1.0.0' }])
})

test('[R362] a second instance hands its address to the first, and ends', async () => {
  const before = launched.length
  expect(await startControl(options(), await address())).toBeUndefined()
  await expect.poll(() => launched.length).toBe(before + 1)
})

test('[R362] of the command line only an address after the mark is opened, and no option in it counts', async () => {
  const told = await address()
  expect(addressOf(['--server=https://a.example', '--', told])).toBe(told)
  for (const args of [
    [told],
    ['--', told, '--server=https://evil.example'],
    ['--', '--inspect'],
    ['--', 'https://a.example'],
  ]) {
    expect(addressOf(args)).toBeUndefined()
  }
  expect(serversOf(['--server=https://a.example', '--', '--server=https://evil.example'])).toEqual([
    'https://a.example',
  ])
})

test('[R363] the machine address is that of a real card', () => {
  const card = (address: string, internal = false) => [{ mac: address, internal } as never]
  expect(
    machineAddress({
      lo: card('00:00:00:00:00:00', true),
      docker0: card('02:42:00:00:00:01'),
      eth0: card('00:1B:44:11:3A:B7'),
    }),
  ).toBe(mac)
  expect(machineAddress({})).toBe('')
})
