/*
 * Five users edit one file on two servers under faults: answers are lost, changes arrive twice, editors disconnect or
 * their pages crash, commits are rolled back, a server ends and another replaces it. Finally all have the same
 * document, and each version contains exactly what was acknowledged before it.
 */
import { rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type CoeditedKind, coeditedKinds } from '../../../test/coediting.ts'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { randomOf } from '../../../test/random.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

interface Editor {
  readonly person: Person
  doc: Y.Doc
  generation: number
  client: number
  /** Typed, and not yet acknowledged. */
  waiting: Uint8Array[]
  /** Sent at least once: the server may have it. */
  sent: Uint8Array | undefined
  isAway: boolean
}

async function play(kind: CoeditedKind, seed: number, rounds: number): Promise<void> {
  const random = randomOf(seed)
  const below = (n: number): number => Math.floor(random() * n)
  let isBreaking = false
  const pause = async (point: string): Promise<void> => {
    if (isBreaking && point === 'commit editTogether' && random() < 0.1) throw new Error('the server breaks off')
  }
  const first = await openWorld({ elected: false, pause })
  let second = await openWorld({ elected: false, pause, peer: first })
  const worldOf = (): World => (random() < 0.5 ? first : second)
  await (await first.admin()).call('setServerSetting', { multi_edit_type: 1 })
  const owner = await first.person('owner')
  const people = [owner]
  for (const name of ['anna', 'ben', 'carl', 'dora']) people.push(await first.person(name))
  const folderId = await owner.folder(owner.library, 'shared')
  await owner.shares(
    { folderId },
    people.slice(1).map((to) => ({ to, rights: rightsGroup.edit })),
  )
  const fileId = await owner.upload(folderId, kind.name, kind.file())

  const join = async (person: Person): Promise<Editor> => {
    const { update, generation, client } = await person.at(worldOf()).call('joinTogether', { fileId })
    const doc = new Y.Doc()
    doc.clientID = client
    Y.applyUpdate(doc, Buffer.from(update, 'base64'), 'server')
    const editor: Editor = { person, doc, generation, client, waiting: [], sent: undefined, isAway: false }
    doc.on('update', (change: Uint8Array, origin: unknown) => {
      if (origin !== 'server') editor.waiting.push(change)
    })
    return editor
  }
  const editors: Editor[] = []
  for (const person of people) editors.push(await join(person))

  /** The acknowledged document. */
  const answered = new Y.Doc()
  Y.applyUpdate(answered, Y.encodeStateAsUpdate(editors[0]?.doc ?? answered))
  const answeredSays = (): string => kind.textOf(answered)

  const type = ({ doc }: Editor): void => {
    for (let n = below(4); n >= 0; n -= 1) kind.act(doc, below)
  }
  const send = async (editor: Editor): Promise<void> => {
    editor.sent ??= editor.waiting.length === 0 ? undefined : Y.mergeUpdates(editor.waiting.splice(0))
    const { sent, generation, client } = editor
    if (sent === undefined) return
    const input = { fileId, generation, client, update: base64(sent) }
    const wire = await editor.person.at(worldOf()).wire('editTogether', input)
    if (wire.code === 'serverException') return
    expect([wire.code, wire.msg]).toEqual(['success', ''])
    Y.applyUpdate(answered, sent)
    // The answer is lost, so the change is sent again later.
    if (random() < 0.15) return
    editor.sent = undefined
  }
  const catchUp = async (editor: Editor): Promise<void> => {
    const { doc, generation, client } = editor
    const vector = base64(Y.encodeStateVector(doc))
    const { update } = await editor.person.at(worldOf()).call('joinTogether', { fileId, generation, client, vector })
    Y.applyUpdate(doc, Buffer.from(update, 'base64'), 'server')
  }
  const content = async (): Promise<string> => kind.textOfFile((await owner.at(first).download(fileId)).rawPayload)

  for (let round = 0; round < rounds; round += 1) {
    isBreaking = true
    for (const editor of editors) {
      if (random() < 0.7) type(editor)
      if (random() < 0.1) editor.isAway = !editor.isAway
    }
    await Promise.all(editors.filter(({ isAway }) => !isAway).map(send))
    isBreaking = false
    await Promise.all(editors.filter(({ isAway }) => !isAway && random() < 0.5).map(catchUp))
    const chance = random()
    if (chance < 0.1) {
      // A page crashes and loses its unsent changes. A page with a sent change does not crash until it is acknowledged.
      const at = below(editors.length)
      const dying = editors[at]
      if (dying === undefined || dying.sent !== undefined) continue
      editors[at] = await join(dying.person)
    } else if (chance < 0.18) {
      await second.close()
      second = await openWorld({ elected: false, pause, peer: first })
    } else if (chance < 0.3) {
      const generation = editors[0]?.generation ?? 0
      await owner.at(worldOf()).call('saveTogether', { fileId, generation })
      expect(await content()).toBe(answeredSays())
    }
  }

  for (const editor of editors) {
    editor.isAway = false
    while (editor.sent !== undefined || editor.waiting.length > 0) await send(editor)
  }
  for (const editor of editors) await catchUp(editor)
  const texts = editors.map(({ doc }) => kind.textOf(doc))
  expect(new Set([...texts, answeredSays()]).size).toBe(1)
  for (const { person, generation, client } of editors)
    await person.at(worldOf()).call('presentTogether', { fileId, generation, client, leaves: true })
  // Crashed pages are waited for at most half a minute.
  await first.app.db.deleteFrom('together_member').execute()
  await owner.at(first).call('presentTogether', {
    ...{ fileId, generation: editors[0]?.generation ?? 0, client: editors[0]?.client ?? 0, leaves: true },
  })
  expect(await content()).toBe(answeredSays())
}

test.each(coeditedKinds)(
  '[R148] [R397] five editors in $name, lost answers, dead pages, broken commits and another server: all have the same, and 0 of what was answered is lost',
  async (kind) => {
    await play(kind, 20_281, kind.name === 'text.md' ? 40 : 15)
  },
)

longTest('[R148] [R397] the same for long, by several seeds', async () => {
  for (const kind of coeditedKinds)
    for (const seed of [1, 2, 3]) await play(kind, seed, kind.name === 'text.md' ? 400 : 150)
})
