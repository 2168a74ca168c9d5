/*
 * The time from the double click to the first page on the screen, compared with LibreOffice's conversion of the same
 * document to PDF, which does not display it yet. Warm: a server and a page that have shown documents before, and a
 * running LibreOffice; each content is new. Cold: the first view after a server start in a browser with an empty cache,
 * and a LibreOffice that starts with a new profile. Measured both with the built-in readers only, and with LibreOffice
 * rendering the pages.
 */
import { fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { rightsGroup } from '@cloudoc/domain'
import { createOffice, findOffice } from '../src/core/confined/office.ts'
import { compare, type Measured } from './measure.ts'
import { type BenchServer, password, startServer } from './server.ts'
import { demoDocuments, type Kind, kinds } from './stamped.ts'

/** The time that a started LibreOffice needs before it accepts a document. */
const settleMs = 2500

/** The browser, in a process that reports how long a view took. */
class PreviewClient {
  private readonly child = fork(join(import.meta.dirname, '../../../e2e/bench/open-document.ts'))
  private readonly said = new EventEmitter()

  constructor() {
    this.child.on('message', ({ ready, took, error }: { ready?: true; took?: number; error?: string }) => {
      if (error !== undefined) this.said.emit('error', new Error(`the browser failed: ${error}`))
      if (ready) this.said.emit('ready')
      if (took !== undefined) this.said.emit('took', took)
    })
  }

  async started(): Promise<void> {
    await once(this.said, 'ready')
  }

  /** Returns the folder in which the viewing user sees everything. */
  async open(server: BenchServer): Promise<number> {
    const account = `looks${randomBytes(4).toString('hex')}`
    const person = { account, accountName: account, password, groupId: 0 }
    const { userId } = (await server.post('/services2/organization/createAccount', person)) as { userId: number }
    const folderId = await server.makeFolder(account)
    const entries = [{ subjectType: 'user', subjectId: userId, rights: rightsGroup.edit }]
    await server.post('/services2/share/setShareList', { folderId, inherit: true, entries })
    this.child.send({ do: 'open', origin: server.origin, account, password })
    await once(this.said, 'ready')
    return folderId
  }

  /** Milliseconds until the first page is visible. */
  async look(folderId: number, name: string): Promise<number> {
    const took = once(this.said, 'took') as Promise<[number]>
    this.child.send({ do: 'look', folderId, name })
    const [ms] = await took
    return ms
  }

  end(): void {
    this.child.disconnect()
  }
}

export async function previewLatency(results: string, runs: number): Promise<Measured[]> {
  const soffice = findOffice(undefined)
  if (soffice === undefined) {
    console.log('LibreOffice is not installed: looks are not measured')
    return []
  }
  const place = await mkdtemp(join(results, 'looks-'))
  const document = await demoDocuments()
  const looker = new PreviewClient()
  const office = createOffice(soffice)
  let servers = 0
  const start = (program: string): Promise<BenchServer> =>
    startServer(join(place, `data-${servers++}`), '--soffice', program)
  let names = 0
  const look = async (server: BenchServer, parentId: number, kind: Kind): Promise<number> => {
    const name = `${names++}.${kind}`
    // The folder contains nothing else that would be preloaded.
    const made = await server.post('/services2/file/operate/folderCreate', { parentId, folderName: `of ${name}` })
    const { folderId } = made as { folderId: number }
    await server.upload(folderId, name, document(kind))
    return 1000 / (await looker.look(folderId, name))
  }
  const measured: Measured[] = []
  try {
    await looker.started()
    for (const [program, how] of [
      ['none', 'by the readers inside'],
      [soffice, 'where LibreOffice is'],
    ] as const) {
      const server = await start(program)
      try {
        const folderId = await looker.open(server)
        for (const kind of kinds) await look(server, folderId, kind)
        await office.toPdf({ content: contentOf(document('docx')), ext: 'docx' })
        for (const kind of kinds) {
          measured.push(
            await compare(
              { what: `first page of ${kind}, ${how}, against LibreOffice, warm`, bar: 1, unit: '1/s' },
              Math.min(3, runs),
              async () => {
                await delay(settleMs)
                const started = performance.now()
                await office.toPdf({ content: contentOf(document(kind)), ext: kind })
                return 1000 / (performance.now() - started)
              },
              async () => {
                await delay(settleMs)
                return look(server, folderId, kind)
              },
            ),
          )
        }
      } finally {
        await server.stop()
      }
      for (const kind of kinds) {
        measured.push(
          await compare(
            { what: `first page of ${kind}, ${how}, against LibreOffice, cold`, bar: 0.5, unit: '1/s' },
            Math.min(3, runs),
            () => convertAlone(soffice, place, document(kind), kind),
            async () => {
              const fresh = await start(program)
              try {
                return await look(fresh, await looker.open(fresh), kind)
              } finally {
                await fresh.stop()
              }
            },
          ),
        )
      }
    }
  } finally {
    looker.end()
    await office.close()
    await rm(place, { recursive: true, force: true })
  }
  const ms = (rate: number): string => `${(1000 / rate).toFixed(0)} ms`
  return measured.map((one) => ({ ...one, note: `${ms(one.ours)}, LibreOffice ${ms(one.yardstick)}` }))
}

const contentOf = (bytes: Buffer): Readable => Readable.from([bytes], { objectMode: false })

/** LibreOffice on the command line with a new profile. */
async function convertAlone(soffice: string, place: string, bytes: Buffer, kind: Kind): Promise<number> {
  const folder = await mkdtemp(join(place, 'alone-'))
  const path = join(folder, `document.${kind}`)
  await writeFile(path, bytes)
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`
  const started = performance.now()
  const args = [profile, '--headless', '--convert-to', 'pdf', '--outdir', join(folder, 'made'), path]
  const [code] = (await once(spawn(soffice, args, { stdio: 'ignore' }), 'exit')) as [number | null]
  const took = performance.now() - started
  await rm(folder, { recursive: true, force: true })
  if (code !== 0) throw new Error(`LibreOffice ended with ${code}`)
  return 1000 / took
}
