// The server as an operator starts it: in its own process.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { serverEnvironment, serverFlags } from '../../../scripts/server-process.mjs'

const main = join(import.meta.dirname, '../src/main.ts')

/** A started process and its outcome. */
export class ServerProcess {
  readonly child: ChildProcess
  out = ''
  err = ''
  readonly exited: Promise<number | null>

  constructor(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    script = main,
    channel: 'ipc' | 'ignore' = 'ignore',
  ) {
    this.child = spawn(process.execPath, [...serverFlags, script, ...args], {
      env: { ...serverEnvironment, CLOUDOC_ADMIN_PASSWORD: 'Test#2026', ...env },
      stdio: ['ignore', 'pipe', 'pipe', channel],
    })
    this.child.stdout?.on('data', (text: Buffer) => {
      this.out += text.toString()
      this.child.emit('said')
    })
    this.child.stderr?.on('data', (text: Buffer) => {
      this.err += text.toString()
    })
    this.exited = once(this.child, 'close').then(() => this.child.exitCode)
  }

  /** Resolves with the match when the process has printed it. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    while (true) {
      const match = pattern.exec(this.out)
      if (match !== null) return match
      if (this.child.exitCode !== null || this.child.signalCode !== null) throw new Error(`it ended: ${this.err}`)
      await Promise.race([once(this.child, 'said'), this.exited])
    }
  }

  /** Resolves with the address once the server is ready. */
  async ready(): Promise<string> {
    return (await this.says(/ready at (\S+)/))[1] ?? ''
  }
}
