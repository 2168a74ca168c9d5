/*
 * LibreOffice, if it is installed, for what our own readers cannot determine: the page breaks of a document and the
 * layout of its pages. Each document has its own process, which is started in advance: no document can affect the next,
 * and nobody waits for a start. The process has no network, runs no macros, and must not load what a document links to
 * (docs/adr/0124).
 */
import { randomBytes } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { ConfinedFailure, type Running, startConfined } from './confined.ts'
import { fontConfiguration } from './font-rules.ts'
import type { Fonts } from './fonts.ts'
import { officeSettings } from './office-settings.ts'

const mb = 1024 * 1024
const limits = { cpuSeconds: 120, otherMb: 1536, outputBytes: 300 * mb }
const usualTimes = { startMs: 30_000, wallMs: 120_000 }
const pollEveryMs = 25
/** An idle process is ended after this time to release its memory. */
const idleMs = 10 * 60_000

const usualPaths = [
  '/usr/bin/soffice',
  '/usr/local/bin/soffice',
  '/usr/lib/libreoffice/program/soffice',
  '/opt/libreoffice/program/soffice',
  '/Applications/LibreOffice.app/Contents/MacOS/soffice',
]

/**
 * The program that the operator configured, or the installed one. Undefined if there is none, or if the setting is
 * `none` or `wasm` (wasm-office.ts).
 */
export function findOffice(named: string | undefined): string | undefined {
  if (named === 'none' || named === 'wasm') return undefined
  return named ?? usualPaths.find((path) => existsSync(path))
}

/** A process that waits for a document. */
interface Waiting {
  readonly folder: string
  readonly running: Running
  /** Resolves once the process can accept a document. */
  readonly ready: Promise<void>
  /** Sends the process another command. */
  readonly assign: (args: readonly string[]) => Running
  /** Resolves when the process and everything it left are gone. */
  end(): Promise<void>
}

/** What makes pages of office documents: the installed LibreOffice, or its WebAssembly build (wasm-office.ts). */
export interface Office {
  readonly kind: 'installed' | 'wasm'
  /** Whether previews show its pages of such files. PDF is made of every office document. */
  draws(ext: string): boolean
  /** Converts a document to PDF, by its extension. Throws ConfinedFailure if the conversion fails. */
  toPdf(document: { readonly content: Readable; readonly ext: string }, signal?: AbortSignal): Promise<Buffer>
  /** Ends the waiting process. */
  close(): Promise<void>
}

/**
 * LibreOffice by its program `soffice`. Faces that the machine lacks are replaced by those of `fonts`. Tests use short
 * times.
 */
export function createOffice(program: string, { startMs, wallMs } = usualTimes, fonts?: Fonts): Office {
  let next: Promise<Waiting> | undefined
  let idle: NodeJS.Timeout | undefined
  let closed = false

  const letGo = async (): Promise<void> => {
    const waiting = next
    next = undefined
    clearTimeout(idle)
    await (await waiting?.catch(() => undefined))?.end()
  }
  const prepare = (): void => {
    if (closed) return
    next ??= start(program, startMs, fonts)
    next.catch(() => {})
    clearTimeout(idle)
    idle = setTimeout(() => void letGo(), idleMs).unref()
  }
  const take = (): Promise<Waiting> => {
    const taken = next ?? start(program, startMs, fonts)
    next = undefined
    return taken
  }

  return {
    kind: 'installed',
    draws: () => true,
    async toPdf({ content, ext }, signal) {
      const waiting = await take()
      const onAbort = (): void => waiting.running.end()
      signal?.addEventListener('abort', onAbort, { once: true })
      let isLate = false
      let isKilled = false
      const late = setTimeout(() => {
        isLate = true
        waiting.running.end()
      }, wallMs)
      try {
        const path = join(waiting.folder, `document.${ext.toLowerCase()}`)
        await pipeline(content, createWriteStream(path), { signal })
        await waiting.ready
        const told = waiting.assign(['--convert-to', 'pdf', '--outdir', join(waiting.folder, 'made'), path])
        // The process ends by itself once it has nothing more to do.
        ;({ isKilled } = await waiting.running.ended)
        told.end()
        await told.ended
        signal?.throwIfAborted()
        return await readFile(join(waiting.folder, 'made/document.pdf'))
      } catch (error) {
        signal?.throwIfAborted()
        const isAgain = isKilled && !isLate
        throw new ConfinedFailure('ended', 'LibreOffice made nothing of it', { cause: error, isKilled: isAgain })
      } finally {
        clearTimeout(late)
        signal?.removeEventListener('abort', onAbort)
        await waiting.end()
        prepare()
      }
    },
    async close() {
      closed = true
      await letGo()
    },
  }
}

async function start(program: string, startMs: number, fonts: Fonts | undefined): Promise<Waiting> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-office-'))
  await mkdir(join(folder, 'profile/user'), { recursive: true })
  await writeFile(join(folder, 'profile/user/registrymodifications.xcu'), officeSettings())
  const rules = join(folder, 'fonts.conf')
  if (fonts !== undefined) await writeFile(rules, fontConfiguration(fonts))
  const env = {
    ...{ HOME: folder, TMPDIR: folder, PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
    ...(fonts !== undefined && { FONTCONFIG_FILE: rules }),
  }
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`
  const run = (args: readonly string[]): Running =>
    startConfined([program, '--headless', '--norestore', '--nologo', '--nolockcheck', profile, ...args], env, limits)
  // The existence of its pipe shows from outside that the process accepts commands.
  const name = `cloudoc-${randomBytes(8).toString('hex')}`
  const running = run(['--nodefault', `--accept=pipe,name=${name};urp`])
  const pipes = [process.getuid?.() ?? 0, 0].map((uid) => `/tmp/OSL_PIPE_${uid}_${name}`)
  let hasEnded = false
  void running.ended.then(() => {
    hasEnded = true
  })
  const waits = async (): Promise<void> => {
    for (const until = performance.now() + startMs; performance.now() < until; ) {
      if (pipes.some((path) => existsSync(path))) return
      if (hasEnded) break
      await delay(pollEveryMs, undefined, { ref: false })
    }
    throw new ConfinedFailure('ended', 'LibreOffice does not start')
  }
  const ready = waits()
  ready.catch(() => {})
  return {
    folder,
    running,
    ready,
    assign: run,
    async end() {
      running.end()
      await running.ended
      await Promise.all([folder, ...pipes].map((path) => rm(path, { recursive: true, force: true })))
    },
  }
}
