// The push channel of a linked server, heard through the server of the page ([R343]).
import { PUSH_PATH, type ServerFrame } from '@cloudoc/contract'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Listener, openWorld, type Person, type World } from '../../../test/harness.ts'
import { linkWorlds } from '../../../test/linked-worlds.ts'
import { sessionCookie } from '../../people/auth/index.ts'

let main: World
let branch: World
let anna: Person
let annaThere: Person

beforeAll(async () => {
  main = await openWorld()
  branch = await openWorld()
  anna = await main.person('anna')
  annaThere = await branch.person('anna')
  await linkWorlds(main, branch)
})

interface Opening {
  readonly serverId?: number
  readonly origin?: string
  readonly token?: string
  readonly said?: object
}

/** Opens the channel of a linked server as the page does. */
async function listenThere({ serverId = 1, origin, token = anna.token, said }: Opening = {}): Promise<Listener> {
  const host = `127.0.0.1:${await main.port()}`
  const socket = new WebSocket(`ws://${host}/linked/${serverId}${PUSH_PATH}`, {
    headers: { cookie: `${sessionCookie}=${token}`, origin: origin ?? `http://${host}` },
  })
  const listener = new Listener(socket)
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.send(JSON.stringify(said ?? { cmd: 'login' }))
  return listener
}

const welcome = (frame: ServerFrame): boolean => frame.pushType === 18

// [R343] Changes at a linked server are pushed to the page through its own server, from the position that it has, and
// only while its session holds.
test('[R343] the page hears of a linked server what its user may know there, also what was missed', async () => {
  const heard = await listenThere()
  await heard.next(welcome)
  const ben = await branch.person('ben')
  await ben.folder(ben.library, '别人的')
  const folder = await annaThere.folder(annaThere.library, '展会')
  const told = await heard.next(({ pushType }) => pushType === 8)
  expect(told.data).toMatchObject({ fId: folder, parentFolderId: annaThere.library, serverId: 0 })
  expect(heard.changes.map(({ fName }) => fName)).toEqual(['展会'])
  await heard.close()

  await annaThere.folder(annaThere.library, '错过的')
  const { epoch, identity: lastIdentity } = told
  const again = await listenThere({ said: { cmd: 'login', epoch, lastIdentity } })
  await again.next(({ pushType }) => pushType === 8)
  expect(again.changes.map(({ fName }) => fName)).toEqual(['错过的'])
  await again.close()
})

test('[R343] without a session of the page, from another origin, or as a guest nothing is opened there', async () => {
  for (const wrong of [{ token: 'x'.repeat(43) }, { origin: 'https://evil.example' }])
    expect(await (await listenThere(wrong)).closed).toBe(4001)
  expect(await (await listenThere({ serverId: 9 })).closed).toBe(4015)
  expect(await (await listenThere({ said: { cmd: 'heartbeat' } })).closed).toBe(4015)
  const dora = await main.person('dora')
  expect(await (await listenThere({ token: dora.token })).closed).toBe(4015)
})

test('[R343] the end of the session here ends it before anything else is told', async () => {
  const carl = await main.person('carl')
  const carlThere = await branch.person('carl')
  const heard = await listenThere({ token: carl.token })
  await heard.next(welcome)
  await carl.call('logout2', {})
  await carlThere.folder(carlThere.library, '之后')
  expect(await heard.closed).toBe(4001)
  expect(heard.changes).toEqual([])
})

test('[R345] where the other server ends, so does the channel, and the next one tells that it is not there', async () => {
  const heard = await listenThere()
  await heard.next(welcome)
  await branch.app.close()
  expect([1001, 4015]).toContain(await heard.closed)
  expect(await (await listenThere()).closed).toBe(4015)
  expect((await anna.call('getServerList', {})).list[1]?.state).toBe('notResponding')
})
