import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, onTestFinished } from 'vitest'
import { longTest } from '../long-test.ts'
import { ready, signIn } from '../running-server.ts'

const checkout = join(import.meta.dirname, '../..')

longTest(
  'npm run release makes an artefact that starts outside the checkout and lets the administrator sign in',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cloudoc-release-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const made = execFileSync(process.execPath, ['scripts/run.mjs', 'release', folder], {
      cwd: checkout,
      encoding: 'utf8',
    })
    const artefact = made.trim().split('\n').at(-1) ?? ''
    expect(artefact.startsWith(folder)).toBe(true)
    expect(megabytesOf(artefact)).toBeLessThan(400)

    const running = await ready(spawn('npm', ['start', '--', '--port', '0'], { cwd: artefact, stdio: 'pipe' }))
    expect(await signIn(running)).toBe('admin')
    const page = await fetch(running.url)
    expect(await page.text()).toContain('<script type="module"')

    const original = pdf()
    const smaller = execFileSync(process.execPath, [join(artefact, 'compress-pdf-process.mjs')], { input: original })
    expect(smaller.length).toBeLessThan(original.length / 2)
    expect(smaller.toString('latin1')).toContain('/DCTDecode')

    const operator = (command: string, ...args: string[]): string =>
      execFileSync('npm', ['run', command, '--', ...args], { cwd: artefact, encoding: 'utf8' })
    const backups = join(folder, 'backups')
    expect(operator('backup', backups)).toContain('Backup: ')
    expect(operator('fsck')).not.toContain('BROKEN')
    await running.stop()
    expect(operator('restore', backups, '--verify')).toContain('is whole')
    expect(operator('restore', backups, '--data', join(folder, 'restored'))).toContain('Restored: ')
    const restored = await ready(
      spawn('npm', ['start', '--', '--port', '0', '--data', join(folder, 'restored')], {
        cwd: artefact,
        stdio: 'pipe',
      }),
    )
    expect(await signIn({ ...restored, password: running.password })).toBe('admin')
    await restored.stop()
  },
)

/** What the files of a folder have together. */
const megabytesOf = (folder: string): number =>
  Number.parseInt(execFileSync('du', ['-sm', '--apparent-size', folder], { encoding: 'utf8' }), 10)

/** A PDF with a picture that can be compressed further. */
function pdf(): Buffer {
  const pixels = deflateSync(Buffer.from(Array.from({ length: 400 * 400 }, () => 100 + Math.random() * 30)))
  const about = '/Subtype/Image/Width 400/Height 400/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode'
  return Buffer.concat([
    Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n'),
    Buffer.from(`3 0 obj<<${about}/Length ${pixels.length}>>stream\n`),
    pixels,
    Buffer.from('\nendstream endobj\nxref\n0 1\n0000000000 65535 f \ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n'),
  ])
}
