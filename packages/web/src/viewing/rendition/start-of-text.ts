// Reads the start of a text, as much as is shown.
import { type DecodedText, decodeText, maxPreviewTextBytes, type TextEncodingName } from '@cloudoc/domain'

/** Decodes the start of a text in an encoding, the detected one by default. */
export type DecodeStart = (encoding?: TextEncodingName) => DecodedText

/** Reads the first megabyte of a text of `size` bytes. */
export async function readStart(url: string, size: number, signal?: AbortSignal): Promise<DecodeStart> {
  const bytes = await fetchStart(url, signal)
  return (encoding) => decodeText(bytes, bytes.length < size, encoding)
}

async function fetchStart(url: string, signal?: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(url, {
    headers: { range: `bytes=0-${maxPreviewTextBytes - 1}` },
    ...(signal && { signal }),
  })
  // An empty file has no satisfiable range.
  if (response.status === 416) return new Uint8Array()
  if (!response.ok || response.body === null) throw new Error(`content answers ${response.status}`)
  const parts: Uint8Array[] = []
  let length = 0
  // If the server ignores the range, reading stops at the limit.
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
