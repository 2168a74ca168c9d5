import { BaseSequencer } from 'vitest/node'

/** What waits long comes first, so that at the end nobody waits for it alone; files that share a process stand together. */
const ORDER = ['machine', 'e2e', 'server', 's3', 'web', 'unit']

/** One file by itself takes a minute, mostly of compilers. */
const placeOf = (file) => (file.moduleId.endsWith('tools/throwaway.test.ts') ? -1 : ORDER.indexOf(file.project.name))

/** The order of test files. */
export class LongestFirst extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

/**
 * How many files are tried side by side. Beside a server, its PostgreSQL and their restarts, or a browser, a test waits more
 * than it works: two leave a fifth of two cores idle. TEST_WORKERS says another number, where others use the machine.
 */
export const WORKERS = Number(process.env.TEST_WORKERS ?? 3)
