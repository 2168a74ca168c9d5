/*
 * A worker that changes its own files while the server may die at any moment. For each file it knows which states are
 * valid afterwards: the acknowledged state or, where no answer came, either the state before or the one after.
 */
import { createHash } from 'node:crypto'
import { type CallInput, type CallName, calls, type Fields, type Input } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { requestFor } from '../harness.ts'

/** The state of a file: its location and its content. */
interface State {
  readonly place: 'alive' | 'binned' | 'gone'
  readonly folderId: number
  readonly content: string
}

interface Doc {
  name: string
  id: number
  /** The possible states; exactly one if everything was answered. */
  states: readonly State[]
  /** Whether its bytes have been checked since they changed. */
  looked: boolean
}

/** The server's address and the session; both change with every start of the server. */
export interface Session {
  readonly origin: string
  readonly token: string
}

interface Answer {
  readonly result: number
  readonly data: unknown
  readonly msg: string
}

type Kind = 'add' | 'parts' | 'overwrite' | 'move' | 'remove' | 'restore' | 'destroy' | 'copy'
const kinds: readonly Kind[] = ['add', 'parts', 'overwrite', 'move', 'remove', 'restore', 'destroy', 'copy']

/** The kind of operation that makes the server reach a point. */
export function kindFor(point: string): Kind | undefined {
  const call = /^commit (.+)/.exec(point)?.[1]
  const byCall: Partial<Record<string, Kind>> = {
    uploadPart: 'parts',
    uploadComplete: 'parts',
    uploadOpen: 'parts',
    fileOrFolderMove: 'move',
    fileOrFolderDelete: 'remove',
    recycleRestore: 'restore',
    fileOrFolderCompleteDelete: 'destroy',
    fileOrFolderCopy: 'copy',
    uploadRaw: 'overwrite',
  }
  if (call !== undefined) return byCall[call]
  // The collector processes items that were deleted permanently.
  if (/^(loose rows|objects removed)/.test(point)) return 'destroy'
  return point === 'copied' ? 'parts' : point === 'content kept' ? 'overwrite' : undefined
}

const mostDocs = 15

/** No answer came, or one that does not say whether the change was made. */
class Unanswered extends Error {
  /** The server's error message, if it sent one. */
  readonly said: string | undefined

  constructor(said?: string) {
    super(said ?? 'no answer came')
    this.said = said
  }
}

/** The store is unavailable: nothing was done. */
class Refused extends Error {}

export function ask<N extends CallName>(session: Session, name: N, input: CallInput<N>): Promise<Answer>
export async function ask(session: Session, name: CallName, input: Fields): Promise<Answer> {
  const { method, url, headers, payload } = requestFor(name, input, session.token)
  return send(`${session.origin}${url}`, {
    method: method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(typeof payload === 'string' ? { body: payload } : {}),
  })
}

async function send(url: string, init: RequestInit): Promise<Answer> {
  let answer: Answer
  try {
    answer = (await (await fetch(url, init)).json()) as Answer
  } catch {
    // The server has died.
    throw new Unanswered()
  }
  if (answer.result === codes.serverException.code) throw new Unanswered(`${url}: ${answer.msg}`)
  if (answer.result === codes.storageUnavailable.code) throw new Refused()
  return answer
}

export class Worker {
  readonly docs: Doc[] = []
  private readonly name: string
  private readonly folders: readonly [number, number]
  private readonly random: () => number
  private readonly longest: number
  private made = 0
  acknowledged = 0

  /** Some contents are `longest` times as long as the usual one. */
  constructor(name: string, folders: readonly [number, number], random: () => number, longest: number) {
    this.name = name
    this.folders = folders
    this.random = random
    this.longest = longest
  }

  /**
   * Works until the server no longer answers or the signal fires; prefers the wanted kind of operation. Returns the
   * server's message if it failed without dying.
   */
  async work(session: Session, signal: AbortSignal, wanted: Kind | undefined): Promise<string | undefined> {
    try {
      while (!signal.aborted) {
        const random = this.pick(kinds)
        await this.do(session, wanted !== undefined && this.random() < 0.5 ? wanted : random)
      }
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      return error.said
    }
    return undefined
  }

  private async do(session: Session, kind: Kind): Promise<void> {
    const alive = this.docs.filter((doc) => doc.states[0]?.place === 'alive')
    const binned = this.docs.filter((doc) => doc.states[0]?.place === 'binned')
    if (kind === 'add' || kind === 'parts') {
      const full = this.docs.filter((doc) => doc.states[0]?.place !== 'gone').length >= mostDocs
      return full ? this.do(session, 'destroy') : this.add(session, kind === 'parts')
    }
    if (kind === 'restore' && binned.length > 0) {
      return this.batch(session, 'recycleRestore', {}, this.some(binned), (state) => ({ ...state, place: 'alive' }))
    }
    if (alive.length === 0) return this.add(session, false)
    if (kind === 'overwrite') return this.overwrite(session, this.pick(alive))
    if (kind === 'remove') {
      return this.batch(session, 'fileOrFolderDelete', {}, this.some(alive), (state) => ({ ...state, place: 'binned' }))
    }
    if (kind === 'destroy') {
      const doomed = this.some([...alive, ...binned])
      return this.batch(session, 'fileOrFolderCompleteDelete', {}, doomed, (state) => ({ ...state, place: 'gone' }))
    }
    if (kind === 'move') {
      const target = this.pick(this.folders)
      const moved = this.some(alive.filter((doc) => doc.states[0]?.folderId !== target))
      const after = (state: State): State => ({ ...state, folderId: target })
      return this.batch(session, 'fileOrFolderMove', { targetFolderId: target }, moved, after)
    }
    if (kind === 'copy') return this.copy(session, this.pick(alive))
    return this.add(session, false)
  }

  private async add(session: Session, inParts: boolean): Promise<void> {
    this.made += 1
    const state: State = { place: 'alive', folderId: this.pick(this.folders), content: this.content() }
    const doc: Doc = { name: `${this.name}-${this.made}.txt`, id: 0, looked: false, states: [] }
    doc.states = [{ ...state, place: 'gone' }, state]
    this.docs.push(doc)
    await this.store(doc, state, async () => {
      doc.id = inParts
        ? await this.uploadParts(session, doc.name, state)
        : await this.upload(session, doc.name, state.folderId, state.content, 'refuse')
    })
  }

  /** Stores a content. If the server refuses because the store is unavailable, the previous state remains. */
  private async store(doc: Doc, after: State, put: () => Promise<void>): Promise<void> {
    try {
      await put()
      this.settle(doc, after)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      doc.states = doc.states.slice(0, 1)
    }
  }

  private async overwrite(session: Session, doc: Doc): Promise<void> {
    const [before] = doc.states
    if (before === undefined) return
    const after = { ...before, content: this.content() }
    doc.states = [before, after]
    doc.looked = false
    await this.store(doc, after, async () => {
      await this.upload(session, doc.name, before.folderId, after.content, 'version')
    })
  }

  /** A copy shares the content. It goes to the other folder, and the server chooses a name if the name is taken. */
  private async copy(session: Session, source: Doc): Promise<void> {
    const [state] = source.states
    if (state === undefined || this.docs.filter((doc) => doc.states[0]?.place !== 'gone').length >= mostDocs) return
    const copyId = await this.copyTo(session, source, state.folderId)
    // Between the two calls the copy has the server's name. A copy whose answer was lost is found by its content.
    const doc: Doc = { name: '', id: copyId, looked: false, states: [{ ...state }] }
    this.docs.push(doc)
    this.acknowledged += 1
    await this.renameCopy(session, doc)
  }

  /** Gives a copy a name that no other item has or had. */
  private async renameCopy(session: Session, doc: Doc): Promise<void> {
    this.made += 1
    doc.name = `${this.name}-${this.made}.txt`
    const answer = await ask(session, 'renameFile', { fileId: doc.id, fileName: doc.name })
    if (answer.result !== codes.success.code) throw new Error(`rename of a copy: ${answer.result} ${answer.msg}`)
  }

  private async copyTo(session: Session, source: Doc, folderId: number): Promise<number> {
    const answer = await ask(session, 'fileOrFolderCopy', {
      fileIdArray: [source.id],
      targetFolderId: folderId,
      conflict: 'keepBoth',
    })
    const [copy] = answer.data as { result: number; fId?: number }[]
    if (copy?.result === codes.serverException.code) throw new Unanswered('a copy failed')
    if (copy?.fId === undefined) throw new Error(`a copy was refused: ${JSON.stringify(answer)}`)
    return copy.fId
  }

  private async batch(
    session: Session,
    call: 'recycleRestore' | 'fileOrFolderDelete' | 'fileOrFolderCompleteDelete' | 'fileOrFolderMove',
    more: { targetFolderId?: number },
    docs: readonly Doc[],
    change: (state: State) => State,
  ): Promise<void> {
    if (docs.length === 0) return
    const after = new Map<Doc, State>()
    for (const doc of docs) {
      const [before] = doc.states
      if (before === undefined) continue
      after.set(doc, change(before))
      doc.states = [before, change(before)]
    }
    const input = { fileIdArray: docs.map((doc) => doc.id), ...more } as Input<(typeof calls)['fileOrFolderMove']>
    const answer = await ask(session, call, input)
    let isOpen = false
    for (const [n, { result, msg }] of (answer.data as { result: number; msg: string }[]).entries()) {
      const doc = docs[n]
      const state = doc === undefined ? undefined : after.get(doc)
      if (doc === undefined || state === undefined) continue
      if (result === codes.success.code) this.settle(doc, state)
      else if (result === codes.serverException.code) isOpen = true
      else throw new Error(`${call} of ${doc.name} was refused: ${result} ${msg}`)
    }
    if (isOpen) throw new Unanswered(`${call}: an item of it failed`)
  }

  private settle(doc: Doc, state: State): void {
    doc.states = [state]
    doc.looked = false
    this.acknowledged += 1
  }

  private async upload(
    session: Session,
    fileName: string,
    folderId: number,
    content: string,
    conflict: string,
  ): Promise<number> {
    const query = new URLSearchParams({ folderId: String(folderId), fileName, conflict })
    const answer = await send(`${session.origin}${calls.uploadRaw.path}?${query.toString()}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${session.token}` },
      body: content,
    })
    return fileIdOf(answer, `upload of ${fileName}`)
  }

  private async uploadParts(session: Session, fileName: string, { folderId, content }: State): Promise<number> {
    const bytes = Buffer.from(content)
    const open = await ask(session, 'uploadOpen', { folderId, fileName, fileSize: bytes.length })
    if (open.result !== codes.success.code) throw new Error(`uploadOpen: ${open.result} ${open.msg}`)
    const { uploadId, partSize } = open.data as { uploadId: string; partSize: number }
    for (let at = 0; at < bytes.length; at += partSize) {
      const path = calls.uploadPart.path
        .replace('{uploadId}', uploadId)
        .replace('{partNumber}', String(at / partSize + 1))
      const part = await send(`${session.origin}${path}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${session.token}` },
        body: bytes.subarray(at, at + partSize),
      })
      if (part.result !== codes.success.code) throw new Error(`uploadPart: ${part.result} ${part.msg}`)
    }
    return fileIdOf(await ask(session, 'uploadComplete', { uploadId }), `uploadComplete of ${fileName}`)
  }

  /**
   * Checks everything after a crash. Returns descriptions of what is wrong, and continues from the state that it found.
   */
  async check(session: Session, all: boolean): Promise<string[]> {
    const wrong: string[] = []
    const found = new Map<number, { name: string; place: State['place']; folderId: number }>()
    for (const folderId of this.folders) {
      const { data } = await ask(session, 'getSubItemList3', { folderId, rows: 1000 })
      for (const item of (data as { list: { fId: number; fName: string }[] }).list) {
        found.set(item.fId, { name: item.fName, place: 'alive', folderId })
      }
    }
    const { data } = await ask(session, 'getRecycleList', { rows: 3000 })
    for (const item of (data as { list: { fId: number; fName: string; parentFolderId: number }[] }).list) {
      if (!item.fName.startsWith(`${this.name}-`)) continue
      found.set(item.fId, { name: item.fName, place: 'binned', folderId: item.parentFolderId })
    }
    for (const doc of this.docs) {
      const id = doc.id || ([...found].find(([, item]) => item.name === doc.name)?.[0] ?? 0)
      const item = found.get(id)
      found.delete(id)
      doc.id = id
      // The new name of a copy may have been lost.
      doc.name = item?.name ?? doc.name
      const fitting = doc.states.filter(
        (state) => state.place === (item?.place ?? 'gone') && (item === undefined || state.folderId === item.folderId),
      )
      const content = item?.place === 'alive' && (all || !doc.looked) ? await this.download(session, id) : undefined
      const [state] = fitting.filter((one) => content === undefined || one.content === content)
      if (state === undefined) {
        wrong.push(
          `${doc.name} (${id}) is ${JSON.stringify({ ...item, content: content && digest(content) })}, expected one of ${JSON.stringify(doc.states.map((one) => ({ ...one, content: digest(one.content) })))}`,
        )
        continue
      }
      doc.looked = content !== undefined
      // Both states stay possible if the content cannot distinguish them, as in the recycle bin.
      doc.states = content === undefined ? fitting : [state]
    }
    for (const [id, item] of found) {
      // A copy whose answer was lost.
      const content = item.place === 'alive' ? await this.download(session, id) : undefined
      const sources = this.docs.flatMap((doc) => doc.states.map((state) => state.content))
      if (content === undefined || !sources.includes(content)) wrong.push(`${item.name} (${id}) was never stored`)
      else this.docs.push({ name: item.name, id, looked: true, states: [{ ...item, content }] })
    }
    for (const doc of [...this.docs]) {
      if (doc.states.every((state) => state.place === 'gone')) this.docs.splice(this.docs.indexOf(doc), 1)
    }
    for (const doc of this.docs) {
      // The server may give the copy's name to another one while this one is in the recycle bin.
      if (doc.name.includes('(') && doc.states[0]?.place === 'alive') await this.renameCopy(session, doc)
    }
    return wrong
  }

  private async download({ origin, token }: Session, fileId: number): Promise<string> {
    const response = await fetch(`${origin}/DownloadServlet?fileId=${fileId}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return `${response.status === 200 ? '' : `${response.status} `}${await response.text()}`
  }

  /** Contents of several sizes. Some are the same for all workers, so that contents are shared and released. */
  private content(): string {
    const shared = this.random() < 0.4
    const text = shared ? `shared ${Math.floor(this.random() * 4)} ` : `${this.name} ${this.made} ${this.random()} `
    const times = this.random() < 0.2 ? this.longest : 1
    return text.repeat(1 + Math.floor((shared ? 0.5 : this.random()) * 200 * times))
  }

  private pick<T>(list: readonly T[]): T {
    const one = list[Math.floor(this.random() * list.length)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }

  private some<T>(list: readonly T[]): T[] {
    return list.filter(() => this.random() < 0.5).slice(0, 4)
  }
}

function fileIdOf(answer: Answer, what: string): number {
  if (answer.result !== codes.success.code) throw new Error(`${what} was refused: ${answer.result} ${answer.msg}`)
  return (answer.data as { fileId: number }).fileId
}

function digest(content: string): string {
  return `${content.slice(0, 24)}…${content.length} ${createHash('sha256').update(content).digest('hex').slice(0, 8)}`
}
