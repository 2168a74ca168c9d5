// What a camera says in a picture that is shown as it is stored. Loaded when somebody asks for it.
import { type PhotoFacts, photoFacts } from '@cloudoc/domain'
import { parse } from 'exifr/dist/lite.esm.mjs'

/** It stands at the beginning of a file. */
const firstBytes = 256 * 1024

/** The facts; undefined where there are none, or the file cannot be read. */
export async function readPhoto(url: string): Promise<PhotoFacts | undefined> {
  const response = await fetch(url, { headers: { range: `bytes=0-${firstBytes - 1}` } })
  if (!response.ok) return undefined
  const start = (await response.arrayBuffer()).slice(0, firstBytes)
  // This build of the library cannot pick tags by their names. Where it was taken is not read.
  const tags: unknown = await parse(start, { gps: false, reviveValues: false }).catch(() => undefined)
  return photoFacts(tags as Readonly<Record<string, unknown>> | undefined)
}
