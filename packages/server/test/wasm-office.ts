// LibreOffice in WebAssembly, for tests: the optional package, installed beside what the repository installs, once.
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The folder of its build. */
export async function wasmFolder(): Promise<string> {
  const place = join(import.meta.dirname, '../../../node_modules/.cache/wasm-office')
  await mkdir(place, { recursive: true })
  const wanted = '@matbee/libreoffice-converter@2.7.2'
  await promisify(execFile)('npm', ['install', '--prefix', place, '--ignore-scripts', '--no-audit', wanted])
  return join(place, 'node_modules/@matbee/libreoffice-converter/wasm')
}
