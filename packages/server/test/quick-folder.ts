import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const least = 4 * 1024 ** 3

const roomOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * The folder for contents of tests: in memory if there is room, because every content is synced. Tests of the disk
 * itself use the disk.
 */
export const quickFolder = existsSync(memory) && roomOf(memory) > least ? memory : tmpdir()
