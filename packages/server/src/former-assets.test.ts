// The files of former releases of the page stay where a page finds them that was opened before an update.
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWorld } from '../test/harness.ts'
import { formerAssets, keepAssets } from './former-assets.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'former-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** The built page of a release, whose script and shared style these are. */
async function releaseOf(name: string): Promise<string> {
  const web = join(folder, name)
  await mkdir(join(web, 'assets'), { recursive: true })
  await writeFile(join(web, 'index.html'), `<script type="module" src="/assets/${name}.js"></script>`)
  await writeFile(join(web, 'visit.html'), '')
  await writeFile(join(web, 'assets', `${name}.js`), `// ${name}`)
  await writeFile(join(web, 'assets', 'shared.css'), 'a{}')
  return web
}

test('the files of the two former releases are served, older ones are gone, and a missing file is 404', async () => {
  const kept = join(folder, 'kept')
  const releases = ['r1', 'r2', 'r3', 'r4']
  for (const [n, name] of releases.entries()) {
    await keepAssets(join(await releaseOf(name), 'assets'), kept)
    // Installed one after another.
    for (const one of await readdir(kept)) {
      const [script = ''] = (await readdir(join(kept, one))).filter((file) => file.endsWith('.js'))
      const at = new Date(1_700_000_000_000 + releases.indexOf(script.slice(0, 2)) * 1000)
      await utimes(join(kept, one), at, at)
    }
    expect(await readdir(kept)).toHaveLength(Math.min(n + 1, 3))
  }
  const webDir = join(folder, 'r4')
  const former = await formerAssets(join(webDir, 'assets'), kept)
  expect(former).toHaveLength(2)
  // The running release again: nothing is dropped.
  await keepAssets(join(webDir, 'assets'), kept)
  expect(await formerAssets(join(webDir, 'assets'), kept)).toEqual(former)

  const world = await openWorld({ elected: false, webDir, formerAssets: former })
  const ask = async (name: string) => {
    const { statusCode, headers, payload } = await world.app.http.inject({ method: 'GET', url: `/assets/${name}` })
    return { status: statusCode, cache: headers['cache-control'], text: payload }
  }
  for (const name of ['r2', 'r3', 'r4'])
    expect(await ask(`${name}.js`)).toEqual({
      status: 200,
      cache: 'public, max-age=31536000, immutable',
      text: `// ${name}`,
    })
  for (const name of ['r1.js', 'never.js', 'r4.js/x', '..%2findex.html']) {
    const { status, cache, text } = await ask(name)
    expect([name, status, cache]).toEqual([name, 404, 'no-store'])
    expect(text).not.toContain('<script')
  }
})

test('what a process left unfinished is gone with the next release, and a failure leaves nothing', async () => {
  const kept = join(folder, 'kept')
  const [old, current] = [join(kept, 'making-old'), join(kept, 'making-now')]
  for (const path of [old, current]) await mkdir(path, { recursive: true })
  await utimes(old, new Date(0), new Date(0))
  const assets = join(await releaseOf('r1'), 'assets')
  // A folder is no file that can be kept.
  await mkdir(join(assets, 'broken.js'))
  await expect(keepAssets(assets, kept)).rejects.toThrow()
  expect(await readdir(kept)).toEqual(['making-now'])
  await rm(join(assets, 'broken.js'), { recursive: true })
  await Promise.all([keepAssets(assets, kept), keepAssets(assets, kept)])
  expect((await readdir(kept)).filter((name) => !name.startsWith('making-'))).toHaveLength(1)
  expect((await readdir(kept)).filter((name) => name.startsWith('making-'))).toEqual(['making-now'])
})
