// A PDF like those of scanners and offices: many pages, rotated, cropped, with pictures and a form.
import { randomBytes } from 'node:crypto'
import { degrees, PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import sharp from 'sharp'

/** Page n contains "sentenceN of page N"; every fiftieth page has a field with "answerN". */
export async function longPdf(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const raw = { width: 800, height: 600, channels: 3 } as const
  const pictures = await Promise.all(
    Array.from({ length: Math.min(pages, 40) }, async () =>
      document.embedJpg(
        await sharp(randomBytes(800 * 600 * 3), { raw })
          .jpeg()
          .toBuffer(),
      ),
    ),
  )
  const form = document.getForm()
  for (let n = 0; n < pages; n += 1) {
    const page = document.addPage(n % 7 === 0 ? [842, 1191] : [595, 842])
    page.setRotation(degrees((n % 4) * 90))
    if (n % 5 === 0) page.setCropBox(40, 50, 480, 700)
    const drawn = pictures[n % pictures.length]
    if (drawn !== undefined) page.drawImage(drawn, { x: 60, y: 400, width: 300, height: 225 })
    page.drawText(`sentence${n} of page ${n}`, { x: 60, y: 300, size: 12, font })
    if (n % 50 === 0) {
      const field = form.createTextField(`field${n}`)
      field.setText(`answer${n}`)
      field.addToPage(page, { x: 60, y: 200, width: 200, height: 20 })
    }
  }
  return document.save()
}
