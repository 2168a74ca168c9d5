import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { codeSplitting } from './code-splitting.ts'
import { firstLoad } from './first-load.ts'

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** Modules that the build replaces by their values, so that what they are made of, the schemas, is no part of a page. */
const valued = /\/src\/core\/(?:call\/(?:catalogue|catalogue-rest)|session\/default-setting)\.ts$/

const values: Plugin = {
  name: 'values',
  apply: 'build',
  async load(id) {
    if (!valued.test(id)) return null
    const exported = (await import(pathToFileURL(id).href)) as Readonly<Record<string, unknown>>
    return Object.entries(exported)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
      .join('\n')
  },
}

/** Writes each text of the build compressed beside itself: the server sends what the browser takes, and never compresses. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const texts = Object.keys(bundle).filter((name) => name.startsWith('assets/') && /\.(?:js|mjs|css|svg)$/.test(name))
    await Promise.all(
      texts.map(async (name) => {
        const bytes = await readFile(join(dir, name))
        if (bytes.length < 1024) return
        await writeFile(
          join(dir, `${name}.br`),
          await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
        )
        await writeFile(join(dir, `${name}.gz`), await deflate(bytes, { level: 9 }))
      }),
    )
  },
}

/**
 * The icons' own styles are two lines (core/theme/base.css); the library that writes them while the page runs stays out. Icons are
 * made by the other maker of the same package, which knows no styles.
 */
const plainIcons: Plugin = {
  name: 'plain-icons',
  enforce: 'pre',
  apply: 'build',
  resolveId(source, importer) {
    const from = /^(.*\/@fluentui\/react-icons\/lib)\/(?!headless)/.exec(importer ?? '')
    const isMaker = source.endsWith('/utils/createFluentIcon.js')
    return from !== null && isMaker ? `${from[1]}/headless/createFluentIcon.js` : null
  },
}

/** While developing, addresses of links are the visitor's page, as the server has them. */
const visits: Plugin = {
  name: 'visits',
  apply: 'serve',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (/^\/s\/[^/?]+([/?]|$)/.test(request.url ?? '')) request.url = '/visit.html'
      next()
    })
  },
}

export default defineConfig({
  plugins: [react(), values, plainIcons, compressed, firstLoad, visits],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    // The product, and the page of those who come by a link, which is small and has nothing of it.
    rolldownOptions: {
      input: ['index.html', 'visit.html'],
      output: { codeSplitting: codeSplitting(import.meta.dirname) },
    },
    target: ['chrome94', 'firefox94', 'safari15.4'],
    // The polyfill is an inline script; the page's policy allows only the one in index.html.
    modulePreload: { polyfill: false },
    // First-load weighs what counts; the reader of PDF alone is larger than vite likes, and comes when one is opened.
    chunkSizeWarningLimit: 600,
  },
})
