import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServerProcess } from '../../../test/server-process.ts'
import { type Limits, runConfined } from './confined.ts'

const program = join(import.meta.dirname, '../../../test/confined-program.ts')
const usual: Limits = { wallMs: 60_000, cpuSeconds: 60, heapMb: 64, otherMb: 64, outputBytes: 1024 * 1024 }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-confined-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs the program with the arguments and returns its output. */
async function run(args: string[], limits: Partial<Limits> = {}, more: { signal?: AbortSignal; writes?: string } = {}) {
  const input = Readable.from(['input'], { objectMode: false })
  return (await runConfined({ program, args, input, limits: { ...usual, ...limits }, ...more })).toString()
}

test('a confined program is given bytes and answers bytes', async () => {
  expect(await run(['reverse'])).toBe('tupni')
})

test('it has nothing of the environment of the server', async () => {
  const ofTheShell = new Set(['', 'PWD', 'OLDPWD', 'SHLVL', '_'])
  expect((await run(['variables'])).split(' ').filter((name) => !ofTheShell.has(name))).toEqual([])
})

test('it reaches no network, writes no file and starts no program', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  expect(await run(['network', String((server.address() as AddressInfo).port)])).toBe('ERR_ACCESS_DENIED')
  server.close()
  expect(await run(['writing', join(folder, 'file')])).toBe('ERR_ACCESS_DENIED')
  expect(existsSync(join(folder, 'file'))).toBe(false)
  expect(await run(['starting'])).toBe('ERR_ACCESS_DENIED')
})

test('it writes in a folder that it is given, files of a bounded size', async () => {
  const writes = folder
  expect(await run(['writing', join(folder, 'given')], {}, { writes })).toBe('done')
  expect(await readFile(join(folder, 'given'), 'utf8')).toBe('written')
  expect(await run(['writingMuch', join(folder, 'large')], { outputBytes: 4096 }, { writes })).toBe('EFBIG')
})

test('no network is there where a namespace may be made', async () => {
  expect(await run(['interfaces'])).toBe('')
})

test('it is the first to go where memory runs out', async () => {
  expect(await run(['oom'])).toBe('1000')
})

test('it takes no more memory outside of its objects than it may', async () => {
  await expect(run(['buffers'], { otherMb: 256 })).rejects.toMatchObject({ code: 'ended' })
})

test('it ends with its caller, also when that is killed and it never looks up', async () => {
  const caller = new ServerProcess([program], {}, join(import.meta.dirname, '../../../test/confined-caller.ts'))
  const [, pid = ''] = await caller.says(/it runs as (\d+)/)
  expect(existsSync(`/proc/${pid}`)).toBe(true)
  caller.child.kill('SIGKILL')
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false)
})

test('it answers no more than it may', async () => {
  expect(await run(['much', '4096'], { outputBytes: 4096 })).toHaveLength(4096)
  await expect(run(['much', '4097'], { outputBytes: 4096 })).rejects.toMatchObject({ code: 'output' })
})

test('whoever reads it while it writes may have had enough at any moment', async () => {
  const input = () => Readable.from(['input'], { objectMode: false })
  const part = { program, args: ['much', String(4 * 1024 * 1024)], limits: usual }
  const take = (after: () => void) => async (chunks: AsyncIterable<Buffer>) => {
    // Without a loop, so that the unread rest stays in the pipe.
    await chunks[Symbol.asyncIterator]().next()
    after()
  }
  const enough = new Error('enough')
  const fails = take(() => {
    throw enough
  })
  await expect(runConfined({ ...part, input: input(), take: fails })).rejects.toBe(enough)
  await runConfined({ ...part, args: ['reverse'], input: input(), take: take(() => {}) })
})

// [R168] An idle reader process that dies is replaced: the next document goes to another one.
test('[R168] one that was started before serves who comes, and where that has died while it waited, another: nobody is lost', async () => {
  const told = async (): Promise<number> => {
    const input = Readable.from(['input'], { objectMode: false })
    return Number(await runConfined({ program, args: ['ahead'], told: ['pid'], input, limits: usual }))
  }
  const waiting = async (): Promise<number> => {
    let found: number | undefined
    await expect.poll(async () => (found = (await running('ahead'))[0]), { timeout: 120_000 }).toBeDefined()
    return found ?? 0
  }
  await told()
  const first = await waiting()
  expect(await told()).toBe(first)
  const second = await waiting()
  process.kill(second, 'SIGKILL')
  // The watcher may not have noticed the death yet, and reports it when it does.
  expect(await told()).not.toBe(second)
  expect(await told()).toBeGreaterThan(0)
})

/** The processes that run the program with an argument, without their watchers. */
async function running(argument: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(
    pids.map(async (pid) => [pid, await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')] as const),
  )
  return commands.flatMap(([pid, command]) =>
    command.startsWith(process.execPath) && command.endsWith(`${program}\0${argument}\0`) ? [Number(pid)] : [],
  )
}

test('it is ended when its time is over, when it has had its processor, and when nobody waits any more', async () => {
  await expect(run(['turning'], { wallMs: 500 })).rejects.toMatchObject({ code: 'time' })
  await expect(run(['turning'], { cpuSeconds: 1 })).rejects.toMatchObject({ code: 'ended' })
  const nobody = new AbortController()
  const left = run(['turning'], {}, { signal: nobody.signal })
  const reason = new Error('gone')
  nobody.abort(reason)
  await expect(left).rejects.toMatchObject({ code: 'ended', cause: reason })
})

test('objects without end and failures end it, and nothing else', async () => {
  await expect(run(['objects'])).rejects.toMatchObject({ code: 'ended' })
  await expect(run(['failing'])).rejects.toMatchObject({ code: 'ended' })
  expect(await run(['reverse'])).toBe('tupni')
})
