/*
 * OCR with Tesseract, if it is installed with the data for Chinese, for text in scanned pages and pictures
 * (docs/adr/0134). Each picture has its own process, without a network and within limits of time, processors and
 * memory. It receives pixels rendered by our own readers, never the uploaded bytes.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfinedFailure, startConfined } from './confined.ts'

const mb = 1024 * 1024
const limits = { cpuSeconds: 60, otherMb: 1024, outputBytes: 8 * mb }
const usualWallMs = 90_000

const usualPaths = ['/usr/bin/tesseract', '/usr/local/bin/tesseract', '/opt/homebrew/bin/tesseract']

/**
 * The program that the operator configured, or the installed one. Undefined if there is none or the setting is `none`.
 */
export function findTesseract(named: string | undefined): string | undefined {
  if (named === 'none') return undefined
  return named ?? usualPaths.find((path) => existsSync(path))
}

export interface Ocr {
  /** The text of a picture, line by line. Throws ConfinedFailure if recognition fails. */
  textOf(picture: Buffer, signal?: AbortSignal): Promise<string>
}

/** Tesseract by its program. Undefined if it has no Chinese data. Tests use a short time. */
export function createOcr(program: string, wallMs = usualWallMs): Ocr | undefined {
  const told = spawnSync(program, ['--list-langs'], { encoding: 'utf8', timeout: 10_000 })
  const known = `${told.stdout ?? ''}\n${told.stderr ?? ''}`.split(/\s+/)
  if (!known.includes('chi_sim')) return undefined
  const languages = ['chi_sim', 'chi_tra', 'eng'].filter((one) => known.includes(one)).join('+')

  return {
    async textOf(picture, signal) {
      signal?.throwIfAborted()
      const folder = await mkdtemp(join(tmpdir(), 'cloudoc-ocr-'))
      try {
        await writeFile(join(folder, 'page.png'), picture)
        const env = { HOME: folder, TMPDIR: folder, PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', OMP_THREAD_LIMIT: '1' }
        const args = [join(folder, 'page.png'), join(folder, 'words'), '-l', languages, '--psm', '3']
        const running = startConfined([program, ...args], env, limits)
        const late = setTimeout(() => running.end(), wallMs)
        const onAbort = (): void => running.end()
        signal?.addEventListener('abort', onAbort, { once: true })
        // The signal may have been aborted before the listener was added.
        if (signal?.aborted === true) running.end()
        try {
          await running.ended
        } finally {
          clearTimeout(late)
          signal?.removeEventListener('abort', onAbort)
        }
        signal?.throwIfAborted()
        return closedUp(await readFile(join(folder, 'words.txt'), 'utf8'))
      } catch (error) {
        signal?.throwIfAborted()
        throw new ConfinedFailure('ended', 'Tesseract made nothing of it', { cause: error })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Removes the spaces that Tesseract puts between Chinese characters, so that terms are found across them. */
function closedUp(text: string): string {
  return text.replaceAll(
    /(?<=[\p{Script=Han}，。；：、（）《》“”])[ \t]+(?=[\p{Script=Han}，。；：、（）《》“”])/gu,
    '',
  )
}
