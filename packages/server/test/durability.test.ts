import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type FileOperations, systemFiles } from '../src/core/blobs/file-operations.ts'
import { openLocalStore } from '../src/core/blobs/local-store.ts'
import { contentsOf } from './contents.ts'
import { openWorld } from './harness.ts'
import { ServerProcess } from './server-process.ts'

const script = join(import.meta.dirname, 'stopping-server.ts')

/** The system's file operations, with a recorded list of those that make contents durable. */
function recorded(folder: string, done: string[]): FileOperations {
  const shown = (path: string): string =>
    path
      .slice(folder.length + 1)
      .replace(/^staging\/.+/, 'staged')
      .replace(/^([0-9a-f]{2})\/.+/, 'folder/object')
      .replace(/^[0-9a-f]{2}$/, 'folder')
  return {
    ...systemFiles,
    async rename(from, to) {
      done.push(`rename ${shown(from)} to ${shown(to)}`)
      await systemFiles.rename(from, to)
    },
    async writeNew(path, bytes) {
      await systemFiles.writeNew(path, bytes)
      done.push(`durable ${shown(path)}`)
    },
    async open(path, flags) {
      const file = await systemFiles.open(path, flags)
      return {
        write: file.write.bind(file),
        close: file.close.bind(file),
        async sync() {
          done.push(`fsync ${shown(path)}`)
          await file.sync()
        },
      }
    },
  }
}

test('a content is synced before it has its name, and its folder before a row names it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const done: string[] = []
  const world = await openWorld({
    openBlobs: (pause) => openLocalStore(folder, pause, recorded(folder, done)),
    pause: (point) => Promise.resolve(void (point === 'commit uploadRaw' && done.push('commit'))),
  })
  const anna = await world.person('anna')
  done.length = 0
  await anna.upload(anna.library, 'small.txt', 'text')
  expect(done.splice(0)).toEqual(['durable folder/object', 'fsync folder', 'commit'])
  await anna.upload(anna.library, 'large.txt', Buffer.alloc(100_000, 'text'))
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

  const after = await openWorld({ peer: world, elected: false })
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
  await openWorld({ peer: world })
  expect(await staged.keep()).toMatch(/^[0-9a-f]{2}\//)
})
