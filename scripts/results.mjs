import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './platform.mjs'

/**
 * A reporter that records the results of a run for the runner's summary: an entry for each test file, and errors
 * outside of tests. vitest's JSON does not contain the project of a file.
 */
export default class Results {
  /** @type {import('vitest/node').Reporter['onTestRunEnd']} */
  onTestRunEnd(modules, unhandledErrors) {
    const files = modules.map((module) => {
      const { duration, collectDuration, setupDuration } = module.diagnostic()
      return {
        project: module.project.name,
        path: relative(root, module.moduleId),
        milliseconds: duration + collectDuration + setupDuration,
        errors: [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())].map(told),
        tests: Array.from(module.children.allTests(), (test) => ({
          name: test.fullName,
          state: test.result().state,
          milliseconds: test.diagnostic()?.duration ?? 0,
          errors: (test.result().errors ?? []).map(told),
        })),
      }
    })
    writeFileSync(process.env.CLOUDOC_RESULTS ?? '', JSON.stringify({ files, errors: unhandledErrors.map(told) }))
  }
}

/** @param {{ message: string, stack?: string }} error */
function told({ message, stack }) {
  return stack ?? message
}
