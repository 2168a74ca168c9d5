// pdf.js with all its assets from our own origin: the worker, the character maps (without them Chinese text without
// embedded fonts is blank), the standard PDF fonts, and the image decoders.
import { GlobalWorkerOptions, getDocument, type PDFDocumentLoadingTask, PDFWorker } from 'pdfjs-dist'
import { startedPdfWorker, workerUrl } from './pdf-worker.ts'

type Urls = Readonly<Record<string, string>>

const parts = '../../../../../node_modules/pdfjs-dist'
const cMapUrl: Urls = import.meta.glob<string>('../../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
  query: '?url&no-inline',
  eager: true,
  import: 'default',
})
const standardFontDataUrl: Urls = import.meta.glob<string>(
  '../../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
  {
    query: '?url&no-inline',
    eager: true,
    import: 'default',
  },
)
const wasmUrl: Urls = import.meta.glob<string>(
  '../../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg,qcms_bg}.wasm',
  {
    query: '?url&no-inline',
    eager: true,
    import: 'default',
  },
)

const kinds = {
  cMapUrl: { urls: cMapUrl, folder: 'cmaps' },
  standardFontDataUrl: { urls: standardFontDataUrl, folder: 'standard_fonts' },
  wasmUrl: { urls: wasmUrl, folder: 'wasm' },
} as const

/** Finds the files of pdf.js among the built assets, whose names contain a hash. */
class AssetFactory {
  async fetch({ kind, filename }: { kind: keyof typeof kinds; filename: string }): Promise<Uint8Array> {
    const { urls, folder } = kinds[kind]
    const url = urls[`${parts}/${folder}/${filename}`]
    if (url === undefined) throw new Error(`pdf.js asks for ${folder}/${filename}, which is not among the assets`)
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${url} answers ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  }
}

/** Opens a PDF; without `bytes`, pages are loaded by range requests as they are shown. */
export function openPdf(url: string, bytes?: ArrayBuffer): PDFDocumentLoadingTask {
  GlobalWorkerOptions.workerSrc = workerUrl
  const port = startedPdfWorker()
  const task = getDocument({
    ...(port === undefined ? {} : { worker: PDFWorker.create({ port }) }),
    // The worker takes ownership of the buffer, so it gets a copy.
    ...(bytes === undefined ? { url, withCredentials: true } : { data: new Uint8Array(bytes.slice(0)) }),
    useWorkerFetch: false,
    BinaryDataFactory: AssetFactory,
    enableXfa: false,
    disableAutoFetch: true,
    disableStream: true,
  })
  port?.addEventListener('error', () => void task.destroy(), { once: true })
  return task
}
