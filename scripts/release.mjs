// Makes release/cloudoc-<version>/: the server bundled into one file, separate bundles of the programs that it runs on
// uploaded content, the control program of people's computers, the built web client, and exactly the packages that the bundles import, with their own lockfile. It
// is ready to run on this platform; on another one `npm ci --omit=dev` installs that platform's parts. Type stripping
// does not work under node_modules, hence the bundles. usage: npm run release [-- <folder to make it in>]
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { buildOf } from '../packages/server/src/build.ts'
import { bundleControl, bundleShell } from './client-bundles.mjs'
import { innerNode, root } from './platform.mjs'

/** What nothing reads at run time: a third of the packages. */
const idle = [
  // For compilers and debuggers.
  /\.map$/,
  /\.d\.[cm]?ts$/,
  /\/node_modules\/node-[^/]+\/include$/,
  // Sources of what is used in its built form, and tests.
  /\/node_modules\/(?:@cantoo\/[^/]+|zod)\/src$/,
  /\/node_modules\/(?:fastify|yjs)\/tests?$/,
  // Builds for browsers and older programs.
  /\/node_modules\/@cantoo\/pdf-lib\/(?:dist|ts3\.4)$/,
  /\/node_modules\/@e965\/xlsx\/dist$/,
  /\/node_modules\/libheif-js\/libheif$/,
  /\/node_modules\/pdfjs-dist\/(?:build|web|image_decoders)$/,
  // Weights of the font that neither watermarks nor pages use.
  /\/NotoSansHans-(?:Light|DemiLight|Medium)\.otf$/,
]

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const { name, license, description, engines, optionalDependencies } = readJson('package.json')
const release = buildOf(root)
const { version } = release
const { packages: locked, ...lockfile } = readJson('package-lock.json')

const target = join(resolve(process.argv[2] ?? join(root, 'release')), `${name}-${version}`)
mkdirSync(target, { recursive: true })
// A release that was started in this folder has its data there.
for (const entry of readdirSync(target)) if (entry !== 'data') rmSync(join(target, entry), { recursive: true })

const imported = await bundle()
const dependencies = Object.fromEntries([...imported].sort().map((one) => [one, lockedVersion(one)]))
const manifest = {
  name,
  version,
  private: true,
  type: 'module',
  license,
  description,
  engines,
  scripts: {
    start: 'node scripts/start.mjs',
    backup: 'node scripts/start.mjs backup',
    restore: 'node scripts/start.mjs restore',
    fsck: 'node scripts/start.mjs fsck',
    audit: 'node scripts/start.mjs audit',
    recover: 'node scripts/start.mjs recover',
  },
  dependencies,
  optionalDependencies,
}
const needed = closure([...Object.keys(dependencies), ...Object.keys(optionalDependencies)])
writeJson('package.json', manifest)
writeJson('package-lock.json', {
  ...lockfile,
  packages: {
    '': manifest,
    ...Object.fromEntries([...needed].sort().map((path) => [path, productionEntry(locked[path])])),
  },
})

await bundleControl(join(target, 'clients/control.mjs'))
await bundleShell(join(target, 'clients/desktop'))
copy('packages/web/dist', 'web')
copy('packages/devkit/src/demo/assets', 'assets')
copy('LICENSE')
copy('README.md')
copy('CHANGELOG.md')
copy('deploy')
for (const page of ['administration', 'live-channel', 'operation', 'programs']) copy(`docs/${page}.md`)
copy('docs/operations')
copy('scripts/platform.mjs')
copy('scripts/processes.mjs')
copy('scripts/server-process.mjs')
copy('scripts/release-start.mjs', 'scripts/start.mjs')
for (const path of needed) copy(path, path, (file) => !isIdle(file))
stripNode()
console.log(target)

/** Whether nothing reads a file of a package at run time. */
function isIdle(file) {
  return idle.some((pattern) => pattern.test(file.replaceAll('\\', '/')))
}

/** Removes the debugging information from the copy of Node, a fifth of it, where the machine can. */
function stripNode() {
  const node = join(target, relative(root, innerNode()))
  if (process.platform !== 'linux' || spawnSync('strip', ['--version']).status !== 0) return
  const { status, stderr } = spawnSync('strip', ['--strip-all', node], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`strip: ${stderr}`)
}

/** Bundles our own code; resolves to the names of the packages that it imports. */
async function bundle() {
  const found = new Set()
  await build({
    entryPoints: {
      server: join(root, 'packages/server/src/main.ts'),
      'compress-pdf-process': join(root, 'packages/server/src/drive/transfer/compress-pdf-process.ts'),
      'detect-worker': join(root, 'packages/server/src/approvals/sensitive/detect-worker.ts'),
      'document-process': join(root, 'packages/server/src/documents/document-process.ts'),
      'office-process': join(root, 'packages/server/src/editing/coedit/office-process.ts'),
      'mark-process': join(root, 'packages/server/src/documents/mark-process.ts'),
      'base-process': join(root, 'packages/server/src/documents/signing/base-process.ts'),
      'report-process': join(root, 'packages/server/src/documents/report-process.ts'),
      'wasm-office-process': join(root, 'packages/server/src/core/confined/wasm-office-process.ts'),
      'mail-process': join(root, 'packages/server/src/mail/messages/mail-process.ts'),
    },
    outdir: target,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node26',
    format: 'esm',
    logLevel: 'warning',
    define: { RELEASE: JSON.stringify(release) },
    plugins: [
      {
        name: 'packages-stay-outside',
        setup(bundler) {
          bundler.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
            if (kind === 'entry-point' || path.startsWith('@cloudoc/')) return undefined
            if (!path.startsWith('node:')) found.add(/^(@[^/]+\/)?[^/]+/.exec(path)[0])
            return { external: true }
          })
        },
      },
    ],
  })
  return found
}

function lockedVersion(one) {
  const entry = locked[`node_modules/${one}`]
  if (!entry) throw new Error(`${one} is not at the top of node_modules`)
  return entry.version
}

/** Paths in the lockfile of the named packages and all their dependencies. */
function closure(names) {
  const paths = new Set()
  const add = (from, one) => {
    const path = find(from, one)
    if (!path || paths.has(path)) return
    paths.add(path)
    const { dependencies: needs, optionalDependencies: may, peerDependencies: peers } = locked[path]
    for (const next of Object.keys({ ...needs, ...may, ...peers })) add(path, next)
  }
  for (const one of names) add('', one)
  return paths
}

/** Follows Node's package resolution: the importer's own node_modules first, then those of its parent folders. */
function find(from, one) {
  const path = `${from}${from && '/'}node_modules/${one}`
  if (locked[path]) return path
  return from ? find(from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''), one) : undefined
}

function productionEntry({ dev, devOptional, ...entry }) {
  return devOptional ? { ...entry, optional: true } : entry
}

function copy(from, to = from, filter = () => true) {
  if (existsSync(join(root, from)))
    cpSync(join(root, from), join(target, to), { recursive: true, verbatimSymlinks: true, filter })
}

function writeJson(path, value) {
  writeFileSync(join(target, path), `${JSON.stringify(value, null, 2)}\n`)
}
