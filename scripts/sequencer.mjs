import { BaseSequencer } from 'vitest/node'

/**
 * The projects whose tests wait longest come first, so that none runs alone at the end; files that share a process are
 * adjacent.
 */
const ORDER = ['machine', 'e2e', 'server', 's3', 'web', 'unit']

/** This single file takes a minute, mostly for compilers. */
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
 * How many test files run in parallel. With a server, its PostgreSQL and restarts, or a browser, a test waits more than
 * it works: two workers leave a fifth of two cores idle. TEST_WORKERS sets another number for shared machines.
 */
export const WORKERS = Number(process.env.TEST_WORKERS ?? 3)
