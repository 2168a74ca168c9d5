// Copies between two servers while either of them is killed: the trees are equal, and nothing is there twice ([R123]).
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import type { Remote } from '../remote.ts'
import { Remote as RemotePerson } from '../remote.ts'
import type { ServerProcess } from '../server-process.ts'
import { type Installation, password, Site } from '../several-servers.ts'

const full = inject('full')
const folders = full ? 40 : 4
const filesPerFolder = full ? 250 : 30

/** A server that is killed and started again at its address. */
class Mortal {
  readonly #installation: Installation
  #server: ServerProcess
  origin = ''

  constructor(installation: Installation) {
    this.#installation = installation
    this.#server = installation.start()
  }

  /** Fails with what the server said, if it ended by itself. */
  isRunning(): void {
    const { child, err } = this.#server
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended: ${err}`)
  }

  async ready(): Promise<this> {
    this.origin = await this.#server.ready()
    return this
  }

  async killAndStart(): Promise<void> {
    this.isRunning()
    this.#server.child.kill('SIGKILL')
    await this.#server.exited
    this.#server = this.#installation.start({}, Number(new URL(this.origin).port))
    await this.#server.ready()
  }
}

let site: Site
let here: Mortal
let there: Mortal
beforeAll(async () => {
  site = await Site.open()
  const [a, b] = [await site.install('copies_here'), await site.install('copies_there')]
  here = new Mortal(a)
  there = new Mortal(b)
  await Promise.all([here.ready(), there.ready()])
})
afterAll(() => site.close())

async function person({ origin }: Mortal): Promise<{ admin: Remote; ben: Remote; library: number }> {
  const admin = await RemotePerson.signIn(origin, 'admin', password)
  await admin.call(origin, 'createAccount', { account: 'ben', accountName: 'ben', password, groupId: 0 })
  const ben = await RemotePerson.signIn(origin, 'ben', password)
  const { list } = await ben.call(origin, 'getRootFolderSetting', {})
  return { admin, ben, library: list.find(({ kind }) => kind === 'personal')?.fId ?? 0 }
}

async function link(admin: Remote, from: Mortal, to: Mortal, serverName: string): Promise<void> {
  const { publicKey } = await admin.call(from.origin, 'probeServer', { apiHost: to.origin })
  await admin.call(from.origin, 'setLinkedServer', { serverName, apiHost: to.origin, publicKey })
}

async function makeTree(ben: Remote, { origin }: Mortal, parentId: number, name: string): Promise<number> {
  const top = (await ben.call(origin, 'folderCreate', { parentId, folderName: name })).folderId
  await ben.upload(origin, top, '大.bin', new Uint8Array(randomBytes(20_000_000)))
  for (let n = 0; n < folders; n += 1) {
    const { folderId } = await ben.call(origin, 'folderCreate', { parentId: top, folderName: `${n}` })
    for (let at = 0; at < filesPerFolder; at += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, k) => ben.upload(origin, folderId, `${at + k}.txt`, `${name} ${n} ${at + k}`)),
      )
  }
  return top
}

async function below(ben: Remote, { origin }: Mortal, folderId: number): Promise<unknown[]> {
  const { list } = await ben.call(origin, 'getSubItemList3', { folderId, rows: 1000, fields: 'sha256' })
  const inside: unknown[] = []
  for (const { fType, fId, fName, sha256 } of list)
    inside.push([fName, fType === 1 ? sha256 : await below(ben, { origin } as Mortal, fId)])
  return inside
}

test('[R123] with kills on both sides a copy there and a copy here are whole, once', async () => {
  const [one, two] = await Promise.all([person(here), person(there)])
  await link(one.admin, here, there, '分部')
  await link(two.admin, there, here, '总部')
  await one.admin.call(here.origin, 'checkLinkedServer', { serverId: 1 })
  const [mine, theirs] = await Promise.all([
    makeTree(one.ben, here, one.library, '我的'),
    makeTree(two.ben, there, two.library, '他们的'),
  ])
  const start = async (input: object): Promise<number> =>
    (await one.ben.call(here.origin, 'copyFilesAndFolders', input as never)).copyId
  const out = await start({
    ...{ sourceServerId: 0, targetServerId: 1, sourceFolderIds: [mine], targetFolderId: two.library },
  })
  const back = await start({ sourceServerId: 1, sourceFolderIds: [theirs], targetFolderId: one.library })
  const seen = async (copyId: number) => (await one.ben.call(here.origin, 'getServerCopy', { copyId })).copy
  /** Waits until both have gone on, and are not at their end. */
  const goneOn = async (before: number): Promise<number> =>
    vi.waitFor(
      async () => {
        here.isRunning()
        const copies = [await seen(out), await seen(back)]
        const done = copies.reduce((sum, { filesDone }) => sum + filesDone, 0)
        expect(copies.every(({ state }) => state === 'done') || done > before, JSON.stringify(copies)).toBe(true)
        return done
      },
      { timeout: 120_000, interval: 20 },
    )
  let done = await goneOn(5)
  for (let n = 0; n < (full ? 6 : 1); n += 1) {
    await there.killAndStart()
    done = await goneOn(done + 5)
    await here.killAndStart()
    done = await goneOn(done + 5)
  }
  await there.killAndStart()
  for (const copyId of [out, back])
    await vi.waitFor(async () => expect(await seen(copyId)).toMatchObject({ state: 'done', refused: 0 }), {
      timeout: full ? 1_200_000 : 150_000,
      interval: 200,
    })
  here.isRunning()
  there.isRunning()
  const { items: sent } = await one.ben.call(here.origin, 'getServerCopy', { copyId: out })
  const { items: got } = await one.ben.call(here.origin, 'getServerCopy', { copyId: back })
  expect(await below(two.ben, there, sent[0]?.fId ?? 0)).toEqual(await below(one.ben, here, mine))
  expect(await below(one.ben, here, got[0]?.fId ?? 0)).toEqual(await below(two.ben, there, theirs))
  // Neither a second folder nor a file beside.
  const names = async ({ ben, library }: typeof one, where: Mortal) =>
    (await ben.call(where.origin, 'getSubItemList3', { folderId: library })).list.map(({ fName }) => fName).toSorted()
  expect(await names(one, here)).toEqual(['他们的', '我的'].toSorted())
  expect(await names(two, there)).toEqual(['他们的', '我的'].toSorted())
})
