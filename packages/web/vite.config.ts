import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { codeSplitting } from './code-splitting.ts'
import { firstLoad } from './first-load.ts'
import { offlineShell } from './offline-shell.ts'

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** Modules the build replaces by their values, so that their sources (the schemas) are not part of a page. */
const valued =
  /\/src\/(?:core\/(?:call\/(?:catalogue|catalogue-rest|catalogue-administration)|session\/default-setting)|system\/audit\/call-titles)\.ts$/

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

/**
 * Writes a compressed copy next to each text file of the build. The server sends the encoding the browser accepts, and
 * never compresses itself.
 */
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
 * Imports each icon from its own module. The modules of the package hold hundreds of icons, and a page that shows one
 * would load all that the product uses of them. The headless variant injects no styles at run time; the two lines of
 * CSS that the icons need are in core/theme/base.css.
 */
const singleIcons: Plugin = {
  name: 'single-icons',
  enforce: 'pre',
  apply: 'build',
  transform(code) {
    if (!code.includes("'@fluentui/react-icons'")) return null
    return code.replace(/import \{([^}]*)\} from '@fluentui\/react-icons'/g, (_all, list: string) =>
      list
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => `import { ${name} } from '@fluentui/react-icons/headless/svg/${iconModule(name)}'`)
        .join(';'),
    )
  },
}

/** `ArrowUp20Regular` is in the module `arrow-up`. */
function iconModule(name: string): string {
  return name
    .replace(/\d*(?:Regular|Filled|Color|Light)$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replace(/([A-Za-z])(\d)/g, '$1-$2')
    .toLowerCase()
}

/** In development, link addresses serve the visitor's page, as on the server. */
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
  plugins: [react(), values, singleIcons, compressed, firstLoad, offlineShell, visits],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    // The product, and the small separate page for visitors of external links.
    rolldownOptions: {
      input: ['index.html', 'visit.html'],
      output: { codeSplitting: codeSplitting(import.meta.dirname) },
    },
    target: ['chrome94', 'firefox94', 'safari15.4'],
    // The polyfill is an inline script; the content security policy permits only the one in index.html.
    modulePreload: { polyfill: false },
    // The first-load plugin checks the relevant sizes. The PDF viewer alone exceeds Vite's limit, and is loaded only
    // when a PDF is opened.
    chunkSizeWarningLimit: 600,
  },
})
