// Pictures, links and breaks inserted into a document: the file contains everything they need, and deleting them leaves
// no trace.
import { strFromU8, unzipSync } from 'fflate'
import type { Node } from 'prosemirror-model'
import { expect, it } from 'vitest'
import { bodyOf, documentOf } from '../../test/documents.ts'
import { openDocument, withDocumentDraft } from './document.ts'
import { addressOf, linkAttrs, pageBreak, pictureAttrs, withPictureSize } from './insertions.ts'

const bytes = documentOf('<w:p><w:r><w:t>前</w:t></w:r></w:p>')
const dot = 'data:image/png;base64,iVBORw0KGgo='

// [R171] Pictures, links and page breaks are inserted into a document with their parts and relationships; removing them
// leaves nothing behind.
it('[R171] a picture and a link are parts and relations of the package, by a draft as well; taken out, nothing of them is left', () => {
  const document = openDocument(bytes)
  const { schema, doc } = document
  const link = schema.mark('wrap', linkAttrs('https://example.com/?a=1&b="2"'))
  const inside: Node[] = [
    schema.node('kept', pictureAttrs(dot, 40, 30)),
    schema.text('去看', [link]),
    schema.node('kept', pageBreak),
    schema.node('kept', pictureAttrs(dot, 40, 30)),
  ]
  const now = doc.copy(doc.content.addToEnd(schema.node('paragraph', {}, inside)))
  const made = document.bytes(now)
  const parts = unzipSync(made)
  const media = Object.keys(parts).filter((name) => name.startsWith('word/media/'))
  // The same picture is stored once.
  expect(media).toEqual([expect.stringMatching(/^word\/media\/cd[0-9a-f]{16}\.png$/)])
  expect(Buffer.from(parts[media[0] ?? ''] ?? []).toString('base64')).toBe('iVBORw0KGgo=')
  const relations = strFromU8(parts['word/_rels/document.xml.rels'] ?? new Uint8Array())
  expect(relations.match(/<Relationship\s/g)).toHaveLength(2)
  expect(relations).toContain('Target="https://example.com/?a=1&amp;b=&quot;2&quot;" TargetMode="External"')
  expect(strFromU8(parts['[Content_Types].xml'] ?? new Uint8Array())).toContain('<Default Extension="png"')
  expect(bodyOf(made)).toMatch(/^<w:p><w:r><w:t>前<\/w:t><\/w:r><\/w:p><w:p><w:r><w:drawing>.*<w:br w:type="page"\/>/s)

  const again = openDocument(made)
  const found: unknown[] = []
  again.doc.descendants(({ type, attrs, marks: [mark] }) => {
    if (type.name === 'kept') found.push(attrs['kind'], attrs['width'])
    if (mark?.type.name === 'wrap') found.push(mark.attrs['href'])
  })
  expect(found).toEqual(['picture', 40, 'https://example.com/?a=1&b="2"', 'break', 0, 'picture', 40])
  again.close()

  const draft = document.written(now)
  expect(unzipSync(withDocumentDraft(bytes, draft))).toEqual(parts)
  const drafted = openDocument(bytes, draft)
  expect(unzipSync(drafted.bytes(drafted.doc))).toEqual(parts)
  drafted.close()
  expect(document.bytes(doc)).toBe(bytes)
})

it('a picture takes on another size where the file says it once', () => {
  const attrs = pictureAttrs(dot, 40, 30)
  const made = withPictureSize(attrs, 80, 60)
  expect(String(made?.['xml']).match(/cx="762000" cy="571500"/g)).toHaveLength(2)
  expect([made?.['width'], made?.['height']]).toEqual([80, 60])
  expect(withPictureSize({ ...attrs, xml: `${String(attrs['xml'])}${String(attrs['xml'])}` }, 80, 60)).toBeUndefined()
})

it('a link leads to a page or a mail address, and nowhere else', () => {
  expect(
    ['https://a.cn/x', ' www.a.cn ', 'a.cn:80/x', 'lin@a.cn', 'mailto:lin@a.cn'].map((text) => addressOf(text)),
  ).toEqual(['https://a.cn/x', 'https://www.a.cn', 'https://a.cn:80/x', 'mailto:lin@a.cn', 'mailto:lin@a.cn'])
  for (const text of ['', 'a', 'javascript:alert(1)', 'file:///etc/passwd', 'https://a b', 'data:text/html,x'])
    expect(addressOf(text)).toBeUndefined()
})
