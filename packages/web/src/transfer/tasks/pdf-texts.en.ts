// The English texts of downloads as PDF; pdf-texts.zh.ts has the same keys.
import type { pdfZh } from './pdf-texts.zh.ts'

export const pdfEn: Record<keyof typeof pdfZh, string> = {
  'pdf.making': 'Making the PDF, {percent}%',
  'pdf.makingMany': 'Making PDFs, {done} of {n} done',
  'pdf.failed': 'No PDF could be made of “{name}”: {why}',
  'pdf.failedMany': 'No PDF could be made of “{name}” and others, {n} files in all: {why}',
}
