// The words of a version, as the server reads them out of it.
import { api } from '../../core/call/api.ts'
import { untilMade } from '../preview/until-made.ts'

export interface Section {
  readonly kind: 'whole' | 'page' | 'sheet' | 'slide'
  readonly name: string
  readonly text: string
}

/** Reads the words of a version; waits while they are made. */
export async function readWords(fileId: number, version: number, signal: AbortSignal): Promise<readonly Section[]> {
  const { url } = await untilMade(() => api.getWordsURL({ fileId, version }, { quiet: true, signal }), signal)
  const response = await fetch(url, { signal })
  if (!response.ok || response.body === null) throw new Error(`it answers ${response.status}`)
  const text = await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).text()
  return JSON.parse(text) as Section[]
}

/** The lines of a document, each page, sheet or slide by itself. */
export const linesOf = (sections: readonly Section[]): string[] =>
  sections.flatMap(({ text }) => text.split('\n').filter((line) => line.trim() !== ''))
