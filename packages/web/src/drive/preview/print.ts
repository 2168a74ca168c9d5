/*
 * Prints a picture or a PDF through a frame that nobody sees, page by page as pictures: the content itself is sent so that
 * no frame shows it ([R201]).
 */
import { extNameOf } from '@cloudoc/domain'
import type { PDFPageProxy } from 'pdfjs-dist'
import { api, refusal } from '../../core/call/api.ts'
import { previewKind } from './preview-kind.ts'
import { openRendition } from './rendition.ts'
import { untilMade } from './until-made.ts'
import { drawMark, markStyle } from './watermark.tsx'

/** Dots of paper for one PDF point: 150 to the inch. */
const dots = 150 / 72
const sheets = `@page { margin: 0 } html, body { margin: 0 }
img { display: block; width: 100vw; height: 100vh; object-fit: contain; break-after: page }
img:last-child { break-after: auto }`

/** Whether a file of this name can be printed here. */
export function isPrintable(name: string): boolean {
  const kind = previewKind(extNameOf(name))
  return kind === 'pdf' || kind === 'image'
}

/** Hands a file to the browser's print dialog; comes when that has been opened. */
export async function printFile(file: { readonly fId: number; readonly fName: string }): Promise<void> {
  const { url, form, previewKey, secure, watermark } = await api.getDocumentPreviewURL({ fileId: file.fId })
  if (secure) throw refusal('getDocumentPreviewURL', 'noPermission')
  const urls =
    form === 'rendition'
      ? await madeOf(url, previewKey)
      : previewKind(extNameOf(file.fName)) === 'pdf'
        ? await pagesOf(url)
        : [url]
  const frame = document.createElement('iframe')
  frame.title = file.fName
  frame.setAttribute('style', 'position: fixed; width: 0; height: 0; border: 0; visibility: hidden')
  document.body.append(frame)
  const [inside, page] = [frame.contentWindow, frame.contentDocument]
  const end = (): void => {
    frame.remove()
    for (const one of urls) URL.revokeObjectURL(one)
  }
  if (inside === null || page === null) return end()
  const style = page.createElement('style')
  style.textContent = sheets
  page.title = file.fName
  page.head.append(style)
  try {
    const pictures = urls.map((src) => Object.assign(page.createElement('img'), { src, alt: '' }))
    page.body.append(...pictures)
    const mark = watermark === null ? undefined : await drawMark(watermark)
    if (mark !== undefined && watermark !== null) {
      // Fixed, it stands on every sheet.
      const over = page.createElement('div')
      over.setAttribute('style', markStyle(mark, watermark).replace('absolute', 'fixed'))
      page.body.append(over)
    }
    await Promise.all(pictures.map((picture) => picture.decode()))
  } catch (error) {
    end()
    throw error
  }
  inside.addEventListener('afterprint', end)
  inside.print()
}

/** The pages or the picture that the server has made of it, for whoever may not have the file itself. */
async function madeOf(url: string, previewKey: string): Promise<string[]> {
  await untilMade(() => api.getPreviewStatus({ previewKey }), new AbortController().signal)
  const { body, address } = await openRendition(url)
  if (body.kind === 'picture') return [await address(body.part)]
  return body.kind === 'pages' ? Promise.all(body.pages.map(({ part }) => address(part))) : []
}

async function pagesOf(url: string): Promise<string[]> {
  const { openPdf } = await import('./pdf.ts')
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
