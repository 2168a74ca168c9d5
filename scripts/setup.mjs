// Prepares a checkout for running a command: platform, installed packages, built web client.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hasPlatformParts, innerNode, root, unsupported } from './platform.mjs'
import { run, runNode, runQuietly, tool } from './processes.mjs'

export { root }

const LOCKFILE = join(root, 'package-lock.json')
const INSTALLED = join(root, 'node_modules/.package-lock.json')
/** Holds the hash of the lockfile that was last installed. */
const STAMP = join(root, 'node_modules/.cloudoc-installed')
const BUILT = join(root, 'packages/web/dist/.sources')

/** The log of a step of the preparation. */
const logOf = (step) => join(root, `node_modules/.cache/cloudoc-${step}.log`)

/** The sources of the web client. */
const WEB_SOURCES = [
  'packages/web',
  'packages/contract',
  'packages/domain',
  'packages/office',
  'package-lock.json',
  'tsconfig.base.json',
]

/** Checks the platform and installs the packages of the lockfile. Resolves to an exit code. */
export async function prepare() {
  const reason = unsupported()
  if (reason) {
    console.error(reason)
    return 2
  }
  const wanted = hashOf(LOCKFILE)
  if (hasPlatformParts() && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return 0
  if (!hasPlatformParts() || !isInstalled()) {
    // No package needs an install script. Starting needs vite, so development packages are included.
    const flags = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--loglevel=error']
    const code = await runQuietly('Installing packages', logOf('install'), (options) => npm(flags, options))
    if (code) return code
    // Headers for compilers, a third of Node's package: nothing here is compiled against them.
    rmSync(join(dirname(innerNode()), '../include'), { recursive: true, force: true })
  }
  if (!hasPlatformParts()) {
    console.error(`npm left out the packages for ${process.platform}-${process.arch}: check the npm setting "omit"`)
    return 2
  }
  writeFileSync(STAMP, wanted)
  return 0
}

function isInstalled() {
  if (!existsSync(INSTALLED)) return false
  const { packages: wanted } = JSON.parse(readFileSync(LOCKFILE, 'utf8'))
  const { packages: present } = JSON.parse(readFileSync(INSTALLED, 'utf8'))
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true
    if (entry.link) return existsSync(join(root, path))
    // An optional package without a platform may be missing if it belongs to one with a platform.
    if (entry.optional && !isForHere(entry)) return true
    return present[path]?.version === entry.version
  })
}

function isForHere({ os, cpu, libc }) {
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch) && (!libc || libc.includes('glibc')))
}

async function npm(args, options) {
  const cli = process.env.npm_execpath
  if (cli && /npm-cli\.[cm]?js$/.test(cli)) return run(process.execPath, [cli, ...args], { cwd: root, ...options })
  const code = await run('npm', args, { cwd: root, shell: process.platform === 'win32', ...options })
  if (code === 127) console.error('npm was not found: install Node with npm, or start with npm start')
  return code
}

/** Builds the web client unless the current build was made from the same sources. Resolves to an exit code. */
export async function prepareWeb() {
  const sources = hashOf(...WEB_SOURCES.map((path) => join(root, path)))
  if (existsSync(BUILT) && readFileSync(BUILT, 'utf8') === sources) return 0
  const vite = join(root, ...tool('vite'))
  // Every caller, including tests, gets the production build.
  const env = { ...process.env, NODE_ENV: 'production' }
  const build = [vite, 'build', '--logLevel', 'warn']
  const code = await runQuietly('Building the web client', logOf('build'), (options) =>
    runNode(build, { cwd: join(root, 'packages/web'), env, ...options }),
  )
  if (!code) writeFileSync(BUILT, sources)
  return code
}

function hashOf(...paths) {
  const hash = createHash('sha256')
  for (const path of paths) addTo(hash, path)
  return hash.digest('hex')
}

function addTo(hash, path) {
  hash.update(path.slice(root.length))
  if (/\.[a-z]+$/.test(path)) {
    hash.update(readFileSync(path))
    return
  }
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const child = join(path, entry.name)
    if (entry.isDirectory() && !['dist', 'node_modules'].includes(entry.name)) addTo(hash, child)
    if (entry.isFile() && !entry.name.includes('.test.'))
      hash.update(child.slice(root.length)).update(readFileSync(child))
  }
}
