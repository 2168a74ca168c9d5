// The text of a version, as extracted by the server.
import type { ItemRecord } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { waitForRendition } from '../../viewing/rendition/wait-for-rendition.ts'

export interface TextSection {
  readonly kind: 'whole' | 'page' | 'sheet' | 'slide'
  readonly name: string
  readonly text: string
}

/** Reads the text of a version. Waits for the extraction and reports its progress. */
export async function readVersionText(
  file: Pick<ItemRecord, 'serverId' | 'fId'>,
  version: number,
  signal: AbortSignal,
  onPercent: (percent: number) => void,
): Promise<readonly TextSection[]> {
  const ask = () => api.of(file).getWordsURL({ fileId: file.fId, version }, { quiet: true, signal })
  const { url } = await waitForRendition(ask, signal, ({ percent }) => onPercent(percent))
  onPercent(100)
  const response = await fetch(url, { signal })
  if (!response.ok || response.body === null) throw new Error(`it answers ${response.status}`)
  const text = await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).text()
  return JSON.parse(text) as TextSection[]
}

/** Returns the lines of a document, separately for each page, sheet or slide. */
export const textLines = (sections: readonly TextSection[]): string[] =>
  sections.flatMap(({ text }) => text.split('\n').filter((line) => line.trim() !== ''))
