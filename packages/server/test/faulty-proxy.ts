// A way between a server and what it stands on, that can be cut, stand still or be slow, as networks and machines are.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

type Address = { readonly path: string } | { readonly port: number; readonly host: string }

/** How what comes over it fares: as ever, not at all and nobody says so, refused, or late by so many milliseconds. */
export type ProxyState = 'open' | 'still' | 'gone' | number

interface Link {
  readonly near: Socket
  readonly far: Socket
}

/** Takes connections and hands on what comes over them. */
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
    // What is refused is refused by who listens: where a port is to be found again it stays taken.
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
