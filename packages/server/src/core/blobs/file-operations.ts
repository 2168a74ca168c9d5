// The few file operations that the local store uses, so that tests can record them, drop writes that are not durable,
// and make any of them fail.
import { close, closeSync, constants, fsync, open as openByFd, write } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat, statfs, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { ReadableFile } from './read-object.ts'

export interface OpenFile {
  /** Writes up to `length` of the bytes from `offset` on to a position of the file. May write fewer. */
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>
  sync(): Promise<void>
  close(): Promise<void>
}

export interface FileOperations {
  readonly mkdir: (path: string, options?: { recursive: true }) => Promise<unknown>
  /** Creates a hard link. */
  readonly link: (from: string, to: string) => Promise<void>
  /** `wx` creates a new file for writing, `r+` opens an existing one, `r` opens a folder to sync it. */
  readonly open: (path: string, flags: 'wx' | 'r+' | 'r') => Promise<OpenFile>
  /** Opens an existing file for writing. Data is durable when the write resolves. */
  readonly openSynced: (path: string) => Promise<OpenFile>
  readonly openToRead: (path: string) => Promise<ReadableFile>
  readonly readdir: (path: string) => Promise<string[]>
  readonly rename: (from: string, to: string) => Promise<void>
  readonly rm: (path: string, options: { recursive?: true; force: true }) => Promise<void>
  readonly stat: (path: string) => Promise<{ size: number; mtimeMs: number; ctimeMs: number }>
  /** Free and total bytes of the disk of a folder, if the platform can report them. */
  readonly room?: (path: string) => Promise<{ free: number; size: number }>
  readonly unlink: (path: string) => Promise<void>
  /** Creates a file whose bytes are durable when it resolves. Its name is durable after its folder is synced. */
  readonly writeNew: (path: string, bytes: Uint8Array) => Promise<void>
}

const { O_CREAT, O_DSYNC, O_EXCL, O_WRONLY } = constants
/** On Linux, writes to a file opened with this flag are as durable as after a sync, with one disk access less. */
const synced = process.platform === 'linux' ? O_DSYNC : undefined
const [openFd, writeFd, syncFd] = [promisify(openByFd), promisify(write), promisify(fsync)]
const closeFd = promisify(close)

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const fd = await openFd(path, O_WRONLY | O_CREAT | O_EXCL | (synced ?? 0))
  try {
    for (let at = 0; at < bytes.length; ) at += (await writeFd(fd, bytes, at, bytes.length - at, at)).bytesWritten
    if (synced === undefined || bytes.length === 0) await syncFd(fd)
  } finally {
    // Nothing is left to write, so a synchronous close does not wait for the disk.
    closeSync(fd)
  }
}

async function openSynced(path: string): Promise<OpenFile> {
  const fd = await openFd(path, O_WRONLY | (synced ?? 0))
  return {
    async write(bytes, offset, length, position) {
      const { bytesWritten } = await writeFd(fd, bytes, offset, length, position)
      if (synced === undefined) await syncFd(fd)
      return { bytesWritten }
    },
    sync: () => syncFd(fd),
    close: () => closeFd(fd),
  }
}

/** The file operations of the operating system. */
export const systemFiles: FileOperations = {
  link,
  mkdir,
  open,
  openSynced,
  openToRead: (path) => open(path, 'r'),
  readdir,
  rename,
  rm,
  stat,
  async room(path) {
    const { bavail, blocks, bsize } = await statfs(path)
    return { free: bavail * bsize, size: blocks * bsize }
  },
  unlink,
  writeNew,
}
