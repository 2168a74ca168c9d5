// Word documents for tests.
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'

const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relations = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
/** A Word document with a body. */
export const documentOf = (body: string): Uint8Array =>
  zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    '_rels/.rels': strToU8(
      `${relations}<Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/document.xml': strToU8(`<w:document xmlns:w="${w}"><w:body>${body}</w:body></w:document>`),
    'word/comments.xml': strToU8('<w:comments/>'),
  })

/** The body of one. */
export const bodyOf = (bytes: Uint8Array): string => {
  const main = unzipSync(bytes)['word/document.xml']
  return /<w:body>(.*)<\/w:body>/s.exec(strFromU8(main ?? new Uint8Array()))?.[1] ?? ''
}
