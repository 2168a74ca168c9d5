// The few file operations that the local store is made of, so that tests can record them, drop what they had not made
// durable, and fail any of them.
import { link, mkdir, open, readdir, rename, rm, stat, statfs, unlink } from 'node:fs/promises'
import type { ReadableFile } from './read-object.ts'

export interface OpenFile {
  /** Writes `length` of the bytes from `offset` on to a position of the file; maybe not all of them. */
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>
  sync(): Promise<void>
  close(): Promise<void>
}

export interface FileOperations {
  mkdir(path: string, options?: { recursive: true }): Promise<unknown>
  /** A second name for a file. */
  link(from: string, to: string): Promise<void>
  /** `wx` makes a new file to write to, `r+` opens one that is there, `r` opens a folder to sync it. */
  open(path: string, flags: 'wx' | 'r+' | 'r'): Promise<OpenFile>
  openToRead(path: string): Promise<ReadableFile>
  readdir(path: string): Promise<string[]>
  rename(from: string, to: string): Promise<void>
  rm(path: string, options: { recursive?: true; force: true }): Promise<void>
  stat(path: string): Promise<{ size: number; mtimeMs: number; ctimeMs: number }>
  /** Bytes of the disk that a folder lies on, and how many of them are free, for whoever can tell. */
  room?(path: string): Promise<{ free: number; size: number }>
  unlink(path: string): Promise<void>
}

/** Those of the system. */
export const systemFiles: FileOperations = {
  link,
  mkdir,
  open,
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
}
