// Bundles the programs of people's computers: the control program into one file that runs on any Node, and the desktop
// client into the folder that electron-builder packs (packages/shell/electron-builder.json).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './platform.mjs'

const common = { bundle: true, platform: 'node', target: 'node22', logLevel: 'warning' }
// Optional accelerators of ws, which it does without; ws is CommonJS and needs `require`.
const withWs = {
  external: ['electron', 'bufferutil', 'utf-8-validate'],
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
}

/** Writes the control program to a file. */
export async function bundleControl(outfile) {
  const entryPoints = [join(root, 'packages/control/src/main.ts')]
  await build({ ...common, ...withWs, entryPoints, outfile, format: 'esm' })
}

/** Writes the desktop client into a folder: the main process, the preload script, and their manifest. */
export async function bundleShell(folder) {
  const source = join(root, 'packages/shell/src')
  const main = { entryPoints: [join(source, 'main.ts')], outfile: join(folder, 'main.mjs'), format: 'esm' }
  await build({ ...common, ...withWs, ...main })
  // A sandboxed preload script has no modules.
  const preload = { entryPoints: [join(source, 'preload.ts')], outfile: join(folder, 'preload.cjs'), format: 'cjs' }
  await build({ ...common, ...preload, external: ['electron'] })
  const { name, version, description, author, license } = JSON.parse(
    readFileSync(join(root, 'packages/shell/package.json'), 'utf8'),
  )
  const manifest = { name, version, description, author, license, main: 'main.mjs' }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
