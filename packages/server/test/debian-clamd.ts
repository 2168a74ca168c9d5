// Debian's clamd for a test, with one handwritten signature only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { findClamd } from '../../../scripts/programs.mjs'
import { freePort } from './free-port.ts'

/** Starts a clamd that reports `name` in every content with `words`. It stops when the test ends. */
export async function startDebianClamd(name: string, words: string): Promise<{ host: string; port: number }> {
  const program = findClamd()
  if (program === undefined) throw new Error('this test needs clamd: npm run test:full installs it')
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-clamd-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const signatures = join(folder, 'signatures')
  await mkdir(signatures)
  // Signature fields: name, any file type, any offset, these bytes.
  await writeFile(join(signatures, 'own.ndb'), `${name}:0:*:${Buffer.from(words).toString('hex')}\n`)
  const port = await freePort()
  const settings = {
    DatabaseDirectory: signatures,
    TCPSocket: port,
    TCPAddr: '127.0.0.1',
    Foreground: 'yes',
    LogVerbose: 'yes',
    StreamMaxLength: '1M',
    User: userInfo().username,
  }
  const path = join(folder, 'clamd.conf')
  await writeFile(
    path,
    Object.entries(settings)
      .map(([key, value]) => `${key} ${value}\n`)
      .join(''),
  )
  const clamd = spawn(program, ['--foreground', '--config-file', path], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(async () => {
    clamd.kill('SIGKILL')
    if (clamd.exitCode === null && clamd.signalCode === null) await once(clamd, 'exit')
  })
  for await (const line of createInterface({ input: clamd.stdout }))
    if (line.includes('Self checking every')) return { host: '127.0.0.1', port }
  throw new Error('clamd did not start')
}
