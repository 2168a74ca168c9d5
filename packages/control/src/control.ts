/*
 * The control program as a whole: its sockets, its edits, and the regular look at local copies. One instance runs per
 * person of the computer; addresses that another one is started with are handed to it.
 */
import { mkdir, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { codes, readLocalEditAddress } from '@cloudoc/domain'
import { EditStore } from './edit-store.ts'
import { LocalEdits } from './local-edits.ts'
import { failureOf } from './server-session.ts'
import { openSockets, type Sockets } from './sockets.ts'

export interface ControlOptions {
  /** The version that pages compare with the newest one ([R372]). */
  readonly version: string
  /** The folder of what the program knows. */
  readonly folder: string
  readonly documents: string
  readonly servers: readonly string[]
  readonly launch: (path: string) => Promise<void>
  readonly machine: () => string
  readonly ports?: { readonly device: number; readonly edit: number }
  readonly now?: () => number
  readonly quietMs?: number
  /** Milliseconds between two looks at the local copies; 0: only when told to. */
  readonly scanMs?: number
}

export interface Control {
  readonly edits: LocalEdits
  readonly sockets: Sockets
  /** Opens an address of one of the schemes; resolves to a result code. */
  readonly open: (address: string) => Promise<number>
  readonly close: () => Promise<void>
}

/** The first line that instances exchange; the second is the answer. */
const longestLine = 8192

const pipeOf = (folder: string): string =>
  process.platform === 'win32'
    ? `\\\\.\\pipe\\cloudoc-control-${Buffer.from(folder).toString('hex').slice(-100)}`
    : join(folder, 'run')

/** Starts the program. Returns undefined if one runs already: `address` was handed to it. */
export async function startControl(options: ControlOptions, address?: string): Promise<Control | undefined> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 })
  if (await handOver(pipeOf(options.folder), address ?? '')) return undefined
  const store = await EditStore.open(options.folder)
  const { now = Date.now, scanMs = 1000, machine, version, servers, ports } = options
  const edits = new LocalEdits({ ...options, store, now })
  const sockets = await openSockets({
    version,
    machine,
    servers,
    pages: () => store.pages,
    edits,
    ...(ports && { ports }),
  })
  const open = async (told: string): Promise<number> => {
    try {
      await edits.open(told)
      return codes.success.code
    } catch (error) {
      const result = failureOf(error)
      const edit = readLocalEditAddress(told)?.edit
      if (edit !== undefined) sockets.tellFailure(edit, result)
      return result
    }
  }
  const pipe = await acceptAddresses(pipeOf(options.folder), open)
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const look = async (): Promise<void> => {
    await edits.scan().catch(() => undefined)
    if (!isClosed && scanMs > 0) timer = setTimeout(() => void look(), scanMs)
  }
  if (scanMs > 0) timer = setTimeout(() => void look(), scanMs)
  if (address !== undefined) await open(address)
  return {
    edits,
    sockets,
    open,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      pipe.close()
      await sockets.close()
      await edits.end()
    },
  }
}

/** Hands an address to a running instance; false if none runs. */
async function handOver(path: string, address: string): Promise<boolean> {
  const socket = connect(path)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.once('error', () => resolve(false))
  socket.once('connect', () => socket.write(`${address}\n`))
  socket.once('data', () => resolve(true))
  socket.once('close', () => resolve(false))
  const isTaken = await promise
  socket.destroy()
  return isTaken
}

async function acceptAddresses(path: string, open: (address: string) => Promise<number>): Promise<Server> {
  // What is left there belongs to a program that was killed: a running one has answered.
  if (process.platform !== 'win32') await rm(path, { force: true })
  const server = createServer((socket) => {
    let text = ''
    socket.setTimeout(5000, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      text += String(data)
      if (text.length > longestLine) return socket.destroy()
      if (!text.includes('\n')) return undefined
      const [address = ''] = text.split('\n')
      socket.end('taken\n')
      if (address !== '') void open(address)
      return undefined
    })
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(path, resolve)
  await promise
  return server
}
