// Many clients of the push channel in their own process, so that the server's memory is measured alone. They handle
// identities like the web client: each tracks its position and reports missing and duplicate pushes.
import { channelFrames } from '@cloudoc/contract'
import { WebSocket } from 'ws'

export type ClientsOrder =
  | { readonly do: 'open'; readonly url: string; readonly tokens: readonly string[]; readonly until?: string }
  | { readonly do: 'await'; readonly name: string }
  | { readonly do: 'drop' }
  | { readonly do: 'count' }

interface Frame {
  readonly pushType: number
  readonly identity: string
  readonly epoch: string
  /** `fName` of changes of items, `value` of messages. */
  readonly data: { readonly fName?: string; readonly value?: string; readonly lastIdentity?: string }
}

class Client {
  readonly token: string
  private readonly identities = new Set<string>()
  twice = 0
  private last = ''
  private epoch = ''
  private name = ''
  private socket: WebSocket | undefined
  private awaited: { name: string; resolve: () => void } | undefined

  constructor(token: string) {
    this.token = token
  }

  get heard(): number {
    return this.identities.size
  }

  open(url: string, n: number): Promise<void> {
    const opened = Promise.withResolvers<void>()
    // One address has ports for about 28,000 connections, including recently closed ones.
    const socket = new WebSocket(url, { localAddress: `127.0.0.${2 + (n % 8)}`, perMessageDeflate: false })
    this.socket = socket
    socket.on('open', () => {
      const { token, last, epoch } = this
      socket.send(JSON.stringify({ cmd: 'login', token, ...(last === '' ? {} : { lastIdentity: last, epoch }) }))
    })
    socket.on('error', opened.reject)
    socket.on('message', (bytes: Buffer) => {
      const frame = JSON.parse(bytes.toString()) as Frame
      if (frame.pushType === channelFrames.welcome.type) {
        if (this.last === '') this.last = frame.data.lastIdentity ?? ''
        this.epoch = frame.epoch
        opened.resolve()
      }
      const name = frame.data.fName ?? frame.data.value
      if (name !== undefined) this.take(frame.identity, name)
    })
    return opened.promise
  }

  private take(identity: string, name: string): void {
    if (this.identities.has(identity)) this.twice += 1
    this.identities.add(identity)
    this.last = identity
    this.name = name
    if (this.awaited?.name === name) this.awaited.resolve()
  }

  hears(name: string): Promise<void> {
    if (this.name === name) return Promise.resolve()
    return new Promise((resolve) => {
      this.awaited = { name, resolve }
    })
  }

  drop(): Promise<void> {
    const { socket } = this
    if (socket === undefined || socket.readyState === socket.CLOSED) return Promise.resolve()
    return new Promise((resolve) => {
      socket.once('close', resolve)
      socket.removeAllListeners('message')
      socket.terminate()
    })
  }
}

let clients: Client[] = []

async function obey(order: ClientsOrder): Promise<unknown> {
  switch (order.do) {
    case 'open': {
      if (clients.length !== order.tokens.length) clients = order.tokens.map((token) => new Client(token))
      const heard = clients.map((client) => (order.until === undefined ? Promise.resolve() : client.hears(order.until)))
      // A thousand at once, the limit of a listening socket's backlog.
      for (let at = 0; at < clients.length; at += 1000) {
        await Promise.all(clients.slice(at, at + 1000).map((client, n) => client.open(order.url, n)))
      }
      await Promise.all(heard)
      return undefined
    }
    case 'await':
      await Promise.all(clients.map((client) => client.hears(order.name)))
      return undefined
    case 'drop':
      await Promise.all(clients.map((client) => client.drop()))
      return undefined
    case 'count':
      return { heard: clients.map((client) => client.heard), twice: clients.reduce((sum, { twice }) => sum + twice, 0) }
  }
}

process.on('message', (order: ClientsOrder) => {
  obey(order).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
