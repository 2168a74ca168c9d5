import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where the server answers while vite serves the page. */
const api = `http://127.0.0.1:${process.env.PORT ?? 8080}`

/** Puts the value of core/catalogue.ts in its place: the shapes of the calls without their schemas. */
const catalogue: Plugin = {
  name: 'catalogue',
  apply: 'build',
  async load(id) {
    if (!id.endsWith('/src/core/catalogue.ts')) return null
    const { shapes } = await import('./src/core/catalogue.ts')
    return `export const shapes = ${JSON.stringify(shapes)}`
  },
}

export default defineConfig({
  plugins: [react(), catalogue],
  server: {
    proxy: {
      '/services': api,
      '/services2': { target: api, ws: true },
      '/DownloadServlet': api,
      '/DownloadMultiFile': api,
      '/UploadServlet': api,
    },
  },
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    target: ['chrome94', 'firefox94', 'safari15.4'],
    // The polyfill is an inline script; the page's policy allows only the one in index.html.
    modulePreload: { polyfill: false },
  },
})
