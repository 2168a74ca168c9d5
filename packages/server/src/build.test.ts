import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import about from '../package.json' with { type: 'json' }
import { buildOf } from './build.ts'

test('a build is named by the newest tag and its commit; outside a checkout by package.json', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-build-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder })
  const commit = () => git('commit', '-q', '--allow-empty', '-m', 'x')
  expect(buildOf(folder)).toEqual({ version: about.version, commit: 'unknown' })
  git('init', '-q')
  await writeFile(join(folder, 'a'), '1')
  git('add', 'a')
  commit()
  const first = buildOf(folder)
  expect(first).toEqual({ version: about.version, commit: expect.stringMatching(/^[\da-f]{12}$/) as string })
  git('tag', 'v1.4.0')
  expect(buildOf(folder)).toEqual({ version: '1.4.0', commit: first.commit })
  commit()
  await writeFile(join(folder, 'a'), '2')
  expect(buildOf(folder)).toEqual({
    version: expect.stringMatching(/^1\.4\.0-1-g[\da-f]+$/) as string,
    commit: expect.stringMatching(/^[\da-f]{12}-dirty$/) as string,
  })
})
