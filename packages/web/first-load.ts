// Checks what a browser loads before it can show a page: the import graph of the build for each route, by compressed
// size. A build that exceeds its limit, that includes code of a viewer or an editor, or whose chunks import each other,
// fails.
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

type Bundle = Parameters<Extract<Plugin['generateBundle'], (...all: never[]) => unknown>>[1]

/** What the files view loads after sign-in. */
const files = [
  '/src/app/signed-in.tsx',
  '/src/app/layout/shell.tsx',
  ...['drive', 'items', 'transfer', 'viewing', 'editing'].map((area) => `/src/${area}/area.ts`),
]
/** The other areas, joined at the same time. */
const others = [
  'account',
  'admin',
  'approvals',
  'mail',
  'notify',
  'organisation',
  'sharing',
  'system',
  'talk',
  'workflow',
].map((area) => `/src/${area}/area.ts`)

/** Each route: its entry, the modules its first page imports on demand, and its maximum size. */
const routes = [
  { name: 'login', entry: '/src/main.tsx', modules: [], kilobytes: 130 },
  { name: 'a visit by a link', entry: '/src/sharing/visit/main.tsx', modules: [], kilobytes: 85 },
  {
    name: 'files',
    entry: '/src/main.tsx',
    modules: files,
    kilobytes: 320,
  },
  // Mail, chat and workflow add 13 KB, most of it texts.
  { name: 'all areas', entry: '/src/main.tsx', modules: [...files, ...others], kilobytes: 375 },
] as const

/** Pages and what they load beside all areas: the maximum size in KB, and their code, which is no part of a first load. */
const addedPages = [
  {
    name: 'the chat page',
    modules: ['/src/talk/page/talk-page.tsx'],
    kilobytes: 90,
    code: /\/src\/talk\/(?:page|windows)\//,
  },
  {
    name: 'the page of phones',
    modules: ['/src/mobile/mobile.tsx', '/src/mobile/offline/start.ts'],
    kilobytes: 200,
    code: /\/src\/mobile\/(?!area\.|texts\.)/,
  },
] as const

/** How many files a browser loads in parallel over HTTP/1.1. Further files wait for another round trip. */
const fetchedAtOnce = 6

/** Never part of a first load. */
const later =
  /\/(?:pdfjs-dist|zod|@codemirror|prosemirror-[a-z]+|numfmt|fflate|@tiptap|echarts|docx-preview|@fortune-sheet|@griffel)\/|\/src\/viewing\/.*-viewer/

export const firstLoad: Plugin = {
  name: 'first-load',
  // Other builds include the gallery, and React's development checks.
  apply: (_config, { command, mode }) => command === 'build' && mode === 'production',
  generateBundle(_options, bundle) {
    const cycle = cycleOf(bundle)
    // The order in which such chunks are evaluated depends on the network.
    if (cycle !== undefined) this.error(`these chunks import each other: ${cycle.join(' → ')}`)
    for (const { name, entry, modules, kilobytes } of routes) {
      const files = reached(bundle, entry, modules)
      const weight = [...files].reduce((sum, file) => sum + weigh(bundle, file), 0) / 1024
      const line = `first load of ${name}: ${weight.toFixed(1)} KB of script, at most ${kilobytes}, in ${files.size} files, at most ${fetchedAtOnce}`
      if (weight > kilobytes || files.size > fetchedAtOnce) this.error(line)
      this.info(line)
    }
    const [main] = routes
    const before = reached(bundle, main.entry, [...files, ...others])
    for (const { name, modules, kilobytes, code } of addedPages) {
      const added = [...reached(bundle, main.entry, [...files, ...others, ...modules])].filter(
        (file) => !before.has(file),
      )
      const weight = added.reduce((sum, file) => sum + weigh(bundle, file), 0) / 1024
      const line = `${name} adds ${weight.toFixed(1)} KB of script, at most ${kilobytes}`
      if (weight > kilobytes) this.error(line)
      this.info(line)
      for (const file of before) {
        const chunk = bundle[file]
        const early = chunk?.type === 'chunk' ? chunk.moduleIds.find((id) => code.test(id)) : undefined
        if (early !== undefined) this.error(`${early} of ${name} is loaded with the other areas`)
      }
    }
  },
}

/** A chain of chunks that import each other, if there is one. */
function cycleOf(bundle: Bundle): readonly string[] | undefined {
  const done = new Set<string>()
  const search = (file: string, chain: readonly string[]): readonly string[] | undefined => {
    if (chain.includes(file)) return [...chain.slice(chain.indexOf(file)), file]
    const chunk = bundle[file]
    if (chunk?.type !== 'chunk' || done.has(file)) return undefined
    for (const imported of chunk.imports) {
      const found = search(imported, [...chain, file])
      if (found !== undefined) return found
    }
    done.add(file)
    return undefined
  }
  for (const file of Object.keys(bundle)) {
    const found = search(file, [])
    if (found !== undefined) return found
  }
  return undefined
}

/** The files of a route: its modules and entry, with all their static imports. */
function reached(bundle: Bundle, entry: string, modules: readonly string[]): Set<string> {
  const files = new Set<string>()
  const add = (file: string): void => {
    const chunk = bundle[file]
    if (chunk?.type !== 'chunk' || files.has(file)) return
    const early = chunk.moduleIds.find((id) => later.test(id))
    if (early !== undefined) throw new Error(`${early} is loaded with the first page`)
    files.add(file)
    for (const imported of chunk.imports) add(imported)
  }
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  for (const chunk of chunks) if (chunk.isEntry && chunk.moduleIds.some((id) => id.endsWith(entry))) add(chunk.fileName)
  for (const module of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))
    if (chunk === undefined) throw new Error(`the build has no ${module}`)
    add(chunk.fileName)
  }
  return files
}

function weigh(bundle: Bundle, file: string): number {
  const chunk = bundle[file]
  return chunk?.type === 'chunk' ? gzipSync(chunk.code, { level: 9 }).length : 0
}
