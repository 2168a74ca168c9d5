// WebDAV clients work at random while the server is killed. At the end every file must be that of their models.
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Client, sorted } from './dav-client.ts'
import { freePort } from './free-port.ts'
import { longTest } from './full.ts'
import { randomOf } from './random.ts'
import type { ServerProcess } from './server-process.ts'
import { type Installation, Site } from './several-servers.ts'

const clients = 4

let site: Site

beforeAll(async () => {
  site = await Site.open()
})
afterAll(() => site.close())

/** The server that is killed and started again at the same address. */
class Killed {
  server: ServerProcess
  back: Promise<void> = Promise.resolve()
  isThere = true
  readonly origin: string
  private readonly start: () => ServerProcess

  constructor(installation: Installation, port: number) {
    this.start = () => installation.start({}, port)
    this.origin = `http://127.0.0.1:${port}`
    this.server = this.start()
  }

  /** Ends the server at once, whatever it is doing, and starts it again. */
  kill(): void {
    const { server } = this
    this.isThere = false
    server.child.kill('SIGKILL')
    this.back = server.exited.then(async () => {
      this.server = this.start()
      await this.server.ready()
      this.isThere = true
    })
  }
}

/** Compares a folder of this machine with one of ben's by rclone: contents, not sizes alone. */
async function check(local: string, url: string, token: string): Promise<void> {
  const config = `${local}.conf`
  await writeFile(config, '')
  const run = (...args: string[]) => promisify(execFile)('rclone', ['--config', config, ...args])
  const { stdout: pass } = await run('obscure', token)
  const remote = `:webdav,vendor=owncloud,url='${url}',user=ben,pass=${pass.trim()}:`
  const { stderr } = await run('check', '--download', local, remote)
  expect(stderr).toContain('0 differences found')
}

async function work(name: string, operations: number, killEvery: number): Promise<string> {
  const installation = await site.install(name)
  const killed = new Killed(installation, await freePort())
  const { origin } = killed
  await killed.server.ready()
  const { ben } = await installation.people(origin, 'ben')
  const { token } = await ben.call(origin, 'createMyProgram', { kind: 'app', name: 'rclone', write: true, days: 1 })
  const { list } = await ben.call(origin, 'getRootFolderSetting', {})
  const library = list.find(({ kind }) => kind === 'personal')
  const authorization = `Basic ${Buffer.from(`ben:${token}`).toString('base64')}`
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = randomOf(seed)
  const all = Array.from({ length: clients }, (_, n) => {
    const root = `${origin}/dav/${encodeURIComponent(library?.fName ?? '')}/client%20${n}`
    return { root, client: new Client(root, authorization, randomOf(seed + n + 1)) }
  })
  for (const { root } of all)
    expect((await fetch(root, { method: 'MKCOL', headers: { authorization } })).status).toBe(201)

  let left = operations
  let untilKill = killEvery
  let kills = 0
  const works = async (client: Client): Promise<void> => {
    while (left > 0) {
      left -= 1
      untilKill -= 1
      // The other clients are in the middle of something.
      if (untilKill <= 0 && left > 0 && killed.isThere) {
        untilKill = Math.ceil(killEvery * (0.5 + random()))
        kills += 1
        killed.kill()
      }
      await client.step(client.draw(), () => killed.back)
    }
  }
  await Promise.all(all.map(({ client }) => works(client)))
  await killed.back

  const local = join(site.folder, `${name}-local`)
  await mkdir(local)
  for (const [n, { client }] of all.entries()) {
    expect(sorted(await client.read()), `seed ${seed}`).toEqual(sorted(client.tree))
    await client.writeTo(join(local, `client ${n}`))
  }
  const url = `${origin}/dav/${encodeURIComponent(library?.fName ?? '')}`
  if (inject('full')) await check(local, url, token)
  const sum = (count: keyof Client['counts']): number =>
    all.reduce((total, { client }) => total + client.counts[count], 0)
  expect(kills).toBeGreaterThan(0)
  expect(sum('lost')).toBeGreaterThan(0)
  expect(sum('done')).toBeGreaterThan(operations / 3)
  killed.server.child.kill('SIGKILL')
  return `seed ${seed}: ${sum('done')} done, ${sum('refused')} refused, ${kills} kills, ${sum('lost')} answers lost`
}

test('150 random operations of WebDAV with kills leave what the model says', async ({ annotate }) => {
  await annotate(await work('dav_short', 150, 40))
})

longTest(
  '10,000 random operations of WebDAV with kills leave what the model says, and rclone finds no difference',
  async ({ annotate }) => {
    await annotate(await work('dav_long', 10_000, 150))
  },
)
