/*
 * Several servers of one installation with collaborative editing of one file. They are killed repeatedly while people
 * edit; in a workbook the edits also insert rows and add sheets. One more test revokes a right at one server while its
 * user types at the other.
 */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { type CoeditRebase, coeditRoot, isFrame } from '@cloudoc/contract'
import { rightsGroup } from '@cloudoc/domain'
import type { StructureOperation } from '@cloudoc/office/workbook'
import { cellKey, openWorkbook, refOf, type Workbook } from '@cloudoc/office/workbook'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import * as Y from 'yjs'
import { emptyDocument } from '../src/documents/empty-documents.ts'
import { type CoeditedKind, coeditedKinds } from './coediting.ts'
import { longTest } from './full.ts'
import { randomOf } from './random.ts'
import { Remote } from './remote.ts'
import { type Node, password, Site } from './several-servers.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const kills = 6
const rightRounds = 20

let site: Site | undefined
beforeAll(async () => {
  site = await Site.open()
})
afterAll(() => site?.close())

/** Calls one of the servers, and retries until one answers. */
type Ask = <T>(work: (origin: string) => Promise<T>) => Promise<T>

class Editor {
  readonly doc = new Y.Doc()
  private readonly person: Remote
  private readonly ask: Ask
  private readonly own: { readonly fileId: number; readonly generation: number; readonly client: number }
  private waiting: Uint8Array[] = []

  private constructor(person: Remote, ask: Ask, own: Editor['own'], update: string) {
    this.person = person
    this.ask = ask
    this.own = own
    this.doc.clientID = own.client
    Y.applyUpdate(this.doc, Buffer.from(update, 'base64'), 'server')
    this.doc.on('update', (change: Uint8Array, origin: unknown) => {
      if (origin !== 'server') this.waiting.push(change)
    })
  }

  static async join(person: Remote, ask: Ask, fileId: number): Promise<Editor> {
    const { update, generation, client } = await ask((origin) => person.call(origin, 'joinTogether', { fileId }))
    return new Editor(person, ask, { fileId, generation, client }, update)
  }

  /** Sends the pending changes; a retry sends the same update again. Returns the update that is now stored. */
  async send(): Promise<Uint8Array | undefined> {
    if (this.waiting.length === 0) return undefined
    const update = Y.mergeUpdates(this.waiting.splice(0))
    await this.ask((origin) => this.person.call(origin, 'editTogether', { ...this.own, update: base64(update) }))
    return update
  }

  async catchUp(): Promise<void> {
    const vector = base64(Y.encodeStateVector(this.doc))
    const { update } = await this.ask((origin) => this.person.call(origin, 'joinTogether', { ...this.own, vector }))
    Y.applyUpdate(this.doc, Buffer.from(update, 'base64'), 'server')
  }

  leave(): Promise<unknown> {
    return this.ask((origin) => this.person.call(origin, 'presentTogether', { ...this.own, leaves: true }))
  }
}

/** An installation of two servers, with a file that five people may edit. */
async function opened(name: string, fileName: string, bytes: Buffer<ArrayBuffer>, below: (most: number) => number) {
  if (site === undefined) throw new Error('no site')
  const installation = await site.install(name)
  const nodes: Node[] = await installation.two()
  const ask: Ask = async (work) => {
    for (;;) {
      const { origin } = nodes[below(nodes.length)] ?? { origin: '' }
      try {
        return await work(origin)
      } catch (error) {
        // A refusal is an answer. A killed server gives no answer, or an incomplete one.
        if (error instanceof Error && error.message.includes('was refused') && !/serverException/.test(error.message))
          throw error
        await delay(20)
      }
    }
  }
  const first = nodes[0]?.origin ?? ''
  const { admin, ben, shared } = await installation.people(first, 'ben')
  await admin.call(first, 'setServerSetting', { multi_edit_type: 1 })
  const people = [ben]
  const entries = [{ subjectType: 'user' as const, subjectId: ben.userId, rights: 510 }]
  for (const account of ['anna', 'carl', 'dora', 'emil']) {
    const made = { account, accountName: account, password, groupId: 0 }
    const { userId } = await admin.call(first, 'createAccount', made)
    entries.push({ subjectType: 'user', subjectId: userId, rights: 510 })
    people.push(await Remote.signIn(first, account, password))
  }
  await admin.call(first, 'setShareList', { folderId: shared, inherit: false, entries })
  const fileId = await ben.upload(first, shared, fileName, bytes)
  /** Kills a server under load and starts another one in its place. */
  const kill = async (n: number): Promise<void> => {
    const dying = nodes[n % 2]
    const server = installation.start()
    dying?.server.child.kill('SIGKILL')
    await dying?.server.exited
    nodes[n % 2] = { server, origin: await server.ready() }
  }
  /** Waits for the final state of the file, when no one edits it any more. */
  const atTheEnd = async (isRight: (file: Buffer) => void): Promise<void> => {
    await vi.waitFor(
      async () => {
        const file = await ask(async (origin) => (await ben.download(origin, fileId)).arrayBuffer())
        isRight(Buffer.from(file))
        const { list } = await ask((origin) => ben.call(origin, 'getSubItemList3', { folderId: shared }))
        expect(list[0]?.editorName).toBe('')
      },
      { timeout: 120_000, interval: 500 },
    )
    for (const { server } of nodes) {
      server.child.kill('SIGKILL')
      await server.exited
    }
  }
  return { ask, people, fileId, kill, atTheEnd }
}

async function play(kind: CoeditedKind, seed: number): Promise<void> {
  const random = randomOf(seed)
  const below = (most: number): number => Math.floor(random() * most)
  const name = `kills_${kind.name.replace('.', '_')}`
  const { ask, people, fileId, kill, atTheEnd } = await opened(name, kind.name, kind.file(), below)
  const editors = await Promise.all(people.map((person) => Editor.join(person, ask, fileId)))

  /** The acknowledged changes, applied to a document of their own. */
  const answered = new Y.Doc()
  Y.applyUpdate(answered, Y.encodeStateAsUpdate(editors[0]?.doc ?? answered))
  const state = { isOver: false, stored: 0 }
  const writes = async (editor: Editor): Promise<void> => {
    while (!state.isOver) {
      for (let n = below(4); n >= 0; n -= 1) kind.act(editor.doc, below)
      const stored = await editor.send()
      if (stored !== undefined) Y.applyUpdate(answered, stored)
      state.stored += 1
      if (below(5) === 0) await editor.catchUp()
    }
  }
  const killed = async (): Promise<void> => {
    for (let n = 0; n < kills; n += 1) {
      const before = state.stored
      await vi.waitUntil(() => state.stored > before + 20, 120_000)
      await kill(n)
    }
    state.isOver = true
  }
  await Promise.all([killed(), ...editors.map(writes)])
  for (const editor of editors) {
    const stored = await editor.send()
    if (stored !== undefined) Y.applyUpdate(answered, stored)
  }
  for (const editor of editors) await editor.catchUp()
  const says = kind.textOf(answered)
  expect(editors.map(({ doc }) => kind.textOf(doc))).toEqual(editors.map(() => says))

  // The last editor leaves, and the server that receives this call is killed. Another server makes the version and
  // unlocks the file.
  const leaving = Promise.all(editors.map((editor) => editor.leave()))
  await kill(0)
  await leaving
  await atTheEnd((file) => expect(kind.textOfFile(file)).toBe(says))
  process.stdout.write(
    `${kind.name}: ${state.stored} changes stored while servers were killed ${kills + 1} times, 0 lost\n`,
  )
}

const sheet = 'xl/worksheets/sheet1.xml'
const isConflict = (error: unknown): boolean => error instanceof Error && error.message.endsWith('fileConflict')

/**
 * An editor who writes in their own column of a workbook while rows are inserted. It tracks the rows to which the
 * written numbers move.
 */
class ColumnWriter {
  readonly column: number
  /** The acknowledged numbers, by row. */
  readonly stored = new Map<number, number>()
  /** The acknowledged sheets; `asked` holds all requested ones. */
  readonly sheets: string[] = []
  readonly asked: string[] = []
  moves = 0

  private readonly person: Remote
  private readonly ask: Ask
  private readonly fileId: number
  private readonly waiting = new Map<number, number>()
  private doc = new Y.Doc()
  private changes: Uint8Array[] = []
  private generation = 0
  private client = 0

  constructor(column: number, person: Remote, ask: Ask, fileId: number) {
    this.column = column
    this.person = person
    this.ask = ask
    this.fileId = fileId
  }

  private get own() {
    return { fileId: this.fileId, generation: this.generation, client: this.client }
  }

  /**
   * Joins, or rejoins when the workbook has a new generation: moves the written numbers along with the inserted rows.
   */
  async follow(): Promise<readonly CoeditRebase[]> {
    const { fileId, client } = this
    const joined = await this.ask((origin) => this.person.call(origin, 'joinTogether', { fileId, client }))
    if (joined.generation === this.generation) return []
    const from = joined.turns.findIndex((turn) => turn.from === this.generation)
    assert.ok(from >= 0 || this.generation === 0)
    const turns = this.generation === 0 ? [] : joined.turns.slice(from)
    for (const { turn } of turns) {
      const { change } = JSON.parse(turn) as { change: StructureOperation }
      if (change.kind !== 'move') continue
      const { at, by } = change.move
      for (const cells of [this.stored, this.waiting]) {
        const moved = [...cells].map(([row, value]) => [row < at ? row : row + by, value] as const)
        cells.clear()
        for (const [row, value] of moved) cells.set(row, value)
      }
    }
    this.generation = joined.generation
    this.client = joined.client
    this.doc = new Y.Doc()
    this.doc.clientID = joined.client
    this.changes = []
    Y.applyUpdate(this.doc, Buffer.from(joined.update, 'base64'), 'server')
    this.doc.on('update', (change: Uint8Array) => this.changes.push(change))
    for (const [row, value] of this.waiting) this.put(row, value)
    return turns
  }

  private put(row: number, value: number): void {
    const name = cellKey(sheet, refOf(row, this.column))
    this.doc.getMap(coeditRoot).set(name, { content: { kind: 'number', value } })
  }

  /** Writes a number into a row; resolves when it is acknowledged. */
  async write(row: number, value: number): Promise<void> {
    this.waiting.set(row, value)
    this.put(row, value)
    while (this.waiting.size > 0) {
      const update = base64(Y.mergeUpdates(this.changes))
      try {
        await this.ask((origin) => this.person.call(origin, 'editTogether', { ...this.own, update }))
        for (const [at, one] of this.waiting) this.stored.set(at, one)
        this.waiting.clear()
        this.changes = []
      } catch (error) {
        if (!isConflict(error)) throw error
        await this.follow()
      }
    }
  }

  /**
   * Changes the sheet structure. If the answer is lost, the list of structure changes shows whether it was made; the
   * request is not repeated.
   */
  async build(change: StructureOperation): Promise<void> {
    const asked = JSON.stringify(change)
    const { client } = this
    let isAnswered = false
    if (change.kind === 'add') this.asked.push(change.name)
    try {
      const { why } = await this.ask((origin) =>
        this.person.call(origin, 'buildTogether', { ...this.own, change: asked }),
      )
      assert.equal(why, '')
      isAnswered = true
    } catch (error) {
      if (!isConflict(error)) throw error
    }
    const [first] = await this.follow()
    if (!isAnswered) return
    const made = JSON.parse(first?.turn ?? '{}') as { change?: StructureOperation }
    assert.deepEqual([first?.client, made.change], [client, change])
    if (change.kind === 'add') this.sheets.push(change.name)
    else this.moves += 1
  }

  /** Saves a version. */
  async save(): Promise<void> {
    const { fileId, generation } = this
    try {
      await this.ask((origin) => this.person.call(origin, 'saveTogether', { fileId, generation }))
    } catch (error) {
      if (!isConflict(error)) throw error
      await this.follow()
    }
  }

  leave(): Promise<unknown> {
    return this.ask((origin) => this.person.call(origin, 'presentTogether', { ...this.own, leaves: true }))
  }
}

/** The numbers in a column of the first sheet, by row. */
function columnOf(book: Workbook, column: number): (readonly [row: number, value: number])[] {
  return Array.from({ length: book.extent(sheet).rows }, (_, row) => [row, book.typed(sheet, row, column)] as const)
    .filter(([, typed]) => typed !== '')
    .map(([row, typed]) => [row, Number(typed)] as const)
}

async function playBuild(times: number, seed: number): Promise<void> {
  const random = randomOf(seed)
  const below = (most: number): number => Math.floor(random() * most)
  const book = Buffer.from(emptyDocument('xlsx') ?? [])
  const { ask, people, fileId, kill, atTheEnd } = await opened('kills_build', '预算.xlsx', book, below)
  const writers = people.map((person, column) => new ColumnWriter(column, person, ask, fileId))
  for (const writer of writers) await writer.follow()
  const state = { isOver: false, written: 0, built: 0 }
  const writes = async (writer: ColumnWriter): Promise<void> => {
    while (!state.isOver) {
      const what = below(12)
      if (what === 0) await writer.save()
      else if (what > 2) {
        state.written += 1
        await writer.write(below(30), state.written)
      } else if (writer.column > 1) {
        // The editors of the first two columns only write cells; the others also change the structure.
        const move = { axis: 'rows', at: below(8), by: 1 + below(2) } as const
        const add = { part: sheet, kind: 'add', name: `表${writer.column}-${writer.asked.length}` } as const
        await writer.build(below(4) === 0 ? add : { part: sheet, kind: 'move', move })
        state.built += 1
      }
    }
  }
  const killed = async (): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      const before = { ...state }
      await vi.waitUntil(() => state.written > before.written + 20 && state.built > before.built + 2, 180_000)
      await kill(n)
    }
    state.isOver = true
  }
  await Promise.all([killed(), ...writers.map(writes)])
  for (const writer of writers) await writer.follow()
  const leaving = Promise.all(writers.map((writer) => writer.leave()))
  await kill(0)
  await leaving
  await atTheEnd((file) => {
    const made = openWorkbook(file)
    const inFile = writers.map(({ column }) => columnOf(made, column))
    expect(inFile).toEqual(writers.map(({ stored }) => [...stored].toSorted(([one], [other]) => one - other)))
    // Every acknowledged sheet exists once, and some of the sheets that were requested when a server died.
    const names = made.sheets.slice(1).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(writers.flatMap(({ sheets }) => sheets)))
    expect(writers.flatMap(({ asked }) => asked)).toEqual(expect.arrayContaining(names))
  })
  const moves = writers.reduce((sum, writer) => sum + writer.moves, 0)
  const sheets = writers.reduce((sum, writer) => sum + writer.sheets.length, 0)
  process.stdout.write(
    `预算.xlsx: ${state.written} cells written, rows put in ${moves} times and ${sheets} sheets made while servers were killed ${times + 1} times, 0 lost\n`,
  )
}

// [R148] Servers killed while five people edit lose no acknowledged edit in a text, a workbook or a Word document;
// another server makes the version (test:full).
longTest.each(coeditedKinds)(
  '[R148] [R397] servers that are killed lose nothing of what was answered in $name, and another one makes its version',
  async (kind) => {
    await play(kind, 281)
  },
)

// [R148] The same while rows are inserted and sheets created: each acknowledged number is in its row exactly once, and
// each sheet exists once (test:full).
longTest(
  '[R148] [R397] rows are put in and sheets made while five write and servers are killed: each number that was answered is where its row is, once',
  async () => {
    await playBuild(kills, 149)
  },
)

// [R148] A person who loses the right while editing at another server becomes a reader within a second and stores
// nothing afterwards; the delay is printed (test:full; 113 ms, at most 148, under load).
longTest(
  '[R148] who loses the right while they type at another server is a reader soon, and stores nothing after that',
  async () => {
    if (site === undefined) throw new Error('no site')
    const installation = await site.install('readers')
    const [a, b] = await installation.two()
    const { admin, ben, shared } = await installation.people(a.origin, 'ben')
    await admin.call(a.origin, 'setServerSetting', { multi_edit_type: 1 })
    const may = (rights: number) =>
      admin.call(a.origin, 'setShareList', {
        folderId: shared,
        inherit: false,
        entries: [{ subjectType: 'user', subjectId: ben.userId, rights }],
      })
    const fileId = await ben.upload(b.origin, shared, 'text.md', '')
    const live = await ben.listen(b.origin)
    /**
     * Milliseconds until the editor is notified, and until the next input is refused. The page becomes read-only at
     * whichever comes first.
     */
    const toldAfter: number[] = []
    const refusedAfter: number[] = []
    const expected: string[] = []
    for (let round = 0; round < rightRounds; round += 1) {
      await may(rightsGroup.edit)
      const editor = await Editor.join(ben, (work) => work(b.origin), fileId)
      const text = editor.doc.getText(coeditRoot)
      const state = { from: 0, isTaken: false, refused: '' }
      const types = async (): Promise<void> => {
        for (let n = 0; state.refused === ''; n += 1) {
          const words = `${round}-${n} `
          const wasTaken = state.isTaken
          text.insert(text.length, words)
          try {
            await editor.send()
            expect(wasTaken).toBe(false)
            expected.push(words)
          } catch (error) {
            state.refused = String(error)
            refusedAfter.push(performance.now() - state.from)
          }
        }
      }
      const typing = types()
      await delay(100 + 13 * round)
      state.from = performance.now()
      const told = live
        .next(
          (frame) =>
            isFrame(frame, 'togetherChanged') &&
            frame.data.members.some(({ client, canWrite }) => client === editor.doc.clientID && !canWrite),
        )
        .then(() => toldAfter.push(performance.now() - state.from))
      await may(rightsGroup.download)
      state.isTaken = true
      await told
      await typing
      expect(state.refused).toContain('noPermission')
      await editor.leave()
    }
    await vi.waitFor(
      async () => expect(await (await ben.download(b.origin, fileId)).text()).toBe(expected.join('')),
      60_000,
    )
    const said = (delays: readonly number[]): string => {
      const sorted = delays.toSorted((one, other) => one - other).map(Math.round)
      return `after ${sorted[sorted.length >> 1]} ms, at most ${sorted.at(-1)} ms`
    }
    process.stdout.write(`a right taken while one types: told ${said(toldAfter)}; refused ${said(refusedAfter)}\n`)
  },
)
