// The start of a text, as much of it as is shown.
import { decodeText, maxPreviewTextBytes } from '@cloudoc/domain'

/** The first megabyte of a text of so many bytes, in the encoding it is in. */
export async function readStart(url: string, size: number, signal?: AbortSignal): Promise<string> {
  const bytes = await fetchStart(url, signal)
  return decodeText(bytes, bytes.length < size).text
}

async function fetchStart(url: string, signal?: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(url, {
    headers: { range: `bytes=0-${maxPreviewTextBytes - 1}` },
    ...(signal && { signal }),
  })
  // An empty file has no range that could be answered.
  if (response.status === 416) return new Uint8Array()
  if (!response.ok || response.body === null) throw new Error(`content answers ${response.status}`)
  const parts: Uint8Array[] = []
  let length = 0
  // A server that ignores the range is not read further than what is shown.
  for await (const part of response.body) {
    parts.push(part)
    length += part.length
    if (length >= maxPreviewTextBytes) break
  }
  const bytes = new Uint8Array(Math.min(length, maxPreviewTextBytes))
  let at = 0
  for (const part of parts) {
    bytes.set(part.subarray(0, bytes.length - at), at)
    at += part.length
  }
  return bytes
}
