import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ready, signIn } from '../running.ts'

const checkout = join(import.meta.dirname, '../..')

test('npm run release makes an artefact that starts outside the checkout and lets the administrator sign in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloudoc-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const made = execFileSync(process.execPath, ['scripts/run.mjs', 'release', folder], {
    cwd: checkout,
    encoding: 'utf8',
  })
  const artefact = made.trim().split('\n').at(-1) ?? ''
  expect(artefact.startsWith(folder)).toBe(true)

  const running = await ready(spawn('npm', ['start', '--', '--port', '0'], { cwd: artefact, stdio: 'pipe' }))
  expect(await signIn(running)).toBe('admin')
  const page = await fetch(running.url)
  expect(await page.text()).toContain('<script type="module"')
  await running.stop()
})
