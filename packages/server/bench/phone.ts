/*
 * The first paint of the pages for phones against that of the login page, in one browser with a slow processor and a
 * slow network, each with an empty cache.
 */
import { fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { type AtMost, median } from './measure.ts'
import { type BenchServer, password } from './server.ts'

interface Painted {
  readonly first: number
  readonly complete: number
}

/** The browser, in a process of its own. */
class Phone {
  private readonly child = fork(join(import.meta.dirname, '../../../e2e/bench/first-paint.ts'))
  private readonly said = new EventEmitter()

  constructor() {
    this.child.on('message', ({ ready, painted, error }: { ready?: true; painted?: Painted; error?: string }) => {
      if (error !== undefined) this.said.emit('error', new Error(`the browser failed: ${error}`))
      if (ready) this.said.emit('ready')
      if (painted !== undefined) this.said.emit('painted', painted)
    })
  }

  async started(): Promise<void> {
    await once(this.said, 'ready')
  }

  async signIn(origin: string, account: string): Promise<void> {
    this.child.send({ do: 'open', origin, account, password })
    await once(this.said, 'ready')
  }

  async paint(order: {
    readonly path: string
    readonly complete: string
    readonly signedIn: boolean
  }): Promise<Painted> {
    const painted = once(this.said, 'painted') as Promise<[Painted]>
    this.child.send({ do: 'paint', ...order })
    const [times] = await painted
    return times
  }

  end(): void {
    this.child.disconnect()
  }
}

export async function phone(server: BenchServer, runs: number): Promise<{ limits: readonly AtMost[] }> {
  const browser = new Phone()
  try {
    await browser.started()
    await server.person('phone')
    await browser.signIn(server.origin, 'phone')
    const times: { login: Painted; files: Painted }[] = []
    for (let run = 0; run < runs; run += 1) {
      times.push({
        login: await browser.paint({
          ...{ path: '/doc/login?redirect=%2Fm%2Findex.html', complete: 'input[type=password]', signedIn: false },
        }),
        files: await browser.paint({ path: '/m/index.html', complete: '.m-items li', signedIn: true }),
      })
    }
    const ms = (of: (one: (typeof times)[number]) => number): string => `${Math.round(median(times.map(of)))} ms`
    console.log(
      `first paint of the login page ${ms(({ login }) => login.first)}, of /m/ ${ms(({ files }) => files.first)}`,
    )
    console.log(`complete: login ${ms(({ login }) => login.complete)}, /m/ ${ms(({ files }) => files.complete)}`)
    const value = median(times.map(({ login, files }) => files.first / login.first))
    return { limits: [{ what: 'first paint of /m/ against the login page', value, most: 1.5, unit: '' }] }
  } finally {
    browser.end()
  }
}
