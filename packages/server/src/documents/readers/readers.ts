// The readers by document kind.
import type { DocumentKind } from '@cloudoc/domain'
import type { Reader } from './reader.ts'

/** Each reader loads its dependencies on demand. */
export const readers: Readonly<Record<DocumentKind, () => Promise<Reader>>> = {
  docx: async () => (await import('./docx.ts')).readDocx,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  pptx: async () => (await import('./pptx.ts')).readPptx,
  odf: async () => (await import('./odf.ts')).readOdf,
  doc: async () => (await import('./doc.ts')).readDoc,
  xls: async () => (await import('./xls.ts')).readXls,
  ppt: async () => (await import('./ppt.ts')).readPpt,
  rtf: async () => (await import('./rtf.ts')).readRtf,
  ofd: async () => (await import('./ofd.ts')).readOfd,
  epub: async () => (await import('./epub.ts')).readEpub,
  pdf: async () => (await import('./pdf.ts')).readPdf,
  markdown: async () => (await import('./markdown.ts')).readMarkdown,
  html: async () => (await import('./html.ts')).readHtmlFile,
  mail: async () => (await import('./mail.ts')).readMail,
  text: async () => (await import('./plain.ts')).readText,
  table: async () => (await import('./plain.ts')).readTable,
  archive: async () => (await import('./archive.ts')).readArchive,
  picture: async () => (await import('./picture.ts')).readPicture,
}
