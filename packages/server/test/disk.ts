/*
 * An in-memory disk that records the order of all operations, and can lose power after any of them.
 *
 * The surviving state is the worst that POSIX allows. A directory entry is durable after a sync of the folder that
 * follows its change. Until then either the old or the new state may be found, independently for each name: after a
 * rename both names or neither may exist. Bytes are durable after a sync of the file that follows the write. Until then
 * they may be missing, torn or complete, while the name and the length of the file already exist.
 */
import { dirname, basename as nameOf } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { FileOperations, OpenFile } from '../src/core/blobs/file-operations.ts'

type Inode = number
const root: Inode = 0

type Entry =
  | { readonly op: 'folder' | 'file'; readonly inode: Inode }
  /** `name` in `folder` now refers to this inode, or to none. */
  | { readonly op: 'name'; readonly folder: Inode; readonly name: string; readonly inode: Inode | undefined }
  | { readonly op: 'write'; readonly inode: Inode; readonly at: number; readonly bytes: Buffer }
  /** All operations on the inode before the sync began are durable. */
  | { readonly op: 'sync'; readonly inode: Inode; readonly began: number }
  | { readonly op: 'mark'; readonly what: string }

/** What a power loss leaves of the unsynced changes. */
export type Loss = 'everything' | 'nothing' | (() => number)

interface Node {
  readonly folder: boolean
  readonly names: Map<string, Inode>
  bytes: Buffer
  /** Pages that were ever written; all others are holes. */
  readonly pages: Set<number>
}

const page = 4096

const newNode = (isFolder: boolean): Node => ({
  folder: isFolder,
  names: new Map(),
  bytes: Buffer.alloc(0),
  pages: new Set(),
})

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}

export class Disk implements FileOperations {
  readonly log: Entry[] = []
  private readonly nodes = new Map<Inode, Node>([[root, newNode(true)]])
  private inodes = 1
  /** Whether operations yield to each other, so that those of several callers interleave. */
  private readonly mixing: boolean

  constructor({ mixing }: { mixing: boolean } = { mixing: true }) {
    this.mixing = mixing
  }

  /** Records in the log that something happened outside this disk between two operations. */
  mark(what: string): void {
    this.log.push({ op: 'mark', what })
  }

  /** The marks recorded before that operation. */
  marksBefore(length: number): string[] {
    return this.log.slice(0, length).flatMap((entry) => (entry.op === 'mark' ? [entry.what] : []))
  }

  /** Returns the bytes of a file; undefined if it does not exist. */
  bytesAt(path: string): Buffer | undefined {
    const inode = this.lookUp(path)
    return inode === undefined ? undefined : this.node(inode).bytes
  }

  /** Disk usage of the files in a folder, in bytes. */
  takenBy(path: string): number {
    const nodes = [...this.node(this.find(path)).names.values()].map((inode) => this.node(inode))
    return nodes.reduce((sum, { pages }) => sum + pages.size * page, 0)
  }

  readonly link = async (from: string, to: string): Promise<void> => {
    await this.turn()
    const inode = this.find(from)
    if (this.lookUp(to) !== undefined) throw failure('EEXIST', to)
    this.name(to, inode)
  }

  readonly mkdir = async (path: string, options?: { recursive: true }): Promise<void> => {
    await this.turn()
    this.makeFolder(path, options?.recursive === true)
  }

  readonly open = async (path: string, flags: 'wx' | 'r+' | 'r'): Promise<OpenFile> => {
    await this.turn()
    if (flags === 'wx') {
      if (this.lookUp(path) !== undefined) throw failure('EEXIST', path)
      this.make(path, 'file')
    }
    const inode = this.find(path)
    return {
      write: async (bytes, offset, length, position) => {
        await this.turn()
        // Never writes all bytes at once, so that every write can be torn between two operations.
        const bytesWritten = Math.max(1, Math.ceil(length / 2))
        this.write(inode, position, Buffer.from(bytes.subarray(offset, offset + bytesWritten)))
        return { bytesWritten }
      },
      sync: async () => {
        const began = this.log.length
        await this.turn()
        this.log.push({ op: 'sync', inode, began })
      },
      close: () => Promise.resolve(),
    }
  }

  readonly openSynced = async (path: string): Promise<OpenFile> => {
    const file = await this.open(path, 'r+')
    return {
      ...file,
      async write(...what) {
        const written = await file.write(...what)
        await file.sync()
        return written
      },
    }
  }

  readonly openToRead = async (path: string): Promise<Awaited<ReturnType<FileOperations['openToRead']>>> => {
    await this.turn()
    const node = this.node(this.find(path))
    const file = {
      read: (buffer: Buffer, offset: number, length: number, position: number) =>
        Promise.resolve({ bytesRead: node.bytes.subarray(position, position + length).copy(buffer, offset), buffer }),
      stat: () =>
        Promise.resolve({ size: node.bytes.length, blocks: (node.pages.size * page) / 512, mtimeMs: Date.now() }),
      close: () => Promise.resolve(),
    }
    return file as unknown as Awaited<ReturnType<FileOperations['openToRead']>>
  }

  readonly readdir = async (path: string): Promise<string[]> => {
    await this.turn()
    const node = this.node(this.find(path))
    if (!node.folder) throw failure('ENOTDIR', path)
    return [...node.names.keys()]
  }

  readonly rename = async (from: string, to: string): Promise<void> => {
    await this.turn()
    const inode = this.find(from)
    this.name(to, inode)
    this.name(from, undefined)
  }

  readonly rm = async (path: string, options: { recursive?: true; force: true }): Promise<void> => {
    await this.turn()
    const inode = this.lookUp(path)
    if (inode === undefined) return
    const node = this.node(inode)
    if (node.folder && options.recursive !== true) throw failure('EISDIR', path)
    for (const name of node.names.keys()) await this.rm(`${path}/${name}`, options)
    this.name(path, undefined)
  }

  readonly stat = async (path: string): Promise<{ size: number; mtimeMs: number; ctimeMs: number }> => {
    await this.turn()
    return { size: this.node(this.find(path)).bytes.length, mtimeMs: Date.now(), ctimeMs: Date.now() }
  }

  readonly unlink = async (path: string): Promise<void> => {
    await this.turn()
    this.find(path)
    this.name(path, undefined)
  }

  readonly writeNew = async (path: string, bytes: Uint8Array): Promise<void> => {
    const file = await this.open(path, 'wx')
    for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten
    await file.sync()
  }

  /** Returns the disk as it is found after a power loss after `length` operations. */
  crashed(length: number, loss: Loss): Disk {
    const disk = new Disk({ mixing: false })
    const synced = new Map<Inode, number>()
    for (const entry of this.log.slice(0, length)) {
      if (entry.op === 'sync') synced.set(entry.inode, Math.max(entry.began, synced.get(entry.inode) ?? 0))
    }
    const isDurable = (inode: Inode, at: number): boolean => at < (synced.get(inode) ?? 0)
    /** 0 keeps a change that is not durable, 1 loses it. */
    const chance = loss === 'everything' ? () => 1 : loss === 'nothing' ? () => 0 : loss
    /** The states in which a name may be found. */
    const names = new Map<Inode, Map<string, (Inode | undefined)[]>>()
    for (const [at, entry] of this.log.slice(0, length).entries()) {
      if (entry.op === 'folder' || entry.op === 'file') {
        disk.nodes.set(entry.inode, newNode(entry.op === 'folder'))
      } else if (entry.op === 'name') {
        const folder = names.get(entry.folder) ?? new Map<string, (Inode | undefined)[]>()
        names.set(entry.folder, folder)
        if (isDurable(entry.folder, at)) folder.set(entry.name, [entry.inode])
        else folder.set(entry.name, [...(folder.get(entry.name) ?? [undefined]), entry.inode])
      } else if (entry.op === 'write') {
        const { inode, bytes } = entry
        // Complete, or with the length but no bytes, or half, or missing.
        const fate = isDurable(inode, at) ? 0 : chance()
        if (fate < 0.3) disk.write(inode, entry.at, bytes)
        else if (fate < 0.6) disk.write(inode, entry.at + bytes.length - 1, Buffer.alloc(1))
        else if (fate < 0.8) disk.write(inode, entry.at, bytes.subarray(0, bytes.length / 2))
      }
    }
    for (const [folder, states] of names) {
      for (const [name, possible] of states) {
        const inode = possible[Math.floor((1 - chance()) * (possible.length - 1) + 0.5)]
        if (inode !== undefined) disk.node(folder).names.set(name, inode)
      }
    }
    disk.inodes = this.inodes
    disk.log.length = 0
    return disk
  }

  private turn(): Promise<void> {
    return this.mixing ? setImmediate() : Promise.resolve()
  }

  /** Makes a folder without a sync, as an operator may do before the store uses it. */
  private makeFolder(path: string, recursive: boolean): void {
    if (this.lookUp(path) !== undefined) {
      if (recursive) return
      throw failure('EEXIST', path)
    }
    if (recursive) this.makeFolder(dirname(path), true)
    this.make(path, 'folder')
  }

  private make(path: string, op: 'folder' | 'file'): void {
    const inode = this.inodes
    this.inodes += 1
    this.nodes.set(inode, newNode(op === 'folder'))
    this.log.push({ op, inode })
    this.name(path, inode)
  }

  private name(path: string, inode: Inode | undefined): void {
    const folder = this.find(dirname(path))
    const name = nameOf(path)
    if (inode === undefined) this.node(folder).names.delete(name)
    else this.node(folder).names.set(name, inode)
    this.log.push({ op: 'name', folder, name, inode })
  }

  private write(inode: Inode, at: number, bytes: Buffer): void {
    const node = this.node(inode)
    if (node.bytes.length < at + bytes.length) {
      const whole = Buffer.alloc(at + bytes.length)
      node.bytes.copy(whole)
      node.bytes = whole
    }
    bytes.copy(node.bytes, at)
    for (let n = Math.floor(at / page); n * page < at + bytes.length; n++) node.pages.add(n)
    this.log.push({ op: 'write', inode, at, bytes })
  }

  private node(inode: Inode): Node {
    const node = this.nodes.get(inode)
    if (node === undefined) throw new Error(`no inode ${inode}`)
    return node
  }

  private lookUp(path: string): Inode | undefined {
    if (path === '/') return root
    const folder = this.lookUp(dirname(path))
    return folder === undefined ? undefined : this.node(folder).names.get(nameOf(path))
  }

  private find(path: string): Inode {
    const inode = this.lookUp(path)
    if (inode === undefined) throw failure('ENOENT', path)
    return inode
  }
}
