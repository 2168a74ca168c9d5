// check: types, lint, format, layers. test: check, then every suite, closed by one line of sums.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findChromium } from './chromium.mjs'
import { findNats } from './nats.mjs'
import { root } from './platform.mjs'
import { run, runNode, tool } from './processes.mjs'
import { prepareWeb } from './setup.mjs'

const SUITES = ['unit', 'server', 's3', 'web', 'e2e']
const SLOWEST = 10

/** Runs every check, also after one has failed. Resolves to an exit code. */
export async function check() {
  const { failed } = await runChecks([
    ['layers', [...tool('vitest'), 'run', '--project', 'unit', 'tools/layers.test.ts']],
  ])
  return failed > 0 ? 1 : 0
}

/** Runs the checks and all suites, or only the suites' tests that match `args`. Resolves to an exit code. */
export async function test(args, mode) {
  // An older Debian has no headless shell by itself.
  const chromium = await ensure(findChromium, ['chromium-headless-shell', 'chromium'], ['fonts-noto-cjk'])
  if (!chromium)
    console.error('The browser tests need Chromium: install the package chromium, or set CHROMIUM to its path')
  const nats = await ensure(findNats, ['nats-server'])
  if (!nats)
    console.error('The tests of several servers need NATS: install nats-server, or set NATS_SERVER to its path')
  let { passed, failed } = args.length > 0 ? { passed: 0, failed: 0 } : await runChecks()
  const failures = []
  const webCode = await prepareWeb()
  for (const suite of SUITES) {
    if (suite === 'e2e' && (webCode || !chromium)) {
      failed += 1
      continue
    }
    const counts = await runSuite(suite, args, mode)
    passed += counts.passed
    failed += counts.failed
    failures.push(...counts.failures)
  }
  // Last of all, as five suites lie between the first that may fail and the end.
  if (failures.length > 0) console.log(`\nfailed:\n${failures.join('\n')}\n`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}

/**
 * Finds a program, and installs the first of `packages` that there is where that is ours to do. Without it the tests that
 * need it fail, none is skipped.
 */
async function ensure(find, packages, more = []) {
  if (!find() && existsSync('/etc/debian_version') && process.geteuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] }
    await run('apt-get', ['-qq', 'update'], quiet)
    for (const name of packages) {
      console.log(`Installing ${[name, ...more].join(', ')}…`)
      if ((await run('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', name, ...more], quiet)) === 0) break
    }
  }
  return find()
}

async function runChecks(more = []) {
  const projects = [...readdirSync('packages').map((name) => `packages/${name}`), 'e2e', 'tools']
  const checks = [
    ...projects.map((project) => [`types ${project}`, [...tool('tsc'), '-p', project, '--noEmit']]),
    ['lint', [...tool('oxlint'), '--type-aware', '--deny-warnings']],
    ['format', [...tool('biome'), 'check', '.']],
    ...more,
  ]
  const counts = { passed: 0, failed: 0 }
  for (const [name, args] of checks) {
    const started = performance.now()
    const code = await runNode(args)
    console.log(`${code ? 'FAILED' : 'ok'}  ${name}  ${seconds(performance.now() - started)}`)
    counts[code ? 'failed' : 'passed'] += 1
  }
  return counts
}

async function runSuite(suite, filters, mode) {
  console.log(`\n${suite}`)
  const folder = mkdtempSync(join(tmpdir(), 'cloudoc-suite-'))
  const file = join(folder, 'results.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const options = ['--project', suite, '--mode', mode, '--passWithNoTests', ...reporters]
    const code = await runNode([...tool('vitest'), 'run', ...options, ...filters])
    const files = readResults(file)
    const tests = files.flatMap(({ name, assertionResults }) =>
      assertionResults.map((result) => ({ ...result, path: relative(root, name) })),
    )
    printSlowest(tests)
    const failures = [
      ...tests.filter(({ status }) => status === 'failed').map(describeFailure),
      ...files.filter(({ message }) => message).map(({ name, message }) => `  ${relative(root, name)}\n${message}`),
    ]
    // An error outside any test fails the run without failing a test.
    if (code && failures.length === 0) failures.push(`  ${suite}: an error outside any test, shown above`)
    return { passed: tests.filter(({ status }) => status === 'passed').length, failed: failures.length, failures }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults
  } catch {
    return []
  }
}

function describeFailure({ path, fullName, failureMessages }) {
  return `  ${path} › ${fullName}\n${failureMessages.join('\n')}`
}

function printSlowest(tests) {
  const slowest = tests.toSorted((a, b) => (b.duration ?? 0) - (a.duration ?? 0)).slice(0, SLOWEST)
  if (slowest.length > 0) console.log('slowest:')
  for (const { path, fullName, duration } of slowest) console.log(`  ${seconds(duration ?? 0)}  ${path} › ${fullName}`)
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
