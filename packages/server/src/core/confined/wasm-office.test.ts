import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { wasmFolder } from '../../../test/wasm-office.ts'
import { findFonts } from './fonts.ts'
import { createWasmOffice } from './wasm-office.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-wasm-office-test-'))
  await writeFile(join(folder, 'soffice.wasm'), '')
})
afterAll(() => rm(folder, { recursive: true }))

const enough = () => 4096 * 1024 * 1024
const document = () => ({ content: Readable.from([Buffer.from('{\\rtf1 text}')], { objectMode: false }), ext: 'rtf' })

test('LibreOffice in WebAssembly is not started where less than 2 GB of memory are free', async () => {
  const office = createWasmOffice(folder, findFonts(), () => 2047 * 1024 * 1024)
  await expect(office.toPdf(document())).rejects.toMatchObject({ code: 'ended', message: /2 GB/ })
  await office.close()
})

test('a conversion that was killed or has failed leaves its place to the next one', async () => {
  const office = createWasmOffice(folder, findFonts(), enough)
  await writeFile(join(folder, 'soffice.cjs'), 'process.kill(process.pid, "SIGKILL")')
  await expect(office.toPdf(document())).rejects.toMatchObject({ code: 'ended' })
  await writeFile(join(folder, 'soffice.cjs'), 'process.exit(3)')
  await expect(office.toPdf(document())).rejects.toMatchObject({ code: 'ended' })
  await office.close()
  await expect(office.toPdf(document())).rejects.toThrow('the server is ending')
})

test('somebody who waits no longer, or the end of the server, ends a conversion', async () => {
  const office = createWasmOffice(folder, findFonts(), enough)
  await writeFile(join(folder, 'soffice.cjs'), 'setInterval(() => {}, 1000)')
  const leaving = new AbortController()
  const [first, second] = [office.toPdf(document(), leaving.signal), office.toPdf(document())]
  leaving.abort(new Error('nobody waits'))
  await expect(first).rejects.toThrow('nobody waits')
  await Promise.all([office.close(), expect(second).rejects.toThrow('ending')])
})

test('LibreOffice in WebAssembly draws what our own readers show as words only', () => {
  const office = createWasmOffice(folder, findFonts(), enough)
  expect(['doc', 'ppt', 'rtf', 'odt', 'odp', 'docx', 'pptx', 'xlsx'].filter((ext) => office.draws(ext))).toEqual([
    'doc',
    'ppt',
    'rtf',
    'odt',
    'odp',
  ])
})

longTest('LibreOffice in WebAssembly makes a PDF, and shows no file that a document links to', async () => {
  const office = createWasmOffice(await wasmFolder(), findFonts())
  const linked = '{\\rtf1 before {\\field{\\*\\fldinst INCLUDETEXT "file:///etc/passwd"}{\\fldrslt after}}}'
  const content = Readable.from([Buffer.from(linked)], { objectMode: false })
  const pdf = await office.toPdf({ content, ext: 'rtf' })
  await writeFile(join(folder, 'made.pdf'), pdf)
  const { stdout: text } = await promisify(execFile)('pdftotext', [join(folder, 'made.pdf'), '-'])
  expect(text).toContain('before')
  expect(text).not.toContain('root:')
  await office.close()
})
