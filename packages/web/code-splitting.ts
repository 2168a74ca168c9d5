// Defines which modules share a chunk. By default the bundler creates a chunk for every set of pages that share
// something: a hundred small files before the files view is shown. HTTP/1.1 loads six at a time, so every six cost a
// round trip.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Rolldown } from 'vite'

type Groups = NonNullable<Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>['groups']>
type Context = Parameters<Extract<Groups[number]['name'], (...all: never[]) => unknown>>[1]

const product = 'src/main.tsx'
const visit = 'src/sharing/visit/main.tsx'
/**
 * What is loaded at once: after sign-in, and with the frame of the administration. A module goes to the first group in
 * this order that imports it.
 */
const signedIn = [
  {
    name: 'files',
    from: [
      'src/app/signed-in.tsx',
      'src/app/layout/shell.tsx',
      ...['drive', 'items', 'transfer', 'viewing', 'editing'].map((area) => `src/${area}/area.ts`),
    ],
  },
  {
    name: 'areas',
    from: [
      'account',
      'admin',
      'approvals',
      'mail',
      'mobile',
      'notify',
      'organisation',
      'sharing',
      'system',
      'talk',
      'workflow',
    ].map((area) => `src/${area}/area.ts`),
  },
  {
    name: 'administration',
    from: [
      'src/admin/frame/admin-frame.tsx',
      ...['drive', 'editing', 'organisation', 'sharing', 'system', 'viewing'].map(
        (area) => `src/${area}/admin-pages.tsx`,
      ),
    ],
  },
]

/** The parts of the kit that list pages load together. */
const listPage = ['chips', 'filter-bar', 'list-page', 'pager', 'tab-links', 'tab-panel', 'table']

/** A module that only re-exports others, and how an import names it. */
const barrel = { file: '/packages/domain/src/index.ts', specifier: '@cloudoc/domain' }

/**
 * The static imports of a module. Of the barrel only the modules with the imported names count; otherwise all that it
 * re-exports for later pages would be loaded with the first one.
 */
function usedImports(id: string, context: Context): readonly string[] {
  const info = context.getModuleInfo(id)
  return (info?.importedIds ?? []).flatMap((imported) => {
    if (!imported.endsWith(barrel.file)) return [imported]
    const names = namesFromBarrel(info?.code ?? '')
    const all = context.getModuleInfo(imported)?.importedIds ?? []
    return all.filter((one) => context.getModuleInfo(one)?.exports.some((name) => names.has(name)))
  })
}

/** The names a module imports from the barrel. */
function namesFromBarrel(code: string): Set<string> {
  const imports = code.matchAll(/(?:import|export)\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g)
  return new Set(
    [...imports]
      .filter(([, , from]) => from === barrel.specifier)
      .flatMap(([, list = '']) => list.split(',').map((part) => part.trim().replace(/\s.*$/, ''))),
  )
}

/**
 * The chunk groups of the build (docs/adr/0166): one for each page loaded at once, with all its static imports, and one
 * for what the product and the visitor page share. Every import of a module is in its own chunk or in one loaded
 * before; the rest is left to the bundler.
 */
export function codeSplitting(root: string): { includeDependenciesRecursively: false; groups: Groups } {
  const englishTexts = signedIn
    .flatMap(({ from }) => from.map((area) => join(dirname(area), 'texts.en.ts')))
    .filter((texts) => existsSync(join(root, texts)))
  const known = new Map<string, ReadonlySet<string>>()
  /** The static imports of `from`, including itself. */
  const closure = (from: string, context: Context): ReadonlySet<string> => {
    const kept = known.get(from)
    if (kept !== undefined) return kept
    const found = new Set<string>()
    const waiting = [join(root, from)]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (found.has(id)) continue
      found.add(id)
      waiting.push(...usedImports(id, context))
    }
    if (found.size === 1 && !englishTexts.includes(from)) throw new Error(`${from} imports nothing: is it still there?`)
    known.set(from, found)
    return found
  }
  const pageOf = (id: string, context: Context): string | undefined =>
    signedIn.find(({ from }) => from.some((one) => closure(one, context).has(id)))?.name
  const entries = [product, visit].map((entry) => join(root, entry))
  return {
    // The closures are already complete.
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: 'entries',
        // The modules an entry really needs, according to the bundler. A closure also contains imports that are not
        // used.
        tags: ['$initial'],
        test: (id) => !entries.includes(id) && !id.endsWith('.html'),
        name(id, context) {
          if (!closure(visit, context).has(id)) return 'product'
          if (closure(product, context).has(id)) return 'base'
          // What a later page shares with the visitor page is too little for a file of its own.
          return pageOf(id, context) === undefined ? 'visit' : 'base'
        },
      },
      { debugName: 'signed in', name: (id, context) => pageOf(id, context) ?? null },
      { name: 'list-pages', test: (id) => listPage.some((part) => id.startsWith(join(root, 'src/kit', `${part}.`))) },
      {
        debugName: 'english',
        // With everything that the English texts import: two chunks of texts that import each other are evaluated in
        // an order that depends on the network, and one of them may find the other empty.
        name: (id, context) => (englishTexts.some((one) => closure(one, context).has(id)) ? 'english' : null),
      },
    ],
  }
}
