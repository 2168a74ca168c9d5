/*
 * Several servers of one installation, on which people write in one file: they are killed again and again, each time in the
 * middle of what the people do; and a right is taken away at one while its person types at the other.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isFrame, togetherRoot } from '@cloudoc/contract'
import { rightsGroup } from '@cloudoc/domain'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import * as Y from 'yjs'
import { longTest } from './full.ts'
import { randomOf } from './random.ts'
import { Remote } from './remote.ts'
import { type Node, password, Site } from './several-servers.ts'
import { type WrittenKind, writtenKinds } from './together.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const kills = 6
const rightRounds = 20

let site: Site | undefined
beforeAll(async () => {
  site = await Site.open()
})
afterAll(() => site?.close())

/** Calls one of the servers until one answers. */
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

  /** Sends what was written; a change that was not answered is the same change again. Answers what is stored now. */
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

async function play(kind: WrittenKind, seed: number): Promise<void> {
  if (site === undefined) throw new Error('no site')
  const random = randomOf(seed)
  const below = (most: number): number => Math.floor(random() * most)
  const installation = await site.install(`kills_${kind.name.replace('.', '_')}`)
  const nodes: Node[] = await installation.two()
  const ask: Ask = async (work) => {
    for (;;) {
      const { origin } = nodes[below(nodes.length)] ?? { origin: '' }
      try {
        return await work(origin)
      } catch (error) {
        // A refusal is an answer; a server that was killed gives none, or one that ends in the middle.
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
  const fileId = await ben.upload(first, shared, kind.name, kind.file())
  const editors = await Promise.all(people.map((person) => Editor.join(person, ask, fileId)))

  /** What was answered, as whoever keeps it would have it. */
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
      await vi.waitUntil(() => state.stored > before + 20, 60_000)
      const dying = nodes[n % 2]
      const server = installation.start()
      dying?.server.child.kill('SIGKILL')
      await dying?.server.exited
      nodes[n % 2] = { server, origin: await server.ready() }
    }
    state.isOver = true
  }
  await Promise.all([killed(), ...editors.map(writes)])
  for (const editor of editors) {
    const stored = await editor.send()
    if (stored !== undefined) Y.applyUpdate(answered, stored)
  }
  for (const editor of editors) await editor.catchUp()
  const says = kind.said(answered)
  expect(editors.map(({ doc }) => kind.said(doc))).toEqual(editors.map(() => says))

  // The last one leaves, and the server that is told so is killed: another one makes the version, and frees the file.
  const leaving = Promise.all(editors.map((editor) => editor.leave()))
  const replaced = installation.start()
  nodes[0]?.server.child.kill('SIGKILL')
  nodes[0] = { server: replaced, origin: await replaced.ready() }
  await leaving
  await vi.waitFor(
    async () => {
      const file = await ask(async (origin) => (await ben.download(origin, fileId)).arrayBuffer())
      expect(kind.saidOf(Buffer.from(file))).toBe(says)
      const { list } = await ask((origin) => ben.call(origin, 'getSubItemList3', { folderId: shared }))
      expect(list[0]?.editorName).toBe('')
    },
    { timeout: 90_000, interval: 500 },
  )
  process.stdout.write(
    `${kind.name}: ${state.stored} changes stored while servers were killed ${kills + 1} times, 0 lost\n`,
  )
  for (const { server } of nodes) {
    server.child.kill('SIGKILL')
    await server.exited
  }
}

longTest.each(writtenKinds)(
  '[R148] [R397] servers that are killed lose nothing of what was answered in $name, and another one makes its version',
  async (kind) => {
    await play(kind, 281)
  },
)

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
    /** Until they were told, and until what they typed was refused: the page reads on by whichever comes first. */
    const toldAfter: number[] = []
    const refusedAfter: number[] = []
    const expected: string[] = []
    for (let round = 0; round < rightRounds; round += 1) {
      await may(rightsGroup.edit)
      const editor = await Editor.join(ben, (work) => work(b.origin), fileId)
      const text = editor.doc.getText(togetherRoot)
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
