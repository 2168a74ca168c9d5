// The worker of pdf.js: the larger half of it, which can be fetched and started before the other half is there.
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

export { workerUrl }

let started: Worker | undefined

/** Starts a worker that all PDFs of the page share from then on. One that does not start is started anew by whoever needs it. */
export function startPdfWorker(): void {
  if (started !== undefined) return
  const worker = new Worker(workerUrl, { type: 'module' })
  started = worker
  worker.addEventListener('error', () => {
    if (started === worker) started = undefined
  })
}

export const startedPdfWorker = (): Worker | undefined => started
