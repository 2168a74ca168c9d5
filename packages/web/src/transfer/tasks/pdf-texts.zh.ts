// The Chinese texts of downloads as PDF, which are loaded with them; pdf-texts.en.ts has the same keys.
export const pdfZh = {
  'pdf.making': '正在生成 PDF，{percent}%',
  'pdf.makingMany': '正在生成 PDF，已完成 {done} / {n} 个',
  'pdf.failed': '“{name}”没有生成 PDF：{why}',
  'pdf.failedMany': '“{name}”等 {n} 个文件没有生成 PDF：{why}',
} as const
