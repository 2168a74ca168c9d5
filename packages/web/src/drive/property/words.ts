// The words of a version, as the server reads them out of it.
import { codes } from '@cloudoc/domain'
import { api } from '../../core/call/api.ts'

export interface Section {
  readonly kind: 'whole' | 'page' | 'sheet' | 'slide'
  readonly name: string
  readonly text: string
}

/** Why there are no words to compare. */
export class NoWords extends Error {
  override readonly name = 'NoWords'
}

const [firstLook, lastLook] = [300, 1500]

/** Reads the words of a version; waits while they are made. */
export async function readWords(fileId: number, version: number, signal: AbortSignal): Promise<readonly Section[]> {
  for (let wait = firstLook; ; wait = Math.min(lastLook, wait * 1.5)) {
    const { url, state, msg } = await api.getWordsURL({ fileId, version }, { quiet: true, signal })
    if (state === codes.success.code) {
      const response = await fetch(url, { signal })
      if (!response.ok || response.body === null) throw new NoWords(msg)
      const text = await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).text()
      return JSON.parse(text) as Section[]
    }
    if (state !== codes.converting.code) throw new NoWords(msg)
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, wait)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(new NoWords(''))
      })
    })
  }
}

/** The lines of a document, each page, sheet or slide by itself. */
export const linesOf = (sections: readonly Section[]): string[] =>
  sections.flatMap(({ text }) => text.split('\n').filter((line) => line.trim() !== ''))
