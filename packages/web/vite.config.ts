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

/** Where the icons are, one in a line (tools/icons.ts), and what makes a component of one. */
const iconsFile = join(import.meta.dirname, 'src/kit/icons.ts')
const iconMaker = join(import.meta.dirname, 'src/kit/icon.tsx')

/** Makes a module of each icon. Otherwise a page that shows one icon would load all icons of the product. */
const singleIcons: Plugin = {
  name: 'single-icons',
  enforce: 'pre',
  apply: 'build',
  transform(code) {
    if (!code.includes("/icons.ts'")) return null
    return code.replace(/^import \{([^}]*)\} from '(?:\.\/|(?:\.\.\/)+kit\/)icons\.ts'$/gm, (_all, list: string) =>
      list
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => `import { ${name} } from 'icon:${name}'`)
        .join(';'),
    )
  },
  resolveId: (id) => (id.startsWith('icon:') ? `\0${id}` : null),
  async load(id) {
    if (!id.startsWith('\0icon:')) return null
    const name = id.slice('\0icon:'.length)
    const [, made] =
      new RegExp(`^export const ${name} = (icon\\(.*\\))$`, 'm').exec(await readFile(iconsFile, 'utf8')) ?? []
    if (made === undefined) throw new Error(`there is no icon ${name}: run node tools/icons.ts`)
    return `import { icon } from ${JSON.stringify(iconMaker)}\nexport const ${name} = /*#__PURE__*/ ${made}`
  },
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
