// The pages of office documents as LibreOffice sets them, for printing and comparing.
import { extNameOf, isOfficeDocument } from '@cloudoc/domain'
import { api, type OnServer } from '../../core/call/api.ts'
import { sessionStore } from '../../core/session/session.ts'
import { RenditionFailed, waitForRendition } from './wait-for-rendition.ts'

interface Paged extends OnServer {
  readonly fId: number
  readonly fName: string
}

/** Whether the server sets files with this name in pages, or the file has some. */
export function hasMadePages(name: string): boolean {
  const ext = extNameOf(name).toLowerCase()
  const makesPages = sessionStore.getState().session?.serverSetting.makes_pdf === true
  return ext === 'pdf' || (makesPages && isOfficeDocument(ext))
}

/** Waits for the pages of a version; returns their address. Throws `RenditionFailed` if they cannot be made. */
export async function pagesAddress(
  file: Paged,
  version: number,
  signal: AbortSignal,
  onPercent?: (percent: number) => void,
): Promise<string> {
  const ask = () => api.of(file).getPagesURL({ fileId: file.fId, version }, { quiet: true, signal })
  return (await waitForRendition(ask, signal, ({ percent }) => onPercent?.(percent))).url
}

/** The address of the pages of a version, if the server can make them. */
export async function madePages(file: Paged, version: number): Promise<string | undefined> {
  if (!hasMadePages(file.fName)) return undefined
  try {
    return await pagesAddress(file, version, new AbortController().signal)
  } catch (error) {
    if (error instanceof RenditionFailed) return undefined
    throw error
  }
}
