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

  const operator = (command: string, ...args: string[]): string =>
    execFileSync('npm', ['run', command, '--', ...args], { cwd: artefact, encoding: 'utf8' })
  const backups = join(folder, 'backups')
  expect(operator('backup', backups)).toContain('Backup: ')
  expect(operator('fsck')).not.toContain('BROKEN')
  await running.stop()
  expect(operator('restore', backups, '--verify')).toContain('is whole')
  expect(operator('restore', backups, '--data', join(folder, 'restored'))).toContain('Restored: ')
  const restored = await ready(
    spawn('npm', ['start', '--', '--port', '0', '--data', join(folder, 'restored')], { cwd: artefact, stdio: 'pipe' }),
  )
  expect(await signIn({ ...restored, password: running.password })).toBe('admin')
  await restored.stop()
})
