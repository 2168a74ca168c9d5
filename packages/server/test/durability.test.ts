import type fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { contentsOf } from './contents.ts'
import { openWorld } from './harness.ts'
import { ServerProcess } from './server-process.ts'

const script = join(import.meta.dirname, 'stopping-server.ts')

/** What was done to files, in order, with the paths below the store. */
const done: string[] = []
const shown = (path: string): string =>
  path
    .replace(/^.*blobs\/?/, '')
    .replace(/staging\/.+/, 'staged')
    .replace(/^([0-9a-f]{2})\/.+/, 'folder/object')
    .replace(/^[0-9a-f]{2}$/, 'folder')

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>()
  return {
    ...real,
    async rename(from: string, to: string) {
      done.push(`rename ${shown(from)} to ${shown(to)}`)
      await real.rename(from, to)
    },
    async open(...args: Parameters<typeof real.open>) {
      const handle = await real.open(...args)
      const sync = handle.sync.bind(handle)
      handle.sync = async () => {
        done.push(`fsync ${shown(String(args[0]))}`)
        await sync()
      }
      return handle
    },
  }
})

test('a content is synced before it is renamed, and its folder before a row names it', async () => {
  const world = await openWorld({
    pause: (point) => Promise.resolve(void (point === 'commit uploadRaw' && done.push('commit'))),
  })
  const anna = await world.person('anna')
  done.length = 0
  await anna.upload(anna.library, 'a.txt', 'text')
  expect(done).toEqual(['fsync staged', 'rename staged to folder/object', 'fsync folder', 'commit'])
})

test.each([
  ['content staged', false],
  ['content renamed', false],
  ['content kept', false],
  ['commit uploadRaw', false],
  ['sequenced', true],
] as const)('a server killed at “%s” leaves nothing half', async (point, isKept) => {
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  const blobs = join(world.folder, 'blobs')
  await anna.upload(anna.library, 'before.txt', 'before')
  await world.app.settle()
  const server = new ServerProcess([JSON.stringify(world.database), blobs, point], {}, script)
  const origin = await server.ready()
  const response = fetch(`${origin}/services2/upload/raw?folderId=${anna.library}&fileName=a.txt`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${anna.token}` },
    body: 'content',
  }).catch(() => undefined)
  await server.says(/stopped/)
  server.child.kill('SIGKILL')
  await server.exited
  await response

  const after = await openWorld({ beside: world, elected: false })
  const again = await after.signIn('anna', 7)
  expect(await again.names(again.library)).toEqual(isKept ? ['a.txt', 'before.txt'] : ['before.txt'])
  const { objects, ...rest } = await contentsOf(after)
  expect(rest).toEqual({ blobs: isKept ? 2 : 1, versions: isKept ? 2 : 1, staged: 0 })
  expect(objects).toBeGreaterThanOrEqual(rest.blobs)
  const fileId = await again.upload(again.library, 'a.txt', 'content', { conflict: 'version' })
  expect((await again.download(fileId)).body).toBe('content')
})

test('the folder of a process that lives keeps what it has staged', async () => {
  const world = await openWorld()
  const staged = await world.app.blobs.stage(
    (async function* () {
      yield Buffer.from('x')
    })(),
  )
  await openWorld({ beside: world })
  expect(await staged.keep()).toMatch(/^[0-9a-f]{2}\//)
})
