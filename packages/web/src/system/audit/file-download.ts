// Downloads of the audit log as files.
import type { CallInput, Fields } from '@cloudoc/contract'
import { CallError, rawRequestHeaders, streamUrl } from '../../core/call/api.ts'

type AuditFile = 'exportAudit' | 'downloadAuditArchive'

/** Reads a whole audit stream. Fails in the same way as its call. */
export function fetchFile<N extends AuditFile>(name: N, input: CallInput<N>): Promise<Blob>
export async function fetchFile(name: AuditFile, input: Fields): Promise<Blob> {
  const response = await fetch(streamUrl<AuditFile>(name, input), {
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
