import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { longTest } from '../long-test.ts'
import { ready, signIn } from '../running-server.ts'

const checkout = join(import.meta.dirname, '../..')
const left = /^\/(?:\.git|data|release|bench-results)$|\/node_modules$/

longTest('the server starts with what npm ci --omit=dev installs, and serves the page that was built', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloudoc-production-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(checkout, folder, { recursive: true, filter: (path) => !left.test(path.slice(checkout.length)) })
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'pipe',
  })
  for (const tool of ['vitest', 'vite', 'typescript', 'oxlint']) {
    expect(existsSync(join(folder, 'node_modules', tool)), tool).toBe(false)
  }

  const platform = pathToFileURL(join(folder, 'scripts/platform.mjs')).href
  const { innerNode } = (await import(platform)) as { innerNode: () => string }
  const args = ['packages/server/src/main.ts', '--port', '0', '--data', join(folder, 'data'), '--demo']
  const running = await ready(spawn(innerNode(), args, { cwd: folder, stdio: 'pipe' }))
  expect(await signIn(running)).toBe('admin')
  const page = await fetch(running.url)
  expect(await page.text()).toContain('<script type="module"')
  expect(await running.stop()).toBe(0)
})
