// Reads the camera metadata of an original picture; loaded on demand.
import { type PhotoFacts, photoFacts } from '@cloudoc/domain'
import { parse } from 'exifr/dist/lite.esm.mjs'

/** The metadata is at the start of a file. */
const firstBytes = 256 * 1024

/** Returns the metadata; undefined if there is none, or if the file cannot be read. */
export async function readPhoto(url: string): Promise<PhotoFacts | undefined> {
  const response = await fetch(url, { headers: { range: `bytes=0-${firstBytes - 1}` } })
  if (!response.ok) return undefined
  const start = (await response.arrayBuffer()).slice(0, firstBytes)
  // This build of the library cannot select tags by name. The GPS position is not read.
  const tags: unknown = await parse(start, { gps: false, reviveValues: false }).catch(() => undefined)
  return photoFacts(tags as Readonly<Record<string, unknown>> | undefined)
}
