import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const least = 4 * 1024 ** 3

const roomOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * Where tests keep contents that they throw away: in memory where there is room, since every content is synced. What tries
 * the disk itself keeps to the disk.
 */
export const quickFolder = existsSync(memory) && roomOf(memory) > least ? memory : tmpdir()
