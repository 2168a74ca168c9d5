// Three servers in one session: the page of one reaches the others through it ([R343], [R344]).
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { calls } from '@cloudoc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { fakePeer, linkWorlds } from '../../../test/linked-worlds.ts'

let main: World
let branch: World
let lab: World
let anna: Person
let annaThere: Person

const relayed = (
  serverId: number,
  path: string,
  more: { method?: 'GET' | 'POST' | 'PUT'; payload?: string | Buffer; headers?: Record<string, string> } = {},
) =>
  main.app.http.inject({
    ...{ method: 'GET', url: `/linked/${serverId}${path}`, ...more },
    headers: { authorization: `Bearer ${anna.token}`, ...more.headers },
  })
const namesOn = async (serverId: number, folderId: number) => {
  const { list } = (await relayed(serverId, `/services2/file/query/getSubItemList3/${folderId}`)).json<{
    data: { list: { fName: string }[] }
  }>().data
  return list.map(({ fName }) => fName)
}
const resultOn = async (serverId: number, path: string) =>
  (await relayed(serverId, path)).json<{ result: number }>().result
const listPath = '/services2/file/query/getSubItemList3'

beforeAll(async () => {
  main = await openWorld()
  branch = await openWorld()
  lab = await openWorld()
  anna = await main.person('anna')
  annaThere = await branch.person('anna')
  await lab.person('anna')
  await linkWorlds(main, branch)
  await linkWorlds(main, lab, { name: '成都研发' })
})

// [R343] People list, open, fetch and store items of linked servers through their own server, with their rights there.
test('[R343] folders of a linked server are listed, contents fetched and stored, as far as the person may', async () => {
  const folder = await annaThere.folder(annaThere.library, '展会')
  const fileId = await annaThere.upload(folder, '方案.txt', '内容')
  expect(await namesOn(1, folder)).toEqual(['方案.txt'])
  const taken = await relayed(1, `/DownloadServlet?fileId=${fileId}`)
  expect([taken.body, taken.headers['content-security-policy']]).toEqual(['内容', "sandbox; default-src 'none'"])
  const part = await relayed(1, `/DownloadServlet?fileId=${fileId}`, { headers: { range: 'bytes=0-2' } })
  expect([part.statusCode, part.body]).toEqual([206, '内'])
  const query = new URLSearchParams({ folderId: String(folder), fileName: '新.bin' })
  const stored = await relayed(1, `${calls.uploadRaw.path}?${query.toString()}`, {
    ...{ method: 'PUT', payload: Buffer.alloc(3_000_000, 7) },
    headers: { 'content-type': 'application/octet-stream' },
  })
  expect(stored.json()).toMatchObject({ result: -1, data: { fileSize: 3_000_000 } })
  expect(await annaThere.names(folder)).toEqual(expect.arrayContaining(['新.bin']))
  const ben = await branch.person('ben')
  expect(await resultOn(1, `${listPath}/${ben.library}`)).toBe(-3)
  // What administers a server is done there.
  expect(await resultOn(1, '/services2/servers/getLinkedServers')).toBe(-3)
  expect(await resultOn(1, '/services2/servers/getServerCard')).toBe(-3)
})

test('[R343] an element of the page fetches with a ticket of the linked server and the cookie of a session here', async () => {
  const fileId = await annaThere.upload(annaThere.library, '图.html', '<script>1</script>')
  const made = await relayed(1, calls.createDownloadTicket.path, {
    ...{ method: 'POST', payload: JSON.stringify({ fileIdArray: [fileId] }) },
    headers: { 'content-type': 'application/json' },
  })
  const { ticket } = made.json<{ data: { ticket: string } }>().data
  const url = `/linked/1/DownloadServlet?fileId=${fileId}&access_token=${ticket}`
  const cookie = `cloudoc_session=${anna.token}`
  const taken = await main.app.http.inject({ url, headers: { cookie } })
  expect([taken.body, taken.headers['content-type']]).toEqual(['<script>1</script>', 'application/octet-stream'])
  expect((await main.app.http.inject({ url })).json()).toMatchObject({ result: -69 })
  const forged = await main.app.http.inject({ url: url.replace(ticket, 'x'.repeat(32)), headers: { cookie } })
  expect(forged.body).not.toContain('script')
})

test('[R343] a session that the other server has ended is opened again; without an account there it is not', async () => {
  expect(await resultOn(1, calls.getMyAccountInfo.path)).toBe(-1)
  await branch.app.db.deleteFrom('session').where('via_server', 'is not', null).execute()
  expect(await resultOn(1, calls.getMyAccountInfo.path)).toBe(-1)
  const dora = await main.person('dora')
  const asked = await main.app.http.inject({
    url: `/linked/1${calls.getMyAccountInfo.path}`,
    headers: { authorization: `Bearer ${dora.token}` },
  })
  expect(asked.json()).toMatchObject({ result: -69 })
})

// [R344] One linked server fails with its code, the others answer.
test('[R344] a server that is frozen, killed, or a stranger at its address fails alone', async () => {
  const admin = await main.admin()
  const { list } = await admin.call('getLinkedServers', {})
  const second = list.find(({ serverId }) => serverId === 2)
  const moveTo = async (apiHost: string) => {
    const publicKey = second?.keys[0]?.publicKey ?? ''
    await admin.call('setLinkedServer', { serverId: 2, serverName: '成都研发', apiHost, publicKey })
  }
  const path = calls.getMyAccountInfo.path
  expect(await resultOn(2, path)).toBe(-1)
  await moveTo('http://127.0.0.1:1')
  expect(await resultOn(2, path)).toBe(-15)
  expect(await resultOn(1, path)).toBe(-1)
  expect((await anna.call('getServerList', {})).list.map(({ state }) => state)).toEqual(['ok', 'ok', 'notResponding'])

  // A stranger gets one signed message, which is worthless elsewhere, and no request of a person.
  const asked: string[] = []
  const stranger = fakePeer()
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    void stranger.signIn(request).then((data) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ result: -1, data, msg: '' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  await moveTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await main.app.db
    .updateTable('linked_server')
    .set({ public_key: 'z'.repeat(43) })
    .where('id', '=', 2)
    .execute()
  expect(await resultOn(2, path)).toBe(-13)
  expect(asked).toEqual(['/services2/login/loginByServer'])
  expect(await resultOn(9, path)).toBe(-14)
})
