// Runs each example of docs/programs.md unchanged in its own Node.js process against a real server.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { password, sharedWorld } from './harness.ts'

const world = sharedWorld()
const run = promisify(execFile)
let examples: string[] = []
let url = ''

beforeAll(async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/programs.md'), 'utf8')
  examples = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code)
  await world.app.http.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(world.app.http.server.address() as AddressInfo).port}`
})

test.each([
  ['stores a file and finds it again', 0, /^stored \d+ version 1\nfound .*: 日报\.txt\nread \d+ characters\n$/],
  ['gives something outside by a link', 1, /^http\S+\/s\/\S+ status 1\nasks for a password: true\n$/],
  ['hears of changes', 2, /^added: 项目 \d+ at \d+\n$/],
])('the example of a program that %s', async (_, n, printed) => {
  const person = await world.person('program')
  const file = join(world.folder, `example-${n}.mjs`)
  await writeFile(file, examples[n] ?? expect.fail('no such example'))
  const env = { PATH: '/usr/bin:/bin', CLOUDOC_URL: url, CLOUDOC_USER: person.account, CLOUDOC_PASSWORD: password }
  const { stdout, stderr } = await run(process.execPath, [file], { env, timeout: 120_000 })
  expect(stderr).toBe('')
  expect(stdout).toMatch(printed)
})
