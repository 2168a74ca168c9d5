// A TCP proxy between a server and a dependency. It can be cut, stalled or slowed down, to simulate network and machine
// failures.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

type Address = { readonly path: string } | { readonly port: number; readonly host: string }

/** The state of the proxy: forwarding, stalled without an error, refusing, or delayed by this many milliseconds. */
export type ProxyState = 'open' | 'still' | 'gone' | number

interface Link {
  readonly near: Socket
  readonly far: Socket
}

/** Accepts connections and forwards their data. */
export class FaultyProxy {
  private readonly listening: Server
  private readonly links = new Set<Link>()
  private readonly to: Address
  private readonly at: Address
  private state: ProxyState = 'open'

  private constructor(to: Address, at: Address) {
    this.to = to
    this.at = at
    this.listening = createServer((near) => this.take(near))
  }

  static async open(to: Address, at: Address): Promise<FaultyProxy> {
    const way = new FaultyProxy(to, at)
    await way.listen()
    return way
  }

  get port(): number {
    const address = this.listening.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  }

  private async listen(): Promise<void> {
    this.listening.listen('path' in this.at ? this.at : { host: this.at.host, port: this.port || this.at.port })
    await once(this.listening, 'listening')
  }

  private take(near: Socket): void {
    // A refused connection is accepted and closed: the proxy keeps its port, so that it can be reached again.
    if (this.state === 'gone') return void near.destroy()
    const far = connect(this.to)
    const link = { near, far }
    this.links.add(link)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      if (this.state === 'still') one.pause()
      one.on('data', (bytes) => {
        if (typeof this.state === 'number') setTimeout(() => other.write(bytes), this.state)
        else other.write(bytes)
      })
      one.on('error', () => one.destroy())
      one.on('close', () => {
        this.links.delete(link)
        other.destroy()
      })
    }
  }

  setState(state: ProxyState): void {
    this.state = state
    for (const { near, far } of this.links) {
      if (state === 'gone') near.destroy()
      for (const socket of [near, far]) socket[state === 'still' ? 'pause' : 'resume']()
    }
  }

  close(): void {
    this.setState('gone')
    this.listening.close()
  }
}
