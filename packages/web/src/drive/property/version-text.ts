// The words of a version, as the server reads them out of it.
import { api } from '../../core/call/api.ts'
import { untilMade } from '../../viewing/rendition/wait-for-rendition.ts'

export interface Section {
  readonly kind: 'whole' | 'page' | 'sheet' | 'slide'
  readonly name: string
  readonly text: string
}

/** Reads the words of a version; waits while they are made, and tells how far that is. */
export async function readWords(
  fileId: number,
  version: number,
  signal: AbortSignal,
  onPercent: (percent: number) => void,
): Promise<readonly Section[]> {
  const ask = () => api.getWordsURL({ fileId, version }, { quiet: true, signal })
  const { url } = await untilMade(ask, signal, ({ percent }) => onPercent(percent))
  onPercent(100)
  const response = await fetch(url, { signal })
  if (!response.ok || response.body === null) throw new Error(`it answers ${response.status}`)
  const text = await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).text()
  return JSON.parse(text) as Section[]
}

/** The lines of a document, each page, sheet or slide by itself. */
export const linesOf = (sections: readonly Section[]): string[] =>
  sections.flatMap(({ text }) => text.split('\n').filter((line) => line.trim() !== ''))
