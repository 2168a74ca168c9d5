// Bundles the control program with all it needs into one file, which runs on any Node of a user's computer.
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './platform.mjs'

/** Writes the program to a file. */
export async function bundleControl(outfile) {
  await build({
    entryPoints: [join(root, 'packages/control/src/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    logLevel: 'warning',
    // Optional accelerators of ws, which it does without; ws is CommonJS and needs `require`.
    external: ['bufferutil', 'utf-8-validate'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
}
