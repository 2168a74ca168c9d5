// Builds what makes the pages below /m installable: their service worker with the list of the files it keeps, and the
// manifest. The server serves them as /m/sw.js and /m/manifest.webmanifest.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

type Bundle = Parameters<Extract<Plugin['generateBundle'], (...all: never[]) => unknown>>[1]
type Chunk = Extract<Bundle[string], { readonly type: 'chunk' }>

/** The modules with which the shell opens, signed in or without a network; with all that they import. */
const shell =
  /\/src\/(?:app\/signed-in|app\/offline\/(?:offline-view|visited-folders)|mobile\/mobile|mobile\/offline\/[\w-]+|viewing\/offline\/offline-viewer|[a-z]+\/area|[a-z]+\/texts\.en)\.tsx?$/
/** What shows kept files: fetched with the shell, which is installed without it. */
const viewers = /\/src\/viewing\/(?:viewers|pdf|rendition|shared)\//

const sizes = [192, 512] as const
const names = { 'manifest.webmanifest': '云文档', 'manifest.en.webmanifest': 'Cloudoc' } as const
/** Of the built-in skin, as the icon. */
const colours = { theme_color: '#1459E6', background_color: '#ffffff' } as const

const isChunk = (one: Bundle[string] | undefined): one is Chunk => one?.type === 'chunk'

/** The files of these chunks and of all that they import statically. */
function filesOf(bundle: Bundle, starts: readonly string[]): Set<string> {
  const found = new Set<string>()
  const waiting = [...starts]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const chunk = bundle[name]
    if (found.has(name) || !isChunk(chunk)) continue
    found.add(name)
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style)
    waiting.push(...chunk.imports)
  }
  return found
}

function chunksWith(bundle: Bundle, modules: RegExp): string[] {
  return Object.entries(bundle).flatMap(([name, one]) =>
    isChunk(one) && one.moduleIds.some((id) => modules.test(id)) ? [name] : [],
  )
}

async function worker(root: string, values: Readonly<Record<string, unknown>>): Promise<string> {
  const define = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]))
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    define: { ...define, [['process', 'env', 'NODE_ENV'].join('.')]: '"production"' },
    build: {
      write: false,
      target: ['chrome94', 'firefox94', 'safari15.4'],
      lib: { entry: 'src/mobile/worker/service-worker.ts', formats: ['iife'], name: 'worker', fileName: 'sw' },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
  const chunk = outputs.find((one) => one.type === 'chunk')
  if (chunk?.type !== 'chunk') throw new Error('the service worker was not built')
  return chunk.code
}

export const offlineShell: Plugin = {
  name: 'offline-shell',
  apply: 'build',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const root = import.meta.dirname
      const icons = await Promise.all(
        sizes.map(async (size) => {
          const source = await readFile(join(root, `src/assets/icon-${size}.png`))
          const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
          const fileName = `assets/icon-${size}-${hash}.png`
          this.emitFile({ type: 'asset', fileName, source })
          return { src: `/${fileName}`, sizes: `${size}x${size}`, type: 'image/png', purpose: 'any' }
        }),
      )
      for (const [fileName, name] of Object.entries(names)) {
        const manifest = {
          id: '/m/index.html',
          ...{ name, short_name: name, start_url: '/m/index.html', scope: '/', display: 'standalone' },
          ...colours,
          icons,
        }
        this.emitFile({ type: 'asset', fileName: `m/${fileName}`, source: JSON.stringify(manifest) })
      }
      const entries = Object.values(bundle).flatMap((one) =>
        isChunk(one) && one.isEntry && one.facadeModuleId?.endsWith('/index.html') ? [one.fileName] : [],
      )
      const needed = filesOf(bundle, [...entries, ...chunksWith(bundle, shell)])
      const workers = Object.keys(bundle).filter((name) => /worker[\w.-]*\.m?js$/.test(name))
      const optional = [...filesOf(bundle, chunksWith(bundle, viewers)), ...workers].filter((name) => !needed.has(name))
      const page = bundle['index.html']
      if (page?.type !== 'asset') this.error('there is no page for the offline shell')
      const buildId = createHash('sha256')
        .update(String(page.source))
        .update([...needed, ...optional].sort().join('\n'))
        .digest('hex')
        .slice(0, 16)
      const shellFiles = [
        { url: '/m/index.html', revision: buildId },
        ...[...needed].map((name) => ({ url: `/${name}`, revision: null })),
      ]
      const optionalFiles = [...new Set(optional)].map((name) => `/${name}`)
      const source = await worker(root, { shellFiles, optionalFiles, buildId })
      this.emitFile({ type: 'asset', fileName: 'm/sw.js', source })
    },
  },
}
