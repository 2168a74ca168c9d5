// A small client: one person's view below a folder, updated by pushes only, like a screen.
import assert from 'node:assert/strict'
import { type ItemChange, type ItemRecord, isFrame, type ServerFrame } from '@cloudoc/contract'
import { OperateType } from '@cloudoc/domain'
import type { Listener, Person } from './harness.ts'

interface Seen {
  readonly fType: 1 | 2
  readonly name: string
  readonly parentId: number
  /** Files only. */
  readonly version: number
  readonly size: number
}

const seenOf = (record: ItemRecord, parentId: number): Seen => ({
  fType: record.fType,
  name: record.fName,
  parentId,
  version: record.fType === 1 ? record.version : 0,
  size: record.fType === 1 ? record.fileSize : 0,
})

/** Fetches what a person sees below some folders. */
async function fetchBelow(
  person: Person,
  folderId: number,
  into = new Map<number, Seen>(),
): Promise<Map<number, Seen>> {
  const { list } = await person.call('getSubItemList3', { folderId, rows: 1000 })
  for (const record of list) {
    into.set(record.fId, seenOf(record, folderId))
    if (record.fType === 2) await fetchBelow(person, record.fId, into)
  }
  return into
}

/** Returns the item change in a frame. */
export function changeIn(frame: ServerFrame): ItemChange | undefined {
  return isFrame(frame, 'fileChange', 'folderChange') ? frame.data : undefined
}

let marks = 0

/** One person's screen. */
class Follower {
  readonly person: Person
  private readonly roots: readonly number[]
  private readonly live: Listener
  private items = new Map<number, Seen>()
  private applied = 0

  private constructor(person: Person, roots: readonly number[], live: Listener) {
    this.person = person
    this.roots = roots
    this.live = live
  }

  static async open(person: Person, root: number): Promise<Follower> {
    const follower = new Follower(person, [root, person.library], await person.listen())
    follower.items = await follower.fetch()
    return follower
  }

  private async fetch(): Promise<Map<number, Seen>> {
    const items = new Map<number, Seen>()
    for (const root of this.roots) await fetchBelow(this.person, root, items)
    return items
  }

  /**
   * Waits until all earlier events have been pushed: makes a change of the person's own, whose push comes after them.
   */
  private async catchUp(): Promise<void> {
    marks += 1
    const mark = `mark ${marks}`
    await this.person.call('folderCreate', { parentId: this.person.library, folderName: mark })
    await this.live.next((frame) => changeIn(frame)?.fName === mark)
    for (; this.applied < this.live.frames.length; this.applied += 1) {
      const frame = this.live.frames[this.applied]
      if (frame !== undefined) await this.apply(frame)
    }
  }

  private async apply(frame: ServerFrame): Promise<void> {
    if (isFrame(frame, 'welcome') && frame.data.refetch) this.items = await this.fetch()
    const change = changeIn(frame)
    if (change === undefined) return
    const { fId, fType, fName: name, parentFolderId: parentId, operateType, version, fileSize: size } = change
    const isShown = this.roots.includes(parentId) || this.items.has(parentId)
    if (operateType === OperateType.delete || !isShown) return this.forget(fId)
    const known = this.items.has(fId)
    this.items.set(
      fId,
      fType === 1 ? { fType, name, parentId, version, size } : { fType, name, parentId, version: 0, size: 0 },
    )
    // For a folder that is new, or whose rights may have changed, the client has no data below it.
    if (fType === 2 && !(known && operateType === OperateType.rename)) {
      this.forgetBelow(fId)
      await fetchBelow(this.person, fId, this.items).catch(() => {})
    }
  }

  private forget(id: number): void {
    this.forgetBelow(id)
    this.items.delete(id)
  }

  private forgetBelow(id: number): void {
    for (const [child, { parentId }] of this.items) if (parentId === id) this.forget(child)
  }

  async expectMatch(what: string): Promise<void> {
    await this.catchUp()
    const shown = [...this.items].toSorted(([a], [b]) => a - b)
    const fetched = [...(await this.fetch())].toSorted(([a], [b]) => a - b)
    assert.deepEqual(shown, fetched, `${what}: what ${this.person.account} is shown differs from a refetch`)
  }

  close(): Promise<number> {
    return this.live.close()
  }
}

/** Asserts that state plus pushes equals a refetch: after each step, for each person, below one folder. */
export async function expectPushesMatchRefetch(
  people: readonly Person[],
  root: number,
  steps: readonly (readonly [what: string, change: () => Promise<unknown>])[],
): Promise<void> {
  const followers = await Promise.all(people.map((person) => Follower.open(person, root)))
  for (const [what, change] of steps) {
    await change()
    for (const follower of followers) await follower.expectMatch(what)
  }
  for (const follower of followers) await follower.close()
}
