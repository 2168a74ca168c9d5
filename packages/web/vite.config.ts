import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the server answers while `npm run dev` serves the page. */
const api = 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react()],
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
    // The preload helper would be an inline script for old browsers; the page's policy allows only the one in index.html.
    modulePreload: { polyfill: false },
  },
})
