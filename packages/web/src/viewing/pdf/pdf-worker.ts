// The pdf.js worker: the larger part of pdf.js, loaded and started before the other part.
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

export { workerUrl }

let started: Worker | undefined

/** Starts the worker that all PDFs of the page share. If it fails, pdf.js starts another one on demand. */
export function startPdfWorker(): void {
  if (started !== undefined) return
  const worker = new Worker(workerUrl, { type: 'module' })
  started = worker
  worker.addEventListener('error', () => {
    if (started === worker) started = undefined
  })
}

export const startedPdfWorker = (): Worker | undefined => started
