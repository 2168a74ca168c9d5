// A refusal reaches the sender while it is still sending, and programs that look at the status. The server waits only a
// limited time for the rest of the body.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { calls } from '@cloudoc/contract'
import { codes, rightsGroup } from '@cloudoc/domain'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'

const times = { unknownMs: 300, refusedMs: 2000 }
let world: World
let anna: Person
let ben: Person
let origin: string
beforeAll(async () => {
  world = await openWorld({ bodyTimes: times })
  anna = await world.person('anna')
  ben = await world.person('ben')
  origin = `http://127.0.0.1:${await world.port()}`
})

/** The exit code of curl and the response it received. */
async function curl(...args: string[]): Promise<{ exit: number; out: string }> {
  try {
    const { stdout } = await promisify(execFile)('curl', ['-sS', ...args])
    return { exit: 0, out: stdout }
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string }
    return { exit: code, out: stdout }
  }
}
const as = (person: Person) => ['-H', `authorization: Bearer ${person.token}`]

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'cloudoc-refused-'))
  onTestFinished(() => rm(made, { recursive: true }))
  return made
}

async function open(): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(await world.port(), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  // Writing to a closed connection raises an error. The response received before it counts.
  const answer = new Promise<string>((resolve) => {
    let told = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => (told += part))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(told))
  })
  return { socket, answer }
}

// [R197] A refused upload sends the reason while the client is still sending.
test('[R197] a refused upload says why, to a client that sends all of it first', async () => {
  const path = join(await folder(), 'large.bin')
  await writeFile(path, Buffer.alloc(40 * 1024 * 1024))
  // Reads the whole body, however slow the machine is.
  const patient = await openWorld({ bodyTimes: { unknownMs: 60_000, refusedMs: 60_000 } })
  const [anna, ben] = [await patient.person('anna'), await patient.person('ben')]
  for (const [person, code] of [
    [anna, codes.notFound.code],
    [undefined, codes.notLoggedIn.code],
  ] as const) {
    const { exit, out } = await curl(
      ...(person === undefined ? [] : as(person)),
      ...['-F', `folderId=${ben.library}`, '-F', 'fileName=a.bin', '-F', `file=@${path}`],
      `http://127.0.0.1:${await patient.port()}${calls.uploadFile.path}`,
    )
    expect([exit, (JSON.parse(out) as { result: number }).result]).toEqual([0, code])
  }
})

test('the rest of a refused upload is read for a while, and no longer', async () => {
  const { socket, answer } = await open()
  socket.write(
    `PUT ${calls.uploadRaw.path}?folderId=${ben.library}&fileName=a HTTP/1.1\r\nhost: x\r\n` +
      `authorization: Bearer ${anna.token}\r\ncontent-type: application/octet-stream\r\ncontent-length: 1000000\r\n\r\nx`,
  )
  expect(await answer).toContain(`"result":${codes.notFound.code}`)
})

test.each([
  ['that drips', '', true],
  ['that was announced', 'expect: 100-continue\r\n', false],
])('a body %s of somebody who is not known has its time', async (_, header, drips) => {
  const { socket, answer } = await open()
  socket.write(
    `POST ${calls.login3.path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${header}content-length: 1000\r\n\r\n`,
  )
  const drip = setInterval(() => drips && socket.writable && socket.write(' '), 20)
  expect(await answer).toContain('HTTP/1.1 408')
  clearInterval(drip)
})

// [R201] A download that is refused is 403 or 404, to HEAD as well.
test('[R201] a download that is refused says so by its status, to HEAD as well; a wrong method is 405', async () => {
  const fileId = await anna.upload(anna.library, 'a.txt', 'a')
  const shared = await anna.folder(anna.library, 'shared')
  const seen = await anna.upload(shared, 'seen.txt', 'seen')
  await anna.shares({ folderId: shared }, [{ to: ben, rights: rightsGroup.preview }])
  for (const [path, status, code] of [
    [`/DownloadServlet?fileId=${fileId}`, 404, codes.notFound.code],
    [`/DownloadServlet?fileId=${seen}`, 403, codes.noPermission.code],
    [`/DownloadMultiFile?files=fi_${fileId}`, 404, codes.notFound.code],
    [`/DownloadMultiFile?files=fo_${shared}`, 403, codes.noPermission.code],
    [`${calls.previewServlet.path}?fileId=${fileId}`, 404, codes.notFound.code],
  ] as const) {
    const headers = { authorization: `Bearer ${ben.token}` }
    const got = await world.app.http.inject({ method: 'GET', url: path, headers })
    expect([path, got.statusCode, got.json<{ result: number }>().result]).toEqual([path, status, code])
    expect((await world.app.http.inject({ method: 'HEAD', url: path, headers })).statusCode).toBe(status)
  }
  const kept = join(await folder(), 'kept')
  const failed = await curl('-f', '-o', kept, ...as(ben), `${origin}/DownloadServlet?fileId=${fileId}`)
  expect(failed.exit).toBe(22)
  await expect(readFile(kept)).rejects.toThrow('ENOENT')
  const wrong = await world.app.http.inject({ method: 'DELETE', url: '/DownloadServlet?fileId=1' })
  expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'GET, HEAD'])
  expect((await world.app.http.inject({ method: 'GET', url: calls.login3.path })).statusCode).toBe(405)
})

test('[R201] curl keeps Chinese names apart', async () => {
  const target = await folder()
  for (const name of ['合同.docx', '报告.docx', '2026 年 plan.txt', 'plain.txt']) {
    const fileId = await anna.upload(anna.library, name, name)
    const got = await curl('-OJ', '--output-dir', target, ...as(anna), `${origin}/DownloadServlet?fileId=${fileId}`)
    expect(got.exit).toBe(0)
  }
  const names = (await readdir(target)).sort()
  expect(names).toEqual([
    expect.stringMatching(/^2026 _ plan-[0-9a-f]{6}\.txt$/),
    expect.stringMatching(/^file-[0-9a-f]{6}\.docx$/),
    expect.stringMatching(/^file-[0-9a-f]{6}\.docx$/),
    'plain.txt',
  ])
})
