/*
 * What one types reaches the screens of nineteen others, while a hundred documents are open: as a call that is answered
 * when it is stored, against ws alone that stores nothing and asks nobody. And what a hundred documents take of memory.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isFrame, PUSH_PATH, ServerFrame, togetherRoot } from '@cloudoc/contract'
import { codes, rightsGroup } from '@cloudoc/domain'
import { WebSocket } from 'ws'
import * as Y from 'yjs'
import { type AtMost, compare, type Measured, median, memoryOf } from './measure.ts'
import type { BenchServer } from './server.ts'

const editors = 20
const documents = 100
const keys = 100
/** Longer than the server keeps a connection that nobody uses. */
const settleMs = 7000

interface Joined {
  readonly generation: number
  readonly client: number
  readonly update: string
}

/** One who edits: a session, its socket, and what came over it. */
class Editor {
  private readonly server: BenchServer
  private readonly authorization: string
  private readonly agent = new Agent({ keepAlive: true })
  private socket: WebSocket | undefined
  private seen = new Map<number, number>()
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

  join(fileId: number): Promise<Joined> {
    return this.post('/services2/edit/joinTogether', { fileId }) as Promise<Joined>
  }

  close(): void {
    this.socket?.terminate()
    this.agent.destroy()
  }
}

export async function together(server: BenchServer, runs: number): Promise<{ measured: Measured[]; limits: AtMost[] }> {
  const bare = fork(join(import.meta.dirname, 'bare-broadcast.ts'))
  const listening = once(bare, 'message') as Promise<[number]>
  const people: Editor[] = []
  const sockets: WebSocket[] = []
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
    const fileIds: number[] = []
    const text = Buffer.from('一行普通的文字，像会议纪要里的那样。\n'.repeat(500))
    for (let n = 0; n < documents; n += 1) fileIds.push(await server.upload(folderId, `${n}.md`, text))

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
      doc.getText(togetherRoot).insert(0, '字')
      const update = Buffer.from(Y.encodeStateAsUpdate(doc, vector)).toString('base64')
      const started = performance.now()
      const input = { fileId: shared, generation: own.generation, client: own.client, update }
      const { seq } = (await writer.post('/services2/edit/editTogether', input)) as { seq: number }
      await Promise.all(readers.map((reader) => reader.sees(shared, seq)))
      took.push(performance.now() - started)
    }

    const [port] = await listening
    for (let n = 0; n < editors; n += 1) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`)
      sockets.push(socket)
      await once(socket, 'open')
    }
    const [speaker, ...hearers] = sockets
    const bareTook: number[] = []
    const send = async (): Promise<void> => {
      const started = performance.now()
      const heard = Promise.all(hearers.map((socket) => once(socket, 'message')))
      speaker?.send('a keystroke, about as long as a change of a document is')
      await heard
      bareTook.push(performance.now() - started)
    }
    const rate = async (work: () => Promise<void>): Promise<number> => {
      const started = performance.now()
      for (let n = 0; n < keys; n += 1) await work()
      return (keys / (performance.now() - started)) * 1000
    }
    const measured = await compare(
      {
        what: `keystrokes one after another on ${editors - 1} other screens, ${documents} documents open`,
        bar: 0,
        unit: 'keys/s',
      },
      runs,
      () => rate(send),
      () => rate(type),
    )
    const p95 = (values: readonly number[]): number =>
      values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
    const words = (values: readonly number[]): string =>
      `median ${median(values).toFixed(1)} ms, 95 of 100 within ${p95(values).toFixed(1)} ms`
    const note = `on all other screens: ${words(took)}; ws alone, which stores nothing: ${words(bareTook)}`
    return {
      measured: [{ ...measured, note }],
      limits:
        before === undefined || after === undefined
          ? []
          : [
              {
                what: `memory of ${documents} documents with ${editors + 2 * (documents - 1)} who edit (PSS)`,
                value: after - before,
                most: 200,
                unit: 'MB',
              },
            ],
    }
  } finally {
    for (const socket of sockets) socket.terminate()
    for (const person of people) person.close()
    bare.disconnect()
  }
}
