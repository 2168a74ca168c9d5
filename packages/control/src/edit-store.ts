/*
 * What the program knows, on the disk: one file per edit, and the pages that it has met. A step is written before it is
 * taken, atomically, so that a program that is killed or a full disk leaves the state of before or after.
 */
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Owner } from './server-session.ts'

/** A file that is edited in a local program ([R175], [R356]). */
export interface EditRecord {
  readonly id: string
  readonly owner: Owner
  readonly fileId: number
  readonly fileName: string
  /** Path of the local copy. */
  readonly path: string
  /** The version that the copy is based on, and its SHA-256. */
  readonly version: number
  readonly hash: string
  /** Since when the program has the lock: how it recognizes its own after it was killed. */
  readonly lockTime: number
  /** A state of EditState. */
  readonly state: number
  readonly closed: boolean
  /** The newer version on the server that keeps the edit from being submitted; 0: none. */
  readonly conflict: number
  /** Why the last submission failed; 0: it did not. */
  readonly failure: number
  /** What is being submitted: the SHA-256 of the snapshot, and the version that it is put on. */
  readonly submitting?: { readonly hash: string; readonly version: number }
  readonly createTime: number
  /** When the copy was opened or changed last. */
  readonly usedAt: number
}

/** A page that the program has met: its origin, its account, and the SHA-256 of the word by which it is recognized. */
export interface KnownPage {
  readonly server: string
  readonly code: string
  readonly account: string
  readonly word: string
}

/** At most so many pages are known; the oldest is forgotten. */
const mostPages = 200

export class EditStore {
  readonly #folder: string
  readonly edits = new Map<string, EditRecord>()
  pages: readonly KnownPage[] = []

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Reads the store. A file that cannot be read is kept aside and does not hinder the others. */
  static async open(folder: string): Promise<EditStore> {
    const store = new EditStore(folder)
    await mkdir(store.#edits, { recursive: true, mode: 0o700 })
    for (const name of await readdir(store.#edits)) {
      if (!name.endsWith('.json')) {
        await rm(join(store.#edits, name), { force: true })
        continue
      }
      const record = await readJson(join(store.#edits, name))
      if (isEdit(record)) store.edits.set(record.id, record)
      else await rename(join(store.#edits, name), join(folder, `${name}.unreadable`))
    }
    const pages = await readJson(join(folder, 'pages.json'))
    if (Array.isArray(pages)) store.pages = pages as KnownPage[]
    return store
  }

  get #edits(): string {
    return join(this.#folder, 'edits')
  }

  /** Path of the snapshot of an edit that is being submitted. */
  snapshotOf(id: string): string {
    return join(this.#folder, `${id}.snapshot`)
  }

  /** Writes an edit. */
  async put(record: EditRecord): Promise<EditRecord> {
    await writeAtomically(join(this.#edits, `${record.id}.json`), record)
    this.edits.set(record.id, record)
    return record
  }

  /** Writes that a page is known. */
  async meet(page: KnownPage): Promise<void> {
    const isSame = (one: KnownPage): boolean => JSON.stringify(one) === JSON.stringify(page)
    if (this.pages.some(isSame)) return
    const pages = [...this.pages, page].slice(-mostPages)
    await writeAtomically(join(this.#folder, 'pages.json'), pages)
    this.pages = pages
  }
}

function isEdit(value: unknown): value is EditRecord {
  const record = value as Partial<EditRecord> | undefined
  return (
    typeof record?.id === 'string' &&
    typeof record.path === 'string' &&
    typeof record.fileId === 'number' &&
    typeof record.owner?.server === 'string'
  )
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** Numbers the drafts: two writes of one file at the same time have one each. */
let drafts = 0

/** Writes a file so that it has either its old or its new content, also after a power cut. */
export async function writeAtomically(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${process.pid}.${(drafts += 1)}.new`
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      await file.writeFile(JSON.stringify(value))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
}
