// What a confined program may attempt: its argument names the attempt, and it prints the outcome.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { buffer } from 'node:stream/consumers'

/** Returns the error code of an attempt that may be forbidden. */
async function codeOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt()
    return 'done'
  } catch (error) {
    return String((error as { code?: unknown }).code)
  }
}

/** The command comes in a line before the input. The program reports that it has received the line. */
async function wait(): Promise<string[]> {
  let line = ''
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    if (!line.includes('\n') && chunk.includes(10)) process.stderr.write('0\n')
    line += chunk.toString()
  }
  return JSON.parse(line.split('\n')[0] ?? '') as string[]
}
const [what = '', more = ''] = process.argv[2] === 'ahead' ? await wait() : process.argv.slice(2)
const tries: Record<string, () => string | Buffer | Promise<string | Buffer>> = {
  reverse: async () => Buffer.from(await buffer(process.stdin)).reverse(),
  variables: () =>
    readFileSync('/proc/self/environ', 'utf8')
      .split('\0')
      .map((one) => one.split('=')[0])
      .join(' '),
  pid: () => String(process.pid),
  interfaces: () => Object.keys(networkInterfaces()).join(' '),
  network: () =>
    codeOf(
      () =>
        new Promise((resolve, reject) => {
          connect(Number(more), '127.0.0.1', () => resolve(undefined)).on('error', reject)
        }),
    ),
  writing: () => codeOf(() => writeFileSync(more, 'written')),
  writingMuch: () => codeOf(() => writeFileSync(more, Buffer.alloc(1024 * 1024))),
  starting: () => codeOf(() => spawn('/bin/true')),
  oom: () => readFileSync('/proc/self/oom_score_adj', 'utf8').trim(),
  much: () => Buffer.alloc(Number(more)),
  turning: () => {
    process.stdout.write('turning')
    for (;;);
  },
  objects: () => {
    const held: object[] = []
    for (;;) held.push({ at: held.length })
  },
  buffers: () => {
    const held: Buffer[] = []
    for (;;) held.push(Buffer.alloc(16 * 1024 * 1024, 1))
  },
  failing: () => {
    throw new Error('it cannot')
  },
}
process.stdout.end((await tries[what]?.()) ?? '')
