/*
 * Writes a watermark into one document, in a process of its own (core/confined/confined.ts). The input is the length of
 * the task in four bytes, the task as JSON, and the document. The output is that of document-process.ts.
 */
import { buffer } from 'node:stream/consumers'
import type { Watermark } from '@cloudoc/contract'
import { type Refusal, Refused } from './refusal.ts'

/** The task: what to make, from what, with which watermark. */
export interface ToBeMarked {
  readonly make: 'copy' | 'rendition'
  readonly ext: string
  readonly mark: Watermark
}

const progress = (share: number): void => void process.stderr.write(`${Math.round(share * 1000)}\n`)

async function marked({ make, ext, mark }: ToBeMarked, bytes: Buffer): Promise<Uint8Array> {
  if (make === 'rendition') return (await import('./marks/rendition.ts')).markRendition(bytes, mark, progress)
  switch (ext) {
    case 'pdf':
      return (await import('./marks/pdf.ts')).markPdf(bytes, mark, progress)
    case 'docx':
    case 'xlsx':
    case 'pptx':
      return (await import('./marks/office.ts')).markOffice(bytes, ext, mark)
    case 'png':
    case 'jpg':
    case 'jpeg':
    case 'webp':
      return (await import('./marks/picture.ts')).markPicture(bytes, mark)
    default:
      throw new Refused('conversionUnsupported')
  }
}

async function answer(): Promise<Buffer> {
  try {
    const whole = await buffer(process.stdin)
    const end = 4 + whole.readUInt32LE(0)
    const asked = JSON.parse(whole.subarray(4, end).toString()) as ToBeMarked
    return Buffer.concat([Buffer.of(0), await marked(asked, whole.subarray(end))])
  } catch (error) {
    const code: Refusal = error instanceof Refused ? error.code : 'conversionFailed'
    const message = error instanceof Error ? error.message : ''
    return Buffer.concat([Buffer.of(1), Buffer.from(JSON.stringify({ code, message: message.slice(0, 200) }))])
  }
}

const bytes = await answer()
process.stdout.write(bytes, () => process.exit(0))
