// Word documents for tests.
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { Node } from 'prosemirror-model'
import type { DeltaOp } from '../src/document/coedit-document.ts'
import type { Op } from '../src/document/coedit-pieces.ts'

const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relations = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
/** Builds a Word document with this body. */
export const documentOf = (body: string): Uint8Array =>
  zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    '_rels/.rels': strToU8(
      `${relations}<Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/document.xml': strToU8(`<w:document xmlns:w="${w}"><w:body>${body}</w:body></w:document>`),
    'word/comments.xml': strToU8('<w:comments/>'),
  })

/** The body XML of a document. */
export const bodyOf = (bytes: Uint8Array): string => {
  const main = unzipSync(bytes)['word/document.xml']
  return /<w:body>(.*)<\/w:body>/s.exec(strFromU8(main ?? new Uint8Array()))?.[1] ?? ''
}

export const paragraph = (text: string, more = ''): string =>
  `<w:p w14:paraId="${text}">${more}<w:r><w:t>${text}</w:t></w:r></w:p>`

export const table =
  '<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="1"/></w:tblGrid><w:tr><w:trPr/><w:tc><w:tcPr/><w:p><w:r><w:t>格一</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>格二</w:t></w:r></w:p></w:tc></w:tr></w:tbl>'

/** The position of a text in a document. */
export function placeIn(doc: Node, text: string): number {
  let found = -1
  doc.descendants((node, at) => {
    if (found < 0 && node.isText && node.text?.includes(text) === true) found = at + node.text.indexOf(text)
  })
  if (found < 0) throw new Error(`no ${text}`)
  return found
}

const lengthOf = ({ insert }: Op): number => (typeof insert === 'string' ? insert.length : 1)

/** Applies changes to a sequence; they may extend beyond its end. */
export function applied(ops: readonly Op[], changes: readonly DeltaOp[]): Op[] {
  const made: Op[] = []
  const add = ({ insert, attributes }: Op): void => {
    const last = made.at(-1)
    const looks = attributes !== undefined && Object.keys(attributes).length > 0 ? { attributes } : {}
    if (
      typeof insert === 'string' &&
      typeof last?.insert === 'string' &&
      JSON.stringify(last.attributes ?? {}) === JSON.stringify(attributes ?? {})
    )
      made[made.length - 1] = { ...last, insert: last.insert + insert }
    else if (insert !== '') made.push({ insert, ...looks })
  }
  const rest = [...ops].reverse()
  /** Takes the given length from the start. */
  const take = (places: number, on: (op: Op) => void): void => {
    for (let left = places; left > 0; ) {
      const op = rest.pop()
      if (op === undefined) return
      if (typeof op.insert === 'string' && op.insert.length > left) {
        rest.push({ ...op, insert: op.insert.slice(left) })
        on({ ...op, insert: op.insert.slice(0, left) })
        return
      }
      left -= lengthOf(op)
      on(op)
    }
  }
  for (const { retain, insert, attributes = {}, ...change } of changes) {
    if (insert !== undefined) add({ insert, attributes })
    else if (change.delete !== undefined) take(change.delete, () => undefined)
    else
      take(retain ?? 0, (op) => {
        const looks = Object.entries({ ...op.attributes, ...attributes }).filter(([, value]) => value !== null)
        add({ insert: op.insert, attributes: Object.fromEntries(looks) })
      })
  }
  for (const op of rest.reverse()) add(op)
  return made
}
