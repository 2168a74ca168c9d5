// Where the worker of pdf.js is: the larger half of it, which can be fetched before the other half is there.
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

export { workerUrl }

/** Fetches the worker into what the browser keeps, where it is found when it is started. */
export async function fetchPdfWorker(): Promise<void> {
  await (await fetch(workerUrl)).arrayBuffer()
}
