// What runs in production is a dependency, and every dependency is imported: `npm ci --omit=dev` installs neither too
// little nor too much.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const packages = globSync('packages/*', { cwd: root }).sort()

/** The names of the packages that production code of a package imports, in scripts and in styles. */
function importedBy(folder: string): Set<string> {
  const files = globSync(`${folder}/{src,migrations}/**/*.{ts,tsx,css}`, {
    cwd: root,
    exclude: ['**/*.test.*', '**/*.d.ts'],
  })
  const names = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const specifiers = text.matchAll(
      /(?:^import |\bfrom |^export .* from |\bimport\(|\bresolve\(|\burl\()['"]((?:@[\w.-]+\/)?[\w.-]+)/gm,
    )
    return [...specifiers].map(([, name = '']) => name).filter((name) => !name.startsWith('.') && name !== 'node')
  })
  return new Set(names)
}

/** Imported, and provided by the program that runs the code. */
const provided = new Set(['electron'])
/** Needed by another dependency, which has it as a peer. */
const peers = new Set(['@tiptap/pm'])

test.each(packages)('%s declares what it runs as dependencies, and nothing else', (folder) => {
  const { name, dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    name: string
    dependencies?: Record<string, string>
  }
  const imported = importedBy(folder)
  const known = new Set(Object.keys(dependencies))
  const missing = [...imported].filter((one) => isPackage(one) && one !== name && !known.has(one) && !provided.has(one))
  expect(missing).toEqual([])
  expect([...known].filter((one) => !imported.has(one) && !peers.has(one))).toEqual([])
})

const installed = new Set(
  Object.keys(
    (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, unknown> })
      .packages,
  ).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? []),
)
/** Whether the name is one of a package: texts in the code look like imports at times. */
const isPackage = (name: string): boolean => installed.has(name)
