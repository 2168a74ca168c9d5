import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const least = 4 * 1024 ** 3

/** @param {string} folder */
const roomOf = (folder) => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * The folder for databases and contents of tests: in memory if there is room, because everything there is synced and
 * removed again. Tests of the disk itself use the disk.
 */
export const quickFolder = existsSync(memory) && roomOf(memory) > least ? memory : tmpdir()
