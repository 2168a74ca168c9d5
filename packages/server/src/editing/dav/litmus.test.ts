// WebDAV as litmus, the test suite of the neon library, sees it.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()

test.each(['basic', 'copymove', 'props', 'locks', 'http'])('litmus finds nothing wrong with %s', async (suite) => {
  const anna = await world.person(`litmus${suite}`)
  await anna.folder(anna.library, 'disk')
  const { token } = await anna.call('createMyProgram', { kind: 'app', name: 'litmus', write: true, days: 1 })
  const { list } = await anna.call('getRootFolderSetting', {})
  const library = list.find(({ fId }) => fId === anna.library)?.fName ?? ''
  const url = `http://127.0.0.1:${await world.port()}/dav/${encodeURIComponent(library)}/disk/`
  // litmus writes a log of its requests where it is started.
  const folder = await mkdtemp(join(tmpdir(), 'litmus-'))
  try {
    const { stdout } = await promisify(execFile)('env', [`TESTS=${suite}`, 'litmus', url, anna.account, token], {
      cwd: folder,
    }).catch((error: Error & { stdout?: string }) => ({ stdout: error.stdout ?? error.message }))
    const lines = stdout.split(/[\r\n]+/)
    expect(
      lines.filter((line) => /FAIL|WARNING/.test(line)),
      stdout,
    ).toEqual([])
    expect(stdout).toMatch(/100\.0%/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
