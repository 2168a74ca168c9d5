// The address of the virus scanner: the setting of the administrator, or else that of the start of the server.
import type { ClamdAddress } from '../../core/services.ts'
import type { Settings } from '../../core/settings.ts'

export type ScannerAddress = () => Promise<ClamdAddress | undefined>

/** `unix:/path` or `tcp://host:port`; the schema of the setting admits nothing else. */
export function scannerOf(text: string): ClamdAddress | undefined {
  if (text.startsWith('unix:/')) return { path: text.slice('unix:'.length) }
  const url = URL.parse(text)
  return url === null || url.hostname === ''
    ? undefined
    : { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 3310) }
}

export const scannerAddress =
  (settings: Pick<Settings, 'current'>, started: ClamdAddress | undefined): ScannerAddress =>
  async () => {
    const { inner } = await settings.current()
    return scannerOf(inner.scanner_address) ?? started
  }
