// PDF files of the server's own texts: a title, and lines in two columns. Written in a process of its own, because
// embedding the font takes a second of computing.
import { Readable } from 'node:stream'
import { runConfined, siblingProgram } from '../core/confined/confined.ts'

/** One line: a label, a text, and whether it begins a section. */
export interface ReportLine {
  readonly label: string
  readonly text: string
  readonly heading?: true
}

/** A document to write. */
export interface Report {
  readonly title: string
  readonly subtitle: string
  readonly lines: readonly ReportLine[]
}

const program = siblingProgram(import.meta.url, 'report-process')
const megabyte = 1024 * 1024

/** Writes a report as PDF. */
export function writeReport(report: Report, signal?: AbortSignal): Promise<Buffer> {
  return runConfined({
    program,
    input: Readable.from([Buffer.from(JSON.stringify(report))], { objectMode: false }),
    limits: { wallMs: 60_000, cpuSeconds: 60, heapMb: 512, otherMb: 512, outputBytes: 50 * megabyte },
    ...(signal !== undefined && { signal }),
  })
}
