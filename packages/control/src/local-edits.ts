/*
 * Local editing ([R175], [R176], [R183], [R198]): a file is locked and downloaded, a program of the computer opens it,
 * and each save is submitted as one version on top of the version it was made of. Nothing lives in memory only: what is
 * about to happen is written first (edit-store.ts), so that no edit is lost or submitted twice.
 */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import {
  ClientType,
  codes,
  EditState,
  type LocalConflictAnswer,
  type LocalEditView,
  localFailures,
  readLocalEditAddress,
} from '@cloudoc/domain'
import type { EditRecord, EditStore } from './edit-store.ts'
import { editFolder, isTemporaryFile, localName } from './local-name.ts'
import { failureOf, hashOf, isRefusal, type Owner, Refused, ServerSession } from './server-session.ts'

export interface LocalEditsOptions {
  readonly store: EditStore
  /** The folder of documents of the person. */
  readonly documents: string
  /** Opens a local file with the program that the system has for it. */
  readonly launch: (path: string) => Promise<void>
  readonly machine: () => string
  readonly now: () => number
  /** A save counts once the file has not changed for so many milliseconds: programs save in several steps. */
  readonly quietMs?: number
}

/** Milliseconds between two attempts to submit without a connection, and between two renewals of a lock. */
const retryMs = 30_000
const renewMs = 10 * 60_000
/** A copy that nobody has open is given back after so many milliseconds, and watched for so many more. */
const idleMs = 30 * 60_000
const watchedMs = 30 * 24 * 60 * 60_000
/** Instead of the time of a lock: the program was about to take it. */
const beingTaken = -1

/** What was seen of a local copy: the size and time of the file, since when, and its SHA-256 once it was read. */
interface Sight {
  readonly look: string
  readonly since: number
  readonly hash?: string
}

export class LocalEdits {
  readonly #options: LocalEditsOptions
  readonly #sessions = new Map<string, ServerSession>()
  readonly #sights = new Map<string, Sight>()
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #tried = new Map<string, number>()
  readonly #renewed = new Map<string, number>()
  #retrying: Promise<unknown> = Promise.resolve()
  #isEnding = false
  /** Called with the owner whose edits have changed. */
  changed: (owner: Owner) => void = () => undefined

  constructor(options: LocalEditsOptions) {
    this.#options = options
  }

  /** The edits of an account at a server, the newest first. */
  of({ server, account }: Pick<Owner, 'server' | 'account'>): readonly LocalEditView[] {
    return [...this.#options.store.edits.values()]
      .filter(({ owner }) => owner.server === server && owner.account === account)
      .sort((a, b) => b.usedAt - a.usedAt)
      .map(({ id, fileId, fileName, path, version, state, closed, conflict, failure, createTime }) => ({
        ...{ id, fileId, fileName, localPath: path, version, state, closed, conflict, failure, createTime },
      }))
  }

  /** Opens the file of an address in its program. A copy with edits that were not submitted is opened as it is. */
  async open(address: string): Promise<EditRecord> {
    const told = readLocalEditAddress(address)
    if (told === undefined) throw new Refused('open', codes.badRequest.code)
    const { store, machine, launch } = this.#options
    const session = await this.#signIn(await ServerSession.open(told.edit, machine()))
    const { owner } = session
    const { token = '', fileId, fileName } = told.edit
    if (token !== '') await store.meet({ ...pageOf(owner), word: wordHash(token) })
    // The sandbox needs a driver that this program does not have ([R184], X42).
    if (told.way !== 'edit') throw new Refused('open', localFailures.noSandbox)
    const id = idOf(owner, fileId)
    const record = await this.#alone(id, () => this.#opened(session, { id, fileId, fileName }))
    this.#retrying = Promise.all([this.#retrying, this.#retry(owner)])
    this.changed(owner)
    await launch(record.path)
    return record
  }

  /** Keeps the session that has the locks of the account, if it is still there; the new one ends then. */
  async #signIn(fresh: ServerSession): Promise<ServerSession> {
    const key = keyOf(fresh.owner)
    const known = this.#sessions.get(key)
    if (known !== undefined && (await known.isAlive())) {
      await fresh.call('logout2', {}).catch(() => undefined)
      return known
    }
    this.#sessions.set(key, fresh)
    return fresh
  }

  /**
   * Takes or renews the lock of a file. The lock that this program had before it was killed belongs to a session that
   * nobody has any more: it is recognized by its time, and ended.
   */
  async #lock(
    session: ServerSession,
    { fileId, record }: { readonly fileId: number; readonly record: EditRecord | undefined },
  ): Promise<{ readonly version: number; readonly lockTime: number }> {
    if (record === undefined) return session.call('fileEditLock', { fileId })
    // The time of the lock is not known yet: a program that is killed before it notes it has that lock too.
    if (record.lockTime !== beingTaken) await this.#put({ ...record, lockTime: beingTaken })
    try {
      return await session.call('fileEditLock', { fileId })
    } catch (error) {
      const held = isRefusal(error, 'fileLocked') ? await session.call('getFileLock', { fileId }) : undefined
      const isOurs = record.lockTime === beingTaken || record.lockTime === held?.lockTime
      if (held === undefined || held.editorId !== session.owner.accountId || !isOurs) {
        // Without an answer, the server may have given it.
        if (error instanceof Refused && error.result < 0) await this.#put(record)
        throw error
      }
      await session.call('forceUnlockFiles', { fileIdArray: [fileId] })
      return session.call('fileEditLock', { fileId })
    }
  }

  async #opened(session: ServerSession, file: Pick<EditRecord, 'id' | 'fileId' | 'fileName'>): Promise<EditRecord> {
    const { store, documents, now } = this.#options
    const known = store.edits.get(file.id)
    const { version, lockTime } = await this.#lock(session, { fileId: file.fileId, record: known })
    this.#renewed.set(file.id, now())
    const usedAt = now()
    if (known !== undefined && (await this.#differs(known))) {
      const conflict = known.submitting === undefined && version > known.version ? version : known.conflict
      return store.put({ ...known, lockTime, state: EditState.changed, closed: false, conflict, usedAt })
    }
    const folder = join(editFolder(documents, session.owner), folderName(file.fileId, session.owner))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, localName(file.fileName))
    const draft = `${path}.tmp`
    try {
      const hash = await session.download(file.fileId, version, draft)
      await rename(draft, path)
      const fresh = { state: EditState.opened, closed: false, conflict: 0, failure: 0, createTime: usedAt, usedAt }
      this.#sights.delete(file.id)
      return await store.put({ ...file, owner: session.owner, path, version, hash, lockTime, ...fresh })
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined)
      await session.call('fileEditUnlock', { fileId: file.fileId }).catch(() => undefined)
      throw error
    }
  }

  /** Whether the local copy has something that the server does not have. */
  async #differs(record: EditRecord): Promise<boolean> {
    try {
      return (await hashOf(record.path)) !== record.hash
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  /** Looks at every local copy once: notes saves, submits them, retries, renews locks and gives back what is idle. */
  async scan(): Promise<void> {
    const { store, now } = this.#options
    for (const { id, closed, usedAt } of [...store.edits.values()]) {
      if (closed && now() - usedAt > watchedMs) continue
      if (this.#running.has(id)) continue
      const isChanged = await this.#alone(id, () => this.#look(id)).catch(() => false)
      if (isChanged) await this.submit(id).catch(() => undefined)
      else await this.#alone(id, () => this.#keep(id)).catch(() => undefined)
    }
  }

  /** Notes a save. Returns whether the copy is to be submitted now. */
  async #look(id: string): Promise<boolean> {
    const { store, now, quietMs = 2000 } = this.#options
    const record = store.edits.get(id)
    if (record === undefined) return false
    const look = await lookOf(record.path)
    // A copy that was deleted here is not deleted on the server.
    if (look === undefined) return false
    const sight = this.#sights.get(id)
    if (sight?.look !== look) {
      this.#sights.set(id, { look, since: now() })
      if (quietMs > 0) return false
    } else if (now() - sight.since < quietMs) return false
    const hash = sight?.look === look && sight.hash !== undefined ? sight.hash : await hashOf(record.path)
    // Saved again while it was read.
    if ((await lookOf(record.path)) !== look) return false
    this.#sights.set(id, { look, since: sight?.since ?? now(), hash })
    if (hash === record.hash) {
      if (record.state !== EditState.changed || record.submitting !== undefined) return false
      await this.#put({ ...record, state: EditState.opened, conflict: 0, failure: 0 })
      return false
    }
    if (record.state !== EditState.changed || record.closed) {
      await this.#put({ ...record, state: EditState.changed, closed: false, failure: 0, usedAt: now() })
      return true
    }
    // A refusal is not repeated by itself; a lost connection is.
    const isDue = now() - (this.#tried.get(id) ?? 0) >= retryMs
    return record.conflict === 0 && isDue && (record.failure === 0 || isPassing(record.failure))
  }

  /** Renews the lock of a copy that is in use; gives back one that nobody has open. */
  async #keep(id: string): Promise<void> {
    const { store, now } = this.#options
    const record = store.edits.get(id)
    const session = record && this.#sessions.get(keyOf(record.owner))
    if (record === undefined || session === undefined || record.closed) return
    const { fileId } = record
    if (record.state !== EditState.changed && now() - record.usedAt > idleMs && !(await isOpenInProgram(record.path))) {
      await session.call('fileEditUnlock', { fileId }).catch(() => undefined)
      await this.#put({ ...record, closed: true })
    } else if (now() - (this.#renewed.get(id) ?? 0) > renewMs) {
      this.#renewed.set(id, now())
      const { lockTime } = await this.#lock(session, { fileId, record })
      await this.#put({ ...record, lockTime })
    }
  }

  /** Submits the edits of an owner that could not be submitted before. */
  async #retry(owner: Owner): Promise<void> {
    for (const { id, state, conflict, owner: of } of [...this.#options.store.edits.values()]) {
      if (this.#isEnding) return
      if (keyOf(of) !== keyOf(owner) || state !== EditState.changed || conflict !== 0) continue
      await this.submit(id).catch(() => undefined)
    }
  }

  /** Waits for what is under way; nothing is begun by itself from then on. */
  async end(): Promise<void> {
    this.#isEnding = true
    await Promise.allSettled([this.#retrying, ...this.#running.values()])
  }

  /** A single-use key of the session that the program has for an account ([R019], X54); empty if it has none. */
  async loginKey({ server, account }: Pick<Owner, 'server' | 'account'>): Promise<string> {
    const session = [...this.#sessions.values()].find(
      ({ owner }) => owner.server === server && owner.account === account,
    )
    if (session === undefined) return ''
    try {
      return (await session.call('getLoginKey2', { clientType: ClientType.web })).loginKey
    } catch {
      return ''
    }
  }

  /** Submits what was saved. With `upon`, on top of that newer version. Fails with the code of the refusal. */
  submit(id: string, upon?: number): Promise<EditRecord> {
    return this.#alone(id, async () => {
      const record = this.#record(id)
      if (record.state !== EditState.changed) return record
      this.#tried.set(id, this.#options.now())
      try {
        return await this.#submitted(record, upon)
      } catch (error) {
        const failure = failureOf(error)
        const known = this.#record(id)
        // Unless the server refused it, it is unknown whether it has it: `submitting` stays, and is looked up next time.
        const { submitting, ...rest } = known
        const isRefused = error instanceof Refused && error.result < 0
        const isUnknown = !isRefused && submitting !== undefined
        await this.#put({ ...rest, failure, ...(isUnknown && { submitting }) })
        throw error
      }
    })
  }

  async #submitted(record: EditRecord, upon?: number): Promise<EditRecord> {
    const { store } = this.#options
    const session = this.#session(record.owner)
    const { id, fileId } = record
    let known = record.submitting === undefined ? record : await this.#found(session, record)
    const snapshot = store.snapshotOf(id)
    const look = await lookOf(record.path)
    try {
      await copyFile(record.path, snapshot)
      const hash = await hashOf(snapshot)
      // Saved while it was copied: the next look submits it.
      if (look === undefined || (await lookOf(record.path)) !== look) {
        this.#tried.delete(id)
        return known
      }
      if (hash === known.hash) return await this.#put({ ...known, state: EditState.submitted, failure: 0 })
      const { version, lockTime } = await this.#lock(session, { fileId, record: known })
      known = { ...known, lockTime }
      if (version > (upon ?? known.version)) return await this.#put({ ...known, conflict: version, failure: 0 })
      await this.#put({ ...known, submitting: { hash, version } })
      const madeOf = version > known.version ? { madeOf: known.version } : {}
      const sent = await session.submit(snapshot, { fileId, version, sha256: hash, ...madeOf })
      const { submitting: _, ...rest } = known
      return await this.#put({
        ...rest,
        version: sent.version,
        hash,
        state: EditState.submitted,
        conflict: 0,
        failure: 0,
      })
    } catch (error) {
      if (!isRefusal(error, 'fileConflict')) throw error
      const { version } = await session.call('getFileInfo', { fileId })
      return await this.#put({ ...known, conflict: version, failure: 0 })
    } finally {
      await rm(snapshot, { force: true }).catch(() => undefined)
    }
  }

  /** A submission was cut off: finds out whether the server has it, by the content of the version that followed. */
  async #found(session: ServerSession, record: EditRecord): Promise<EditRecord> {
    const { submitting, ...before } = record
    const { fileId } = record
    const { version, lockTime } = await this.#lock(session, { fileId, record })
    const rest = { ...before, lockTime }
    if (submitting === undefined || version <= submitting.version) return this.#put(rest)
    const draft = this.#options.store.snapshotOf(`${record.id}-found`)
    try {
      const hash = await session.download(fileId, submitting.version + 1, draft)
      if (hash !== submitting.hash) return await this.#put(rest)
      return await this.#put({ ...rest, version: submitting.version + 1, hash })
    } finally {
      await rm(draft, { force: true }).catch(() => undefined)
    }
  }

  /** Answers a conflict ([R174]): on top of the newer version, beside it as another file, or not now. */
  async resolve(id: string, answer: LocalConflictAnswer): Promise<EditRecord> {
    const record = this.#record(id)
    if (answer === 'cancel' || record.conflict === 0) return record
    if (answer === 'overwrite') return this.submit(id, record.conflict)
    return this.#alone(id, async () => {
      const session = this.#session(record.owner)
      const { fileId, fileName, version } = record
      const { parentFolderId: folderId } = await session.call('getFileInfo', { fileId })
      const snapshot = this.#options.store.snapshotOf(id)
      try {
        await copyFile(record.path, snapshot)
        const hash = await hashOf(snapshot)
        await session.uploadNew(snapshot, { folderId, fileName, conflict: 'keepBoth', sha256: hash })
        await session.call('noteSavedAs', { fileId, version }).catch(() => undefined)
        await session.call('fileEditUnlock', { fileId }).catch(() => undefined)
        const { submitting: _, ...rest } = record
        return await this.#put({ ...rest, hash, state: EditState.submitted, closed: true, conflict: 0, failure: 0 })
      } finally {
        await rm(snapshot, { force: true }).catch(() => undefined)
      }
    })
  }

  /**
   * Gives up what was not submitted: the local copy and the lock go ([R175]). The page has asked before ([R176]). Fails
   * while a program holds the copy.
   */
  discard(id: string): Promise<EditRecord> {
    return this.#alone(id, async () => {
      const record = this.#record(id)
      await rm(record.path, { force: true })
      const { submitting: _, ...rest } = record
      const done = await this.#put({ ...rest, state: EditState.opened, closed: true, conflict: 0, failure: 0 })
      const session = this.#sessions.get(keyOf(record.owner))
      await session?.call('fileEditUnlock', { fileId: record.fileId }).catch(() => undefined)
      return done
    })
  }

  /** Gives a file back: submits what was saved, then releases its lock. Fails where something is not submitted. */
  async release(id: string): Promise<EditRecord> {
    const before = this.#record(id)
    if (await this.#differs(before)) await this.#alone(id, () => this.#put({ ...before, state: EditState.changed }))
    const record = await this.submit(id)
    return this.#alone(id, async () => {
      if (record.state === EditState.changed) throw new Refused('unlockFile', codes.fileConflict.code)
      await this.#session(record.owner)
        .call('fileEditUnlock', { fileId: record.fileId })
        .catch((error: unknown) => {
          if (!isRefusal(error, 'noEditLock')) throw error
        })
      return this.#put({ ...record, closed: true })
    })
  }

  /** The edit of a file, if there is one. */
  find({ server, account }: Pick<Owner, 'server' | 'account'>, fileId: number): EditRecord | undefined {
    return [...this.#options.store.edits.values()].find(
      (record) => record.owner.server === server && record.owner.account === account && record.fileId === fileId,
    )
  }

  #record(id: string): EditRecord {
    const record = this.#options.store.edits.get(id)
    if (record === undefined) throw new Refused('edit', codes.notFound.code)
    return record
  }

  #session(owner: Owner): ServerSession {
    const session = this.#sessions.get(keyOf(owner))
    if (session === undefined) throw new Refused('session', codes.notLoggedIn.code)
    return session
  }

  async #put(record: EditRecord): Promise<EditRecord> {
    const put = await this.#options.store.put(record)
    this.changed(record.owner)
    return put
  }

  /** Runs one piece of work on an edit at a time. */
  #alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#running.get(id) ?? Promise.resolve()
    const after = before.catch(() => undefined).then(work)
    this.#running.set(id, after)
    const end = (): void => {
      if (this.#running.get(id) === after) this.#running.delete(id)
    }
    after.then(end, end)
    return after
  }
}

const keyOf = ({ server, accountId }: Owner): string => `${server} ${accountId}`

/** The SHA-256 of the word by which a page is recognized. */
export const wordHash = (word: string): string => createHash('sha256').update(word).digest('hex')

const pageOf = ({ server, code, account }: Owner) => ({ server, code, account })

const hashOfOwner = (owner: Owner): string => createHash('sha256').update(keyOf(owner)).digest('hex')

/** One edit per file and account: opening a file again finds it. */
const idOf = (owner: Owner, fileId: number): string => `${fileId}-${hashOfOwner(owner).slice(0, 24)}`

/** Accounts of different servers may have the same numbers. */
const folderName = (fileId: number, owner: Owner): string => `${fileId}-${hashOfOwner(owner).slice(0, 6)}`

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Failures that pass by themselves: no connection, or no session until the person opens a file again. */
const isPassing = (result: number): boolean =>
  result === localFailures.noConnection || result === codes.notLoggedIn.code

async function lookOf(path: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs } = await stat(path)
    return `${size} ${mtimeMs}`
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Office programs leave a file beside a document while they have it open: `~$名.docx`, `.~lock.名.docx#`. */
async function isOpenInProgram(path: string): Promise<boolean> {
  const base = basename(path, extname(path))
  const names = await readdir(dirname(path)).catch(() => [])
  return names.some((name) => isTemporaryFile(name) && name.includes(base.slice(2)))
}
