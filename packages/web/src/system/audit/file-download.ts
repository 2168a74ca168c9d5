// Downloads of the audit log as files.
import { CallError, rawRequestHeaders, streamUrl } from '../../core/call/api.ts'

/** Reads a whole audit stream. Fails in the same way as its call. */
export async function fetchFile<N extends 'exportAudit' | 'downloadAuditArchive'>(
  name: N,
  input: Parameters<typeof streamUrl<N>>[1],
): Promise<Blob> {
  const response = await fetch(streamUrl<'exportAudit' | 'downloadAuditArchive'>(name, input), {
    headers: rawRequestHeaders(),
    credentials: 'same-origin',
  })
  if (response.ok && !(response.headers.get('content-type') ?? '').startsWith('application/json'))
    return response.blob()
  const { msg } = (await response.json()) as { msg: string }
  throw new CallError(name, { code: 'http', number: response.status, message: msg, quiet: false })
}

/** Offers a file to the user as a download. */
export function offerDownload(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
