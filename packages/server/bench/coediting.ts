/*
 * The time until one editor's change is on the screens of nineteen others, with a hundred documents of the kind open:
 * as a call that is answered once it is stored, against ws alone, which stores and checks nothing. Also the memory of a
 * hundred documents. All editors send presence, as their pages do.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { coeditRoot, isFrame, PUSH_PATH, ServerFrame } from '@cloudoc/contract'
import { codes, rightsGroup } from '@cloudoc/domain'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { WebSocket } from 'ws'
import * as Y from 'yjs'
import { emptyDocument } from '../src/documents/index.ts'
import { type AtMost, compare, type Measured, median, memoryOf } from './measure.ts'
import type { BenchServer } from './server.ts'

const editors = 20
const documents = 100
const keys = 100
/** Longer than the server keeps an unused connection open. */
const settleMs = 7000
/** The interval of the presence calls of a page. */
const presentEveryMs = 10_000
const line = '一行普通的文字，像会议纪要里的那样。'
const sheet = 'xl/worksheets/sheet1.xml'
const main = 'word/document.xml'

/** A kind of file, and the effect of one keystroke or one cell edit on it. */
interface Kind {
  readonly name: string
  readonly ext: string
  readonly file: () => Uint8Array
  readonly act: (doc: Y.Doc, n: number) => void
}

const kinds: readonly Kind[] = [
  {
    name: 'texts',
    ext: 'md',
    file: () => Buffer.from(`${line}\n`.repeat(500)),
    act: (doc) => doc.getText(coeditRoot).insert(0, '字'),
  },
  {
    name: 'workbooks',
    ext: 'xlsx',
    file: () => emptyDocument('xlsx') ?? new Uint8Array(),
    act(doc, n) {
      const content = { kind: 'text', value: `字${n}` }
      doc.getMap(coeditRoot).set(`${sheet}\nA${1 + (n % 1000)}`, { content })
    },
  },
  {
    name: 'Word documents',
    ext: 'docx',
    file() {
      const parts = unzipSync(emptyDocument('docx') ?? new Uint8Array())
      const paragraphs = `<w:p><w:r><w:t>${line}</w:t></w:r></w:p>`.repeat(500)
      const xml = strFromU8(parts[main] ?? new Uint8Array()).replace('<w:body>', `<w:body>${paragraphs}`)
      return zipSync({ ...parts, [main]: strToU8(xml) })
    },
    act: (doc) => doc.getText(coeditRoot).insert(0, '字'),
  },
]

interface Joined {
  readonly generation: number
  readonly client: number
  readonly update: string
}

/** An editor: a session, its socket, and the received frames. */
class Editor {
  private readonly server: BenchServer
  private readonly authorization: string
  private readonly agent = new Agent({ keepAlive: true })
  private socket: WebSocket | undefined
  private seen = new Map<number, number>()
  private readonly present = new Map<number, object>()
  private beating: NodeJS.Timeout | undefined
  private awaited: { fileId: number; seq: number; resolve: () => void } | undefined

  constructor(server: BenchServer, authorization: string) {
    this.server = server
    this.authorization = authorization.replace('authorization: ', '')
  }

  async listen(): Promise<void> {
    const socket = new WebSocket(`${this.server.origin.replace('http', 'ws')}${PUSH_PATH}`)
    this.socket = socket
    await once(socket, 'open')
    socket.send(JSON.stringify({ cmd: 'login', token: this.authorization.replace('Bearer ', '') }))
    const welcomed = Promise.withResolvers<void>()
    socket.on('message', (bytes: Buffer) => {
      const frame = ServerFrame.parse(JSON.parse(bytes.toString()))
      if (isFrame(frame, 'welcome')) welcomed.resolve()
      if (!isFrame(frame, 'togetherChanged')) return
      const { fileId, seq } = frame.data
      this.seen.set(fileId, seq)
      if (this.awaited?.fileId === fileId && seq >= this.awaited.seq) this.awaited.resolve()
    })
    await welcomed.promise
  }

  sees(fileId: number, seq: number): Promise<void> {
    if ((this.seen.get(fileId) ?? 0) >= seq) return Promise.resolve()
    return new Promise((resolve) => {
      this.awaited = { fileId, seq, resolve }
    })
  }

  async post(path: string, input: object): Promise<unknown> {
    const headers = { authorization: this.authorization, 'content-type': 'application/json' }
    const sent = request(`${this.server.origin}${path}`, { method: 'POST', agent: this.agent, headers })
    sent.end(JSON.stringify(input))
    const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer>]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    const answer = JSON.parse(Buffer.concat(chunks).toString()) as { result: number; data: unknown; msg: string }
    if (answer.result !== codes.success.code) throw new Error(`${path} was refused: ${answer.result} ${answer.msg}`)
    return answer.data
  }

  async join(fileId: number): Promise<Joined> {
    const joined = (await this.post('/services2/edit/joinTogether', { fileId })) as Joined
    const { generation, client } = joined
    this.present.set(fileId, { fileId, generation, client })
    this.beating ??= setInterval(() => void this.beat(), presentEveryMs)
    return joined
  }

  private async beat(): Promise<void> {
    for (const own of this.present.values()) await this.post('/services2/edit/presentTogether', own).catch(() => {})
  }

  async leaveAll(): Promise<void> {
    const all = [...this.present.values()]
    this.present.clear()
    for (const own of all) await this.post('/services2/edit/presentTogether', { ...own, leaves: true })
  }

  close(): void {
    clearInterval(this.beating)
    this.socket?.terminate()
    this.agent.destroy()
  }
}

/** ws alone, with as many sockets as there are editors. */
class Bare {
  readonly took: number[] = []
  private readonly child: ChildProcess
  private readonly sockets: readonly WebSocket[]
  private readonly started: number

  private constructor(child: ChildProcess, sockets: readonly WebSocket[], started: number) {
    this.child = child
    this.sockets = sockets
    this.started = started
  }

  static async open(): Promise<Bare> {
    const child = fork(join(import.meta.dirname, 'bare-broadcast.ts'))
    const [port] = (await once(child, 'message')) as [number]
    const started = await memoryOf({ pid: child.pid ?? 0 })
    const sockets: WebSocket[] = []
    for (let n = 0; n < editors; n += 1) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`)
      sockets.push(socket)
      await once(socket, 'open')
    }
    return new Bare(child, sockets, started ?? 0)
  }

  async send(): Promise<void> {
    const [speaker, ...hearers] = this.sockets
    const started = performance.now()
    const heard = Promise.all(hearers.map((socket) => once(socket, 'message')))
    speaker?.send('a keystroke, about as long as a change of a document is')
    await heard
    this.took.push(performance.now() - started)
  }

  /** Its memory, and the increase since before the first editor joined. */
  async memory(): Promise<string> {
    const now = (await memoryOf({ pid: this.child.pid ?? 0 })) ?? 0
    return `${now.toFixed(0)} MB, of them ${(now - this.started).toFixed(1)} since its start`
  }

  close(): void {
    for (const socket of this.sockets) socket.terminate()
    this.child.disconnect()
  }
}

interface Outcome {
  readonly measured: Measured
  readonly limits: readonly AtMost[]
}

async function of(
  kind: Kind,
  server: BenchServer,
  people: readonly Editor[],
  bare: Bare,
  folderId: number,
  runs: number,
): Promise<Outcome> {
  const fileIds: number[] = []
  const file = Buffer.from(kind.file())
  for (let n = 0; n < documents; n += 1)
    fileIds.push(await server.upload(folderId, `${kind.ext}${n}.${kind.ext}`, file))
  await delay(settleMs)
  const before = await memoryOf(server)
  const [shared = 0, ...others] = fileIds
  const joined: Joined[] = []
  for (const person of people) joined.push(await person.join(shared))
  for (const [n, fileId] of others.entries()) for (const at of [n, n + 1]) await people[at % editors]?.join(fileId)
  await delay(settleMs)
  const after = await memoryOf(server)

  const [writer, ...readers] = people
  const [own] = joined
  if (writer === undefined || own === undefined) throw new Error('nobody writes')
  const doc = new Y.Doc()
  doc.clientID = own.client
  Y.applyUpdate(doc, Buffer.from(own.update, 'base64'))
  const took: number[] = []
  const type = async (): Promise<void> => {
    const vector = Y.encodeStateVector(doc)
    kind.act(doc, took.length)
    const update = Buffer.from(Y.encodeStateAsUpdate(doc, vector)).toString('base64')
    const started = performance.now()
    const input = { fileId: shared, generation: own.generation, client: own.client, update }
    const { seq } = (await writer.post('/services2/edit/editTogether', input)) as { seq: number }
    await Promise.all(readers.map((reader) => reader.sees(shared, seq)))
    took.push(performance.now() - started)
  }
  const rate = async (work: () => Promise<void>): Promise<number> => {
    const started = performance.now()
    for (let n = 0; n < keys; n += 1) await work()
    return (keys / (performance.now() - started)) * 1000
  }
  bare.took.length = 0
  const measured = await compare(
    {
      what: `keystrokes one after another on ${editors - 1} other screens, ${documents} ${kind.name} open`,
      bar: 0,
      unit: 'keys/s',
    },
    runs,
    () => rate(() => bare.send()),
    () => rate(type),
  )
  const note = `on all other screens: ${latencyText(took)}; ws alone, which stores nothing: ${latencyText(bare.took)}, ${await bare.memory()}`
  for (const person of people) await person.leaveAll()
  const parts = editors + 2 * (documents - 1)
  const what = `memory of ${documents} ${kind.name} with ${parts} who edit (PSS)`
  return {
    measured: { ...measured, note },
    limits: before === undefined || after === undefined ? [] : [{ what, value: after - before, most: 200, unit: 'MB' }],
  }
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
const latencyText = (values: readonly number[]): string =>
  `median ${median(values).toFixed(1)} ms, 95 of 100 within ${p95(values).toFixed(1)} ms`

export async function coediting(
  server: BenchServer,
  runs: number,
): Promise<{ measured: Measured[]; limits: AtMost[] }> {
  const people: Editor[] = []
  const bare = await Bare.open()
  try {
    await server.post('/services2/setting/setServerSetting', { multi_edit_type: 1 })
    const folderId = await server.makeFolder('written together')
    const { groupId } = (await server.call('/services2/organization/getGroupInfo/0')) as { groupId: number }
    const entry = { subjectType: 'group', subjectId: groupId, rights: rightsGroup.edit }
    await server.post('/services2/share/setShareList', { folderId, inherit: true, entries: [entry] })
    for (let n = 0; n < editors; n += 1) {
      const editor = new Editor(server, await server.person(`together${n}`))
      people.push(editor)
      await editor.listen()
    }
    const outcomes: Outcome[] = []
    for (const kind of kinds) outcomes.push(await of(kind, server, people, bare, folderId, runs))
    return { measured: outcomes.map(({ measured }) => measured), limits: outcomes.flatMap(({ limits }) => limits) }
  } finally {
    for (const person of people) person.close()
    bare.close()
  }
}
