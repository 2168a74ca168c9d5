// What electron-builder packs: every file that its configuration names is there, or is made by the release.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cloudLinkExt, encryptedExt, localSchemes } from '@cloudoc/domain'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..')
const json = async (path: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(folder, path), 'utf8')) as Record<string, unknown>

/** Every path of a file in the configuration. */
function pathsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return ['from', 'icon'].includes(key) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => pathsIn(one, Array.isArray(value) ? key : name))
}

test('the files that the installers of the desktop client contain are there', async () => {
  const config = await json('electron-builder.json')
  const paths = [...new Set(pathsIn(config))]
  expect(paths).toEqual(['build/offline.html', 'build/icon.png'])
  for (const path of paths) expect(existsSync(join(folder, path)), path).toBe(true)
  // Installers for macOS need 512 pixels; width and height are at the 16th and 20th byte of a PNG.
  const icon = await readFile(join(folder, 'build/icon.png'))
  expect(Math.min(icon.readUInt32BE(16), icon.readUInt32BE(20))).toBeGreaterThanOrEqual(512)
  // The release makes the others.
  const bundles = await readFile(join(folder, '../../scripts/client-bundles.mjs'), 'utf8')
  for (const file of config['files'] as string[]) expect(bundles, file).toContain(file)
})

test('[R131] [R132] [R362] the installers register the addresses and files that the client opens', async () => {
  const { protocols, fileAssociations } = await json('electron-builder.json')
  expect(protocols).toEqual([{ name: 'cloudoc', schemes: Object.values(localSchemes) }])
  expect((fileAssociations as { ext: string }[]).map(({ ext }) => ext)).toEqual([cloudLinkExt, encryptedExt])
})
