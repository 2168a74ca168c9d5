/*
 * Matches texts in worker threads, one text at a time each. Small and large texts have a thread of their own, so that a
 * large one, or a costly expression, delays no small one. A thread that takes too long is ended and started anew.
 */
import { hkdfSync } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { siblingProgram } from '../../core/confined/confined.ts'
import type { Secrets } from '../../core/secrets.ts'
import type { MatchAnswer, MatchRequest } from './detect-worker.ts'
import type { Finding, RuleToMatch, TextToMatch } from './matcher.ts'

/** Maximum time of one text. */
export const longestMatchMs = 60_000
/** Memory of a thread in megabytes. */
const heapMb = 256
/** Texts with at most so many characters are small. */
export const mostSmall = 32_768

const program = siblingProgram(import.meta.url, 'detect-worker')

/** The text took too long, or too much memory. */
export class MatchTimeout extends Error {
  override name = 'MatchTimeout'
}

/** Rules as one set: equal sets have equal names. */
export interface RuleSet {
  readonly name: string
  readonly rules: readonly RuleToMatch[]
}

export interface Detector {
  /** What the rules find in a text, and the milliseconds that it took. */
  match(
    set: RuleSet,
    sections: readonly TextToMatch[],
    how?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<{ readonly findings: readonly Finding[]; readonly ms: number }>
  close(): Promise<void>
}

/** The key of the hashes of found values. */
export const hashKey = ({ signingKey }: Pick<Secrets, 'signingKey'>): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', signingKey, '', 'sensitive values', 32))

/** One thread, and the texts that wait for it. */
class Lane {
  readonly #key: Uint8Array
  #worker: Worker | undefined
  #known = ''
  #last: Promise<unknown> = Promise.resolve()

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** Runs one text after those that wait already. */
  match(set: RuleSet, request: MatchRequest, timeoutMs: number, signal?: AbortSignal): Promise<MatchAnswer> {
    const mine = this.#last.then(() => {
      signal?.throwIfAborted()
      return this.#run(set, request, timeoutMs, signal)
    })
    this.#last = mine.catch(() => {})
    return mine
  }

  #run(set: RuleSet, request: MatchRequest, timeoutMs: number, signal?: AbortSignal): Promise<MatchAnswer> {
    const worker = (this.#worker ??= this.#start())
    return new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        clearTimeout(timer)
        worker.off('message', take)
        worker.off('error', end)
        worker.off('exit', exited)
        signal?.removeEventListener('abort', aborted)
        if (error === undefined) return
        this.#stop()
        reject(error)
      }
      const take = (answer: MatchAnswer): void => {
        end()
        resolve(answer)
      }
      const exited = (): void => end(new MatchTimeout('the thread has ended'))
      const aborted = (): void => end(signal?.reason as Error)
      const timer = setTimeout(() => end(new MatchTimeout('it takes too long')), timeoutMs)
      worker.once('message', take)
      worker.once('error', end)
      worker.once('exit', exited)
      signal?.addEventListener('abort', aborted, { once: true })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread of this process, not a window
      worker.postMessage(this.#known === set.name ? request : { ...request, rules: set.rules })
      this.#known = set.name
    })
  }

  #start(): Worker {
    this.#known = ''
    const worker = new Worker(program, {
      workerData: { key: this.#key },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    worker.unref()
    // Without a listener an error of an idle thread would end the server.
    worker.on('error', () => {})
    return worker
  }

  #stop(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}

/** Starts no thread before the first text. */
export function createDetector(secrets: Pick<Secrets, 'signingKey'>, now: () => number): Detector {
  const key = hashKey(secrets)
  const [small, large] = [new Lane(key), new Lane(key)]
  return {
    async match(set, sections, { timeoutMs = longestMatchMs, signal } = {}) {
      const letters = sections.reduce((sum, { text }) => sum + text.length, 0)
      const lane = letters <= mostSmall ? small : large
      const answer = await lane.match(set, { sections, today: now() }, timeoutMs, signal)
      if ('error' in answer) throw new Error(answer.error)
      return answer
    },
    async close() {
      await Promise.all([small.close(), large.close()])
    },
  }
}
