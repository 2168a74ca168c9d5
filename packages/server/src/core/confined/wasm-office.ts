/*
 * LibreOffice compiled to WebAssembly, an optional package with nothing to install beside it, where no LibreOffice is
 * installed (docs/adr/0300). Each document has its own confined process, so that none can affect the next. One document
 * is converted at a time, and only while the machine has memory to spare.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { documentKind } from '@cloudoc/domain'
import { createSemaphore } from '../semaphore.ts'
import { ConfinedFailure, runConfined, siblingProgram } from './confined.ts'
import type { Fonts } from './fonts.ts'
import type { Office } from './office.ts'

const mb = 1024 * 1024
/** The process holds 1.1 GB when started, up to 1.6 GB with a document. */
const leastFree = 2048 * mb
const limits = { wallMs: 120_000, cpuSeconds: 120, heapMb: 512, otherMb: 4096, outputBytes: 300 * mb }

const packageName = '@matbee/libreoffice-converter'

/** The folder of the WebAssembly build, if its package is installed and the setting for LibreOffice is not `none`. */
export function findWasmOffice(named: string | undefined): string | undefined {
  if (named === 'none') return undefined
  try {
    const folder = join(createRequire(import.meta.url).resolve(`${packageName}/package.json`), '../wasm')
    return existsSync(join(folder, 'soffice.wasm')) ? folder : undefined
  } catch {
    return undefined
  }
}

/**
 * LibreOffice by the folder of its WebAssembly build. Previews show its pages only of formats of which our own readers
 * show words and pictures; of the others they are sooner. Tests say how much memory is available.
 */
export function createWasmOffice(
  folder: string,
  fonts: Fonts,
  available: () => number = () => process.availableMemory(),
): Office {
  const one = createSemaphore(1)
  const closing = new AbortController()
  return {
    kind: 'wasm',
    draws: (ext) => ['doc', 'ppt', 'rtf', 'odf'].includes(documentKind(ext) ?? ''),
    async toPdf({ content, ext }, signal) {
      const ended = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
      if (!(await one.acquire(ended))) throw ended.reason
      try {
        if (available() < leastFree) throw new ConfinedFailure('ended', 'less than 2 GB of memory are free')
        return await runConfined({
          program: siblingProgram(import.meta.url, 'wasm-office-process'),
          args: [folder, JSON.stringify(fonts), ext],
          input: content,
          limits,
          threads: true,
          signal: ended,
          isAwaited: true,
        })
      } catch (error) {
        ended.throwIfAborted()
        throw error
      } finally {
        one.release()
      }
    },
    async close() {
      closing.abort(new ConfinedFailure('ended', 'the server is ending'))
    },
  }
}
