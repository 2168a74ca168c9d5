// The thread that matches texts against rules. The server ends it when a text takes too long (detector.ts).
import { parentPort, workerData } from 'node:worker_threads'
import { createMatcher, type Finding, type RuleToMatch, type TextToMatch } from './matcher.ts'

/** A request: the rules only if they have changed since the last one. */
export interface MatchRequest {
  readonly rules?: readonly RuleToMatch[]
  readonly sections: readonly TextToMatch[]
  /** Milliseconds since 1970: no birthday is later. */
  readonly today: number
}

/** The answer to a request. */
export type MatchAnswer = { readonly findings: readonly Finding[]; readonly ms: number } | { readonly error: string }

const { key } = workerData as { readonly key: Uint8Array }
let match: ReturnType<typeof createMatcher> | undefined

parentPort?.on('message', ({ rules, sections, today }: MatchRequest) => {
  const begun = performance.now()
  try {
    if (rules !== undefined) match = createMatcher(rules, key)
    const findings = match?.(sections, new Date(today)) ?? []
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread of this process, not a window
    parentPort?.postMessage({ findings, ms: performance.now() - begun } satisfies MatchAnswer)
  } catch (error) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread of this process, not a window
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) } satisfies MatchAnswer)
  }
})
