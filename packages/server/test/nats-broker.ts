// The NATS server of this machine, on its own port. Tests kill and restart it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { inject } from 'vitest'

export class Broker {
  private child: ChildProcess | undefined
  url = ''

  static async open(): Promise<Broker> {
    const broker = new Broker()
    await broker.start()
    return broker
  }

  async start(): Promise<void> {
    const program = inject('nats')
    if (program === '') throw new Error('This test needs NATS: install nats-server, or set NATS_SERVER to its path')
    const port = this.url === '' ? '-1' : new URL(this.url).port
    const child = spawn(program, ['-a', '127.0.0.1', '-p', port], { stdio: ['ignore', 'ignore', 'pipe'] })
    this.child = child
    for await (const line of createInterface({ input: child.stderr })) {
      this.url = /client connections on (\S+)/.exec(line)?.[1]?.replace(/^/, 'nats://') ?? this.url
      if (line.includes('Server is ready')) return
    }
    throw new Error('nats-server did not start')
  }

  async kill(): Promise<void> {
    const child = this.child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}
