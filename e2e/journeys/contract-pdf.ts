// A PDF of two pages, for journeys.

/** The bytes of a small contract. */
export function contractPdf(): Buffer {
  const page = (n: number, content: number): string =>
    `${n} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Resources << /Font << /F 7 0 R >> >> >>\nendobj\n`
  const words = (n: number, text: string): string => {
    const stream = `BT /F 18 Tf 60 760 Td (${text}) Tj ET`
    return `${n} 0 obj\n<< /Length ${stream.length} >>\nstream\n${stream}\nendstream\nendobj\n`
  }
  const objects = [
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>\nendobj\n',
    page(3, 5),
    page(4, 6),
    words(5, 'Purchase contract'),
    words(6, 'Signatures'),
    '7 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object) => {
    const at = text.length
    text += object
    return at
  })
  const xref = text.length
  const lines = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 8\n0000000000 65535 f \n${lines}trailer\n<< /Size 8 /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
