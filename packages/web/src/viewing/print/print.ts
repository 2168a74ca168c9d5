/*
 * Prints the preview of a file through a hidden frame: pages as pictures, and text content as rendered on the screen. Of
 * office documents the pages of LibreOffice are printed where the server has it, whatever the preview shows.
 * The server sends the original content in a form that no frame can display ([R201]).
 */
import type { Pages } from '@cloudoc/contract'
import { extNameOf } from '@cloudoc/domain'
import type { PDFPageProxy } from 'pdfjs-dist'
import { api, type OnServer, refusal } from '../../core/call/api.ts'
import { madePages } from '../rendition/made-pages.ts'
import type { PreviewAddress } from '../rendition/preview-addresses.ts'
import { type OpenRendition, openRendition } from '../rendition/rendition.ts'
import { waitForRendition } from '../rendition/wait-for-rendition.ts'
import { previewKind } from '../shared/preview-kind.ts'
import { drawWatermark, watermarkStyle } from '../watermark/watermark.tsx'

/** Print pixels per PDF point: 150 dpi. */
const dots = 150 / 72
const sheets = `@page { margin: 0 } html, body { margin: 0 }
body > img { display: block; width: 100vw; height: 100vh; object-fit: contain; break-after: page }
body > img:last-of-type { break-after: auto }`

interface Printed extends OnServer {
  readonly fId: number
  readonly fName: string
  readonly fileSize: number
  /** The version, if not the newest. */
  readonly version?: number
}

/** Prints a file; resolves when the print dialog is open. */
export async function printFile(file: Printed): Promise<void> {
  const { fId: fileId, fName, fileSize, version } = file
  const address =
    version === undefined
      ? await api.of(file).getDocumentPreviewURL({ fileId })
      : await api.of(file).getDocumentPreviewURLVersion({ fileId, version })
  if (address.secure) throw refusal('getDocumentPreviewURL', 'noPermission')
  const { url, form, previewKey, watermark } = address
  await printPreview({
    ...{ url, fName, fileSize, watermark, isMade: form === 'rendition' },
    whenMade: () => waitForRendition(() => api.of(file).getPreviewStatus({ previewKey }), new AbortController().signal),
    pages: () => madePages(file, Number(previewKey.split('-')[1])),
  })
}

/** The previewed content: the original file or a rendition. */
interface PrintablePreview extends Pick<PreviewAddress, 'url' | 'watermark'> {
  readonly fName: string
  readonly fileSize: number
  readonly isMade: boolean
  readonly whenMade: () => Promise<unknown>
  /** The address of the pages that LibreOffice makes of it; undefined if it makes none. */
  readonly pages?: () => Promise<string | undefined>
  /** Called when there is something to print. */
  readonly before?: () => Promise<unknown>
}

/** Prints a content with its watermark on every page; resolves when the print dialog is open. */
export async function printPreview(shown: PrintablePreview): Promise<void> {
  const { fName, watermark } = shown
  const content = await contentOf(shown)
  try {
    await shown.before?.()
  } catch (error) {
    content.close()
    throw error
  }
  const frame = document.createElement('iframe')
  frame.title = fName
  frame.setAttribute('style', 'position: fixed; width: 0; height: 0; border: 0; visibility: hidden')
  document.body.append(frame)
  const [inside, page] = [frame.contentWindow, frame.contentDocument]
  const end = (): void => {
    frame.remove()
    content.close()
  }
  if (inside === null || page === null) return end()
  page.title = fName
  try {
    await content.fill(page)
    const mark = watermark === null ? undefined : await drawWatermark(watermark)
    if (mark !== undefined && watermark !== null) {
      // A fixed element repeats on every page.
      const over = page.createElement('div')
      over.setAttribute('style', watermarkStyle(mark, watermark).replace('absolute', 'fixed'))
      page.body.append(over)
    }
    await Promise.all([...page.images].map((picture) => picture.decode()))
  } catch (error) {
    end()
    throw error
  }
  inside.addEventListener('afterprint', end)
  inside.print()
}

/** The content to print. */
interface PrintedDocument {
  readonly fill: (page: Document) => Promise<void> | void
  readonly close: () => void
}

async function contentOf({
  url,
  fName,
  fileSize,
  isMade,
  whenMade,
  pages,
}: PrintablePreview): Promise<PrintedDocument> {
  if (!isMade) {
    const ext = extNameOf(fName).toLowerCase()
    const kind = previewKind(ext)
    if (kind === 'image') return pictures([url])
    if (kind === 'pdf') return pictures(await pagesOf(url))
    const [{ printableText }, { readStart }] = await Promise.all([
      import('./print-layout.tsx'),
      import('../rendition/start-of-text.ts'),
    ])
    const { text } = (await readStart(url, fileSize))()
    return { fill: (page) => printableText(page, text, ext), close: () => {} }
  }
  await whenMade()
  const rendition = await openRendition(url)
  const { body, address, close } = rendition
  if (body.kind === 'picture') return pictures([await address(body.part)])
  if (body.kind === 'pdf') return pictures(await pagesOf(await address(body.part)))
  if (body.kind === 'pages') return pagePictures(rendition, body)
  const set = await pages?.()
  if (set !== undefined) {
    close()
    const made = await openRendition(set)
    if (made.body.kind === 'pages') return pagePictures(made, made.body)
    made.close()
  }
  const { printableRendition } = await import('./print-layout.tsx')
  return { fill: (page) => printableRendition(page, rendition), close }
}

async function pagePictures({ address, close }: OpenRendition, { pages }: Pages): Promise<PrintedDocument> {
  const { fill } = pictures(await Promise.all(pages.map(({ part }) => address(part))))
  return { fill, close }
}

/** One picture per page. */
function pictures(urls: readonly string[]): PrintedDocument {
  return {
    fill(page) {
      const style = page.createElement('style')
      style.textContent = sheets
      page.head.append(style)
      page.body.append(...urls.map((src) => Object.assign(page.createElement('img'), { src, alt: '' })))
    },
    close() {
      for (const one of urls) URL.revokeObjectURL(one)
    },
  }
}

async function pagesOf(url: string): Promise<string[]> {
  const { openPdf } = await import('../pdf/pdf.ts')
  const task = openPdf(url)
  try {
    const document = await task.promise
    const urls: string[] = []
    for (let n = 1; n <= document.numPages; n += 1) urls.push(await pictureOf(await document.getPage(n)))
    return urls
  } finally {
    void task.destroy()
  }
}

async function pictureOf(page: PDFPageProxy): Promise<string> {
  const viewport = page.getViewport({ scale: dots })
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  await page.render({ canvas, viewport, intent: 'print' }).promise
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob === null) throw new Error('a page could not be drawn')
  return URL.createObjectURL(blob)
}
