// Local editing against a server: every save reaches it once, whatever happens to the program ([R175], [R176], [R183]).
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { EditState, localEditAddress, localFailures } from '@cloudoc/domain'
import { type Person, sharedWorld } from '@cloudoc/server/harness'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EditStore } from './edit-store.ts'
import { LocalEdits } from './local-edits.ts'
import { localName } from './local-name.ts'

const world = sharedWorld()
let home: string
let anna: Person
let fileId: number
let now: number
const name = '图纸 #1.dwg'

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), '测试 用户-'))
  await (await world.admin()).call('setServerSetting', { local_edit: true })
  anna = await world.person(`anna-${randomUUID().slice(0, 8)}`)
  fileId = await anna.upload(anna.library, name, 'lines')
  now = 1_000_000
})
afterEach(() => rm(home, { recursive: true, force: true }))

/** A program on this computer: what it opened, and its edits. */
async function program(change: (store: EditStore) => void = () => undefined) {
  const store = await EditStore.open(join(home, 'state'))
  change(store)
  const launched: string[] = []
  const launch = async (path: string): Promise<void> => void launched.push(path)
  const edits = new LocalEdits({ store, documents: home, launch, machine: () => '', now: () => now, quietMs: 0 })
  return { edits, store, launched }
}

const address = async (way: 'edit' | 'sandboxEdit' | 'sandboxPreview' = 'edit', of = anna): Promise<string> => {
  const { key } = await of.call('createEditKey', { fileId, local: true })
  const server = `http://127.0.0.1:${await world.port()}`
  return localEditAddress(
    { server, code: '', context: '', fileId, fileName: name, version: 1, key, token: 'word' },
    way,
  )
}
const content = async (version?: number): Promise<string> =>
  (await anna.download(fileId, version === undefined ? {} : { version: String(version) })).body
const version = async (): Promise<number> => (await anna.call('getFileInfo', { fileId })).version

// [R183] Local copies are kept under the documents of the person, in edit_files/{serverId}-{accountId}.
test('[R183] [R198] a save becomes the next version under the lock, and the copy is where the documents say', async () => {
  const { edits, launched } = await program()
  const { id, path } = await edits.open(await address())
  expect(launched).toEqual([path])
  expect(relative(home, path)).toMatch(new RegExp(`^edit_files/0-${anna.userId}/${fileId}-[0-9a-f]{6}/图纸 #1.dwg$`))
  await edits.scan()
  expect([
    await version(),
    edits.of({ server: new URL(`http://127.0.0.1:${await world.port()}`).origin, account: anna.account })[0]?.state,
  ]).toEqual([1, EditState.opened])
  await writeFile(path, 'lines and more')
  await edits.scan()
  expect([await version(), await content()]).toEqual([2, 'lines and more'])
  await edits.scan()
  expect(await version()).toBe(2)
  expect((await edits.release(id)).closed).toBe(true)
  expect(await anna.call('getFileInfo', { fileId })).toMatchObject({ editorId: -1 })
})

// [R043] Programs transfer contents at the file port of the best server, and at the server itself where that is away.
test('[R043] best_server: contents pass through its file port, or through the server if that cannot be reached', async () => {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer((socket) => {
    const server = connect(port, '127.0.0.1')
    socket.on('data', (part) => {
      const line = /^[A-Z]+ \/\S* HTTP/.exec(part.toString('latin1'))
      if (line !== null) asked.push(line[0])
    })
    socket.pipe(server).pipe(socket)
    for (const one of [socket, server]) {
      sockets.add(one)
      one.on('error', () => one.destroy())
    }
  })
  const port = await world.port()
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const filePort = (proxy.address() as AddressInfo).port
  await (await world.admin()).call('setServerSetting', { best_server: `|${port}|${filePort}|` })
  try {
    const { edits } = await program()
    const { path } = await edits.open(await address())
    await writeFile(path, 'through the file port')
    await edits.scan()
    expect([await version(), await content()]).toEqual([2, 'through the file port'])
    expect(asked).toEqual([
      expect.stringMatching(/^GET \/DownloadServlet\?/),
      expect.stringContaining(` /services2/upload/submit/${fileId}`),
    ])
    proxy.close()
    for (const one of sockets) one.destroy()
    await writeFile(path, 'through the server')
    await edits.scan()
    now += 60_000
    await edits.scan()
    expect([await version(), await content()]).toEqual([3, 'through the server'])
  } finally {
    proxy.close()
    await (await world.admin()).call('setServerSetting', { best_server: '' })
  }
})

// [R175] Killed at any step of its journal, the program goes on at its next start: no edit is lost, none is sent twice.
test.each([
  ['with the lock', 0],
  ['that it gave back before', 31 * 60_000],
])('[R175] a program that dies at any step of a file %s loses no edit and sends none twice', async (_, idle) => {
  for (let step = 1; step <= 7; step += 1) {
    fileId = await anna.upload(anna.library, `${step} ${name}`, 'lines')
    const first = await program()
    const { path } = await first.edits.open(await address())
    now += idle
    await first.edits.scan()
    await writeFile(path, `edit ${step}`)
    let puts = 0
    const real = first.store.put.bind(first.store)
    first.store.put = (record) => {
      puts += 1
      return puts >= step ? Promise.reject(new Error('killed')) : real(record)
    }
    await first.edits.scan().catch(() => undefined)
    const second = await program()
    const opened = await second.edits.open(await address())
    expect(await readFile(opened.path, 'utf8'), `killed at step ${step}`).toBe(`edit ${step}`)
    await expect.poll(version, { message: `killed at step ${step}` }).toBe(2)
    now += 60_000
    await second.edits.scan()
    await second.edits.scan()
    expect([await version(), await content()], `killed at step ${step}`).toEqual([2, `edit ${step}`])
  }
})

/** Numbers that look random and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

// [R175] In any order of saves, kills, a full disk, a server that is away and a clock that jumps, the last save reaches
// the server, and no save makes two versions.
test.each([1, 2, 3])(
  '[R175] [R176] whatever happens to the program, no save is lost or sent twice (%i)',
  async (seed) => {
    const next = numbers(seed)
    const realFetch = globalThis.fetch
    const start = async () => {
      const started = await program()
      return { ...started, path: (await started.edits.open(await address())).path }
    }
    let running = await start()
    const saves: string[] = []
    /** Looks at the copy while the journal cannot be written after some steps. */
    const lookWith = async (failure: Error): Promise<void> => {
      const { store, edits } = running
      const real = store.put.bind(store)
      let left = next(4)
      store.put = (record) => {
        left -= 1
        return left < 0 ? Promise.reject(failure) : real(record)
      }
      await edits.scan().catch(() => undefined)
      store.put = real
    }
    const happens: readonly (() => Promise<unknown>)[] = [
      async () => {
        saves.push(`${seed}.${saves.length}`)
        await writeFile(running.path, saves.at(-1) ?? '')
      },
      () => running.edits.scan(),
      async () => {
        await lookWith(new Error('killed'))
        // What a killed program had begun is not noted any more.
        running.store.put = () => Promise.reject(new Error('killed'))
        await running.edits.end()
        running = await start()
      },
      () => lookWith(Object.assign(new Error('full'), { code: 'ENOSPC' })),
      async () => {
        globalThis.fetch = () => Promise.reject(new TypeError('away'))
        await running.edits.scan().finally(() => {
          globalThis.fetch = realFetch
        })
      },
      async () => {
        now += ([-3, 730, 0.01][next(3)] ?? 0) * 86_400_000
      },
    ]
    await happens[0]?.()
    for (let step = 0; step < 24; step += 1) {
      now += 60_000
      await happens[next(happens.length)]?.()
    }
    running = await start()
    await expect
      .poll(async () => {
        now += 60_000
        await running.edits.scan()
        return content()
      })
      .toBe(saves.at(-1))
    const stored: string[] = []
    for (let at = 2; at <= (await version()); at += 1) stored.push(await content(at))
    // Each version is one save, in their order.
    expect(stored).toEqual(saves.filter((save) => stored.includes(save)))
  },
)

test('[R175] an answer that is lost does not make a second version', async () => {
  const { edits, store } = await program()
  const { id, path } = await edits.open(await address())
  await writeFile(path, 'edit')
  const realFetch = globalThis.fetch
  globalThis.fetch = async (...request) => {
    const answer = await realFetch(...request)
    const [asked] = request
    const address = asked instanceof Request ? asked.url : asked.toString()
    if (address.includes('/upload/submit/')) throw new TypeError('cut off')
    return answer
  }
  try {
    await edits.scan()
  } finally {
    globalThis.fetch = realFetch
  }
  expect(store.edits.get(id)).toMatchObject({ state: EditState.changed, failure: localFailures.noConnection })
  now += 60_000
  await edits.scan()
  expect([await version(), store.edits.get(id)?.state, store.edits.get(id)?.version]).toEqual([
    2,
    EditState.submitted,
    2,
  ])
})

// [R174] A newer version on the server is never overwritten unasked: on top of it, as another file, or later.
test('[R174] a conflict is kept until it is answered: later, on top, or beside', async () => {
  const { edits, store } = await program()
  const { id, path } = await edits.open(await address())
  const conflict = async (text: string): Promise<void> => {
    await edits.release(id)
    await anna.call('fileEditLock', { fileId })
    await anna.upload(anna.library, name, `of somebody else before ${text}`, { conflict: 'version' }).catch(() => 0)
    await anna.call('fileEditUnlock', { fileId })
    await writeFile(path, text)
    now += 60_000
    await edits.scan()
  }
  await conflict('mine')
  expect(store.edits.get(id)).toMatchObject({ state: EditState.changed, conflict: 2 })
  await edits.resolve(id, 'cancel')
  expect([await content(), await readFile(path, 'utf8')]).toEqual(['of somebody else before mine', 'mine'])
  await edits.resolve(id, 'overwrite')
  expect([await version(), await content(), await content(2)]).toEqual([3, 'mine', 'of somebody else before mine'])
  await conflict('mine again')
  await edits.resolve(id, 'saveAs')
  expect([await content(), store.edits.get(id)?.state]).toEqual([
    'of somebody else before mine again',
    EditState.submitted,
  ])
})

// [R176] Discarding removes the local copy and the lock; a copy that was deleted is not deleted on the server.
test('[R175] [R176] what is given up is gone here and free there; what is deleted here stays there', async () => {
  const { edits, store } = await program()
  const { id, path } = await edits.open(await address())
  await rm(path)
  await edits.scan()
  expect(await version()).toBe(1)
  const again = await edits.open(await address())
  await writeFile(again.path, 'not wanted')
  await edits.discard(id)
  await edits.scan()
  expect(store.edits.get(id)).toMatchObject({ state: EditState.opened, closed: true })
  expect(await anna.call('getFileInfo', { fileId })).toMatchObject({ editorId: -1, version: 1 })
  expect(await readFile((await edits.open(await address())).path, 'utf8')).toBe('lines')
})

test('[R175] without its session the program keeps edits, and sends them when the person opens a file again', async () => {
  const { path } = await (await program()).edits.open(await address())
  await writeFile(path, 'offline')
  const { edits, store } = await program()
  await edits.scan()
  expect([await version(), [...store.edits.values()][0]?.state]).toEqual([1, EditState.changed])
  const { edits: later } = await program()
  await later.open(await address())
  await expect.poll(version).toBe(2)
  expect(await content()).toBe('offline')
})

// [R184] The program says that there is no sandbox: its driver does not exist (X42).
test('[R184] a file for the sandbox is not opened outside of it', async () => {
  const { edits, launched } = await program()
  for (const way of ['sandboxEdit', 'sandboxPreview'] as const) {
    await expect(edits.open(await address(way))).rejects.toMatchObject({ result: localFailures.noSandbox })
  }
  expect(launched).toEqual([])
})

test('[R183] a local name is legal and short on every system', () => {
  expect(['con.docx', 'a:b?.txt', `${'长'.repeat(200)}.docx`, '..', 'nul'].map(localName)).toEqual([
    ...['_con.docx', 'a_b_.txt', `${'长'.repeat(31)}.docx`, '_', '_nul'],
  ])
})
