/*
 * The time from the answer to a change until the frame in which another person's page has drawn it, against a bare
 * WebSocket that sends a line to a page of the same browser. The measure is the 95th percentile (p95).
 */
import { fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import type { BareOrder } from './bare-sockets.ts'
import { compare, type Measured } from './measure.ts'
import { type BenchServer, password } from './server.ts'

const changes = 40
const rightsToEdit = 510

interface ScreenMessage {
  readonly ready?: true
  readonly at?: number
  readonly error?: string
}

/** The browser, in a process that reports when something is drawn. */
export class Screen {
  private readonly child = fork(join(import.meta.dirname, '../../../e2e/bench/live-update.ts'))
  private readonly said = new EventEmitter()

  constructor() {
    this.child.on('message', ({ ready, at, error }: ScreenMessage) => {
      if (error !== undefined) this.said.emit('error', new Error(`the browser failed: ${error}`))
      if (ready) this.said.emit('ready')
      if (at !== undefined) this.said.emit('drawn', at)
    })
  }

  async started(): Promise<void> {
    await once(this.said, 'ready')
  }

  async open(order: object): Promise<void> {
    this.child.send({ do: 'open', ...order })
    await once(this.said, 'ready')
  }

  /** Milliseconds from the end of `change` to the frame in which `page` has drawn `name`. */
  async after(page: 'ours' | 'bare', name: string, change: () => unknown): Promise<number> {
    this.child.send({ do: 'await', page, name })
    await once(this.said, 'ready')
    const drawn = once(this.said, 'drawn') as Promise<[number]>
    await change()
    const changed = Date.now()
    const [at] = await drawn
    return Math.max(1, at - changed)
  }

  end(): void {
    this.child.disconnect()
  }
}

/** The 95th percentile. */
export const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0

export async function screen(server: BenchServer, runs: number): Promise<Measured> {
  const browser = new Screen()
  const bare = fork(join(import.meta.dirname, 'bare-sockets.ts'))
  try {
    const [[port]] = await Promise.all([once(bare, 'message') as Promise<[number]>, browser.started()])
    const person = { account: 'viewer', accountName: 'viewer', password, groupId: 0 }
    const made = (await server.post('/services2/organization/createAccount', person)) as { userId: number }
    const parentId = await server.makeFolder('shown to another person')
    const subjects = [{ subjectType: 'user', subjectId: made.userId }]
    await server.post('/services2/share/shareItems', { folderIdArray: [parentId], subjects, rights: rightsToEdit })
    const folder = `/doc/folder/files?itemIdStr=s0f-${parentId}`
    const bareUrl = `ws://127.0.0.1:${port}`
    await browser.open({ origin: server.origin, account: 'viewer', password, folder, bareUrl })

    let count = 0
    const slowest = { ours: [] as number[], bare: [] as number[] }
    const measure = async (page: 'ours' | 'bare', change: (name: string) => unknown): Promise<number> => {
      const times: number[] = []
      for (let n = 0; n < changes; n += 1) {
        // The newest row is the first one and therefore visible.
        count += 1
        const name = `${10_000 - count} of ${page}`
        times.push(await browser.after(page, name, () => change(name)))
      }
      slowest[page].push(p95(times))
      return 1000 / p95(times)
    }
    const measured = await compare(
      { what: 'a change on the screen of another person (p95)', bar: 0, unit: '1/s' },
      runs,
      () =>
        measure('bare', (name) => {
          const frames = [JSON.stringify({ data: { fName: name } })]
          bare.send({ to: 'all', frames } satisfies BareOrder)
        }),
      () =>
        measure('ours', (folderName) => server.post('/services2/file/operate/folderCreate', { parentId, folderName })),
    )
    const all = (of: readonly number[]): string => of.toSorted((a, b) => a - b).join(', ')
    return { ...measured, note: `p95 of each run in ms: ${all(slowest.ours)}; bare ${all(slowest.bare)}` }
  } finally {
    browser.end()
    bare.disconnect()
  }
}
