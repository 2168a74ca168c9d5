// Writes packages/web/src/kit/icons.ts: the icons that the client imports, of Microsoft's Fluent UI System Icons (MIT).
// Their package has 17,000 icons in 300 MB, so it is no dependency: only the files of new icons are taken out of its
// archive. usage: node tools/icons.ts
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const source = join(root, 'packages/web/src')
export const iconsFile = join(source, 'kit/icons.ts')
const library = '@fluentui/react-icons@2.0.344'
const modules = 'package/lib/atoms/headless-svg'

const head = `// The icons of the product: paths of Fluent UI System Icons, Copyright (c) Microsoft Corporation, MIT licence. Written by
// tools/icons.ts; the build makes a module of each (vite.config.ts).
import { icon } from './icon.tsx'

export type { Icon } from './icon.tsx'

`

/** The names of the icons that the client imports. */
export function importedIcons(): string[] {
  const names = globSync('**/*.{ts,tsx}', { cwd: source }).flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    const lists = text.matchAll(/^import \{([^}]*)\} from '(?:\.\/|(?:\.\.\/)+kit\/)icons\.ts'$/gm)
    return [...lists].flatMap(([, list = '']) => list.split(',').map((name) => name.trim()))
  })
  return [...new Set(names.filter((name) => name !== '' && !name.startsWith('type ')))].sort()
}

/** The icons of the file, each with its line. */
export function writtenIcons(): Map<string, string> {
  const lines = readFileSync(iconsFile, 'utf8').matchAll(/^export const (\w+) = icon\(.*\)$/gm)
  return new Map([...lines].map(([line, name = '']) => [name, line]))
}

/** `ArrowUp20Regular` is in the module `arrow-up`. */
const moduleOf = (name: string): string =>
  name
    .replace(/\d*(?:Regular|Filled)$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replace(/([A-Za-z])(\d)/g, '$1-$2')
    .toLowerCase()

/** The line of an icon in the file, from its module in the library. */
function lineOf(name: string, module: string): string {
  const [, size = '', list = ''] =
    new RegExp(`export const ${name} = .*createFluentIcon\\(['"]${name}['"], "(\\w+)", (\\["[^\\]]*"\\])`).exec(
      module,
    ) ?? []
  if (size === '') throw new Error(`the library has no icon ${name}`)
  const paths = (JSON.parse(list) as string[]).map((path) => `, '${path}'`)
  return `export const ${name} = icon(${size === '1em' ? "'1em'" : size}${paths.join('')})`
}

/** The lines of icons that the file lacks, out of the archive of the library. */
function fetched(names: readonly string[]): [name: string, line: string][] {
  const folder = mkdtempSync(join(tmpdir(), 'icons-'))
  try {
    const archive = execFileSync('npm', ['pack', '--silent', library], { cwd: folder, encoding: 'utf8' }).trim()
    const files = [...new Set(names.map((name) => `${modules}/${moduleOf(name)}.js`))]
    execFileSync('tar', ['-xzf', archive, ...files], { cwd: folder })
    return names.map((name) => [
      name,
      lineOf(name, readFileSync(join(folder, modules, `${moduleOf(name)}.js`), 'utf8')),
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) {
  const wanted = importedIcons()
  const known = writtenIcons()
  const missing = wanted.filter((name) => !known.has(name))
  const all = new Map([...known, ...(missing.length === 0 ? [] : fetched(missing))])
  writeFileSync(iconsFile, `${head}${wanted.map((name) => all.get(name)).join('\n')}\n`)
  console.log(`${wanted.length} icons, ${missing.length} of them new`)
}
