// check: types, lint, format, layers. test: check, then every suite in parallel, followed by the time of each tier and
// one summary line.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { run, runNode, tool } from './processes.mjs'
import {
  findClamd,
  findHaproxy,
  findNats,
  findNginx,
  findOffice,
  findPooler,
  findPoppler,
  findRclone,
  findSamba,
  findSimpleSaml,
  findSlapd,
  findTesseract,
} from './programs.mjs'
import { prepareWeb } from './setup.mjs'

/** The tiers of CONTRIBUTING.md, and their projects of vitest.config.ts. */
const TIERS = { unit: ['unit', 'web'], feature: ['server', 's3'], machine: ['machine'], journeys: ['e2e'] }
const SLOWEST = 20

/** Runs every check, even after one has failed. Resolves to an exit code. */
export async function check() {
  const { failed } = await runChecks([
    ['layers', [...tool('vitest'), 'run', '--project', 'unit', 'tools/layers.test.ts']],
  ])
  return failed > 0 ? 1 : 0
}

/** Runs the checks and all suites, or only the suites' tests that match `args`. Resolves to an exit code. */
export async function test(args, mode) {
  // An older Debian has no separate package for the headless shell.
  const chromium = await ensure(findChromium, ['chromium-headless-shell', 'chromium'], ['fonts-noto-cjk'])
  if (!chromium)
    console.error('The browser tests need Chromium: install the package chromium, or set CHROMIUM to its path')
  const dovecot = await ensure(() => existsSync('/usr/sbin/dovecot'), ['dovecot-imapd'], ['dovecot-pop3d'])
  if (!dovecot) console.error('The tests of mail need dovecot: install dovecot-imapd and dovecot-pop3d')
  if (!(await ensure(() => existsSync('/usr/sbin/postfix'), ['postfix'])))
    console.error('A test of mail needs postfix: install the package postfix')
  const signing = await ensure(
    () => ['pdfsig', 'qpdf', 'certutil'].every((name) => existsSync(`/usr/bin/${name}`)),
    ['poppler-utils'],
    ['qpdf', 'libnss3-tools'],
  )
  if (!signing)
    console.error('The tests of signing need pdfsig, qpdf and certutil: install poppler-utils, qpdf and libnss3-tools')
  const litmus = await ensure(() => existsSync('/usr/bin/litmus'), ['litmus'])
  if (!litmus) console.error('The tests of WebDAV need litmus: install the package litmus')
  if (!(await ensure(findSlapd, ['slapd'])))
    console.error('The tests of directories need slapd: install the package slapd, or set SLAPD to its path')
  const nats = await ensure(findNats, ['nats-server'])
  if (!nats)
    console.error('The tests of several servers need NATS: install nats-server, or set NATS_SERVER to its path')
  if (mode === 'full') await ensureFull()
  const checks = args.length > 0 ? { passed: 0, failed: 0 } : await runChecks()
  const hasBrowser = !(await prepareWeb()) && chromium !== undefined
  const suites = await runSuites(args, mode, hasBrowser ? [] : ['--project', '!e2e'])
  const { failures } = suites
  // Failures are repeated at the end, because the output of the whole run separates them from it.
  if (failures.length > 0) console.log(`\nfailed:\n${failures.join('\n')}\n`)
  const failed = checks.failed + failures.length + (hasBrowser ? 0 : 1)
  console.log(`${checks.passed + suites.passed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}

/** Programs that only `npm run test:full` needs, because their tests cover code that seldom changes. */
async function ensureFull() {
  const needed = {
    pgbouncer: findPooler,
    nginx: findNginx,
    haproxy: findHaproxy,
    soffice: findOffice,
    tesseract: findTesseract,
    pdftotext: findPoppler,
    clamd: findClamd,
    rclone: findRclone,
    samba: findSamba,
    simplesaml: findSimpleSaml,
    buildah: () => existsSync('/usr/bin/buildah'),
    mmdebstrap: () => existsSync('/usr/bin/mmdebstrap'),
    'podman-compose': () => existsSync('/usr/bin/podman-compose'),
    'firefox-esr': () => process.env.FIREFOX ?? existsSync('/usr/bin/firefox-esr'),
    'webkit2gtk-driver': () => existsSync('/usr/bin/WebKitWebDriver') && existsSync('/usr/bin/Xvfb'),
  }
  const parts = {
    soffice: ['libreoffice-writer-nogui', 'libreoffice-impress-nogui', 'libreoffice-calc-nogui'],
    tesseract: ['tesseract-ocr', 'tesseract-ocr-chi-sim'],
    pdftotext: ['poppler-utils'],
    clamd: ['clamav-daemon'],
    samba: ['samba-ad-dc', 'samba-ad-provision', 'samba-dsdb-modules', 'winbind'],
    'webkit2gtk-driver': ['webkit2gtk-driver', 'xvfb', 'xauth'],
    // Its pages run in PHP's own server; a web server is only what the package asks for.
    simplesaml: ['simplesamlphp', 'php-cli', 'php-cgi', 'php-xml', 'php-mbstring', 'nginx-light'],
  }
  for (const [name, find] of Object.entries(needed)) {
    const [first, ...more] = parts[name] ?? [name]
    if (!(await ensure(find, [first], more)))
      console.error(`A test of test:full needs ${name}: install it, or set ${name.toUpperCase()} to its path`)
  }
}

/**
 * Finds a program, or installs the first available one of `packages` where the script may install. Without the program
 * the tests that need it fail; none is skipped.
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

/**
 * Runs all checks, types beside the others. The compiler has one checker: several of them read the same declarations
 * again, which on two cores takes twice the time of one.
 */
async function runChecks(more = []) {
  const projects = [...readdirSync('packages').map((name) => `packages/${name}`), 'e2e', 'tools']
  const sideBySide = [
    projects.map((project) => [`types ${project}`, [...tool('tsc'), '-p', project, '--noEmit', '--checkers', '1']]),
    [
      ['lint', [...tool('oxlint'), '--type-aware', '--deny-warnings']],
      ['format', [...tool('biome'), 'check', '.']],
      ...more,
    ],
  ]
  const counts = { passed: 0, failed: 0 }
  const runAll = async (checks) => {
    for (const [name, args] of checks) {
      const started = performance.now()
      const code = await runNode(args)
      console.log(`${code ? 'FAILED' : 'ok'}  ${name}  ${seconds(performance.now() - started)}`)
      counts[code ? 'failed' : 'passed'] += 1
    }
  }
  await Promise.all(sideBySide.map(runAll))
  return counts
}

/** Runs the tests that match the filters; returns the number of passed tests, and a message for each failure. */
async function runSuites(filters, mode, options) {
  const folder = mkdtempSync(join(tmpdir(), 'cloudoc-suites-'))
  const CLOUDOC_RESULTS = join(folder, 'results.json')
  const started = performance.now()
  try {
    const reporters = ['--reporter=default', '--reporter=./scripts/results.mjs']
    const vitest = [...tool('vitest'), 'run', '--mode', mode, '--passWithNoTests', ...options, ...reporters]
    const code = await runNode([...vitest, ...filters], { env: { CLOUDOC_RESULTS } })
    const { files, errors } = readResults(CLOUDOC_RESULTS)
    const tests = files.flatMap(({ path, tests: of }) => of.map((test) => ({ ...test, path })))
    printSlowest(tests)
    printTiers(files, performance.now() - started)
    const failures = [
      ...tests.filter(({ state }) => state === 'failed').map((test) => told(`${test.path} › ${test.name}`, test)),
      ...files.filter((file) => file.errors.length > 0).map((file) => told(file.path, file)),
      ...(errors.length > 0 ? [told('outside of any test', { errors })] : []),
    ]
    if (code && failures.length === 0) failures.push('  the run ended with an error, shown above')
    return { passed: tests.filter(({ state }) => state === 'passed').length, failures }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { files: [], errors: [] }
  }
}

function told(what, { errors }) {
  return `  ${what}\n${errors.join('\n')}`
}

/** Prints the worker time of each tier; workers run in parallel. */
function printTiers(files, milliseconds) {
  for (const [tier, projects] of Object.entries(TIERS)) {
    const own = files.filter(({ project }) => projects.includes(project))
    if (own.length === 0) continue
    const tests = own.reduce((sum, file) => sum + file.tests.length, 0)
    const took = own.reduce((sum, file) => sum + file.milliseconds, 0)
    console.log(`tier ${tier.padEnd(8)}  ${tests} tests in ${own.length} files  ${seconds(took)} of the workers`)
  }
  console.log(`all tiers side by side  ${seconds(milliseconds)}`)
}

function printSlowest(tests) {
  const slowest = tests.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST)
  if (slowest.length > 0) console.log('slowest:')
  for (const { path, name, milliseconds } of slowest) console.log(`  ${seconds(milliseconds)}  ${path} › ${name}`)
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
