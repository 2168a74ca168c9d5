// Word documents: one text type of characters and pieces, plus the packed original content.
import { coeditBase, coeditRoot } from '@cloudoc/contract'
import { maxEditedOfficeBytes } from '@cloudoc/domain'
import { isPiece, isPieceAttribute, type Op } from '@cloudoc/office/document'
import * as Y from 'yjs'
import type { Codec } from './codec.ts'
import { readDocument, writeOffice } from './office-files.ts'

const lengths = new WeakMap<Y.Doc, { all: number }>()
const packed = (doc: Y.Doc): unknown => doc.getMap(coeditBase).get(coeditBase)

function lengthOfItem({ content }: Y.Item): number {
  if (content instanceof Y.ContentString) return content.str.length
  if (content instanceof Y.ContentEmbed) return 1 + JSON.stringify(content.embed).length
  return content instanceof Y.ContentFormat ? JSON.stringify(content.value).length : 0
}

export const docCodec: Codec = {
  name: 'doc',
  takes: (ext) => ext === 'docx' || ext === 'docm',
  mostBytes: maxEditedOfficeBytes,
  async seed(doc, bytes) {
    const read = await readDocument(bytes)
    if (read === undefined) return undefined
    doc.getMap(coeditBase).set(coeditBase, read.beginning)
    doc.getText(coeditRoot).applyDelta([...read.ops])
    return {}
  },
  written(doc) {
    const ops = doc.getText(coeditRoot).toDelta() as Op[]
    const beginning = Buffer.from(packed(doc) as Uint8Array).toString('base64')
    return async ({ content }) => writeOffice({ kind: 'doc', beginning, ops }, await content())
  },
  admits({ content, parent, parentSub }) {
    if (parentSub !== null || (parent !== null && (parent as unknown) !== coeditRoot)) return false
    if (content instanceof Y.ContentString || content instanceof Y.ContentDeleted) return true
    if (content instanceof Y.ContentFormat) return isPieceAttribute(content.key, content.value)
    return content instanceof Y.ContentEmbed && isPiece(content.embed)
  },
  isSound: (doc) => packed(doc) instanceof Uint8Array,
  lengthOf(doc) {
    const found = lengths.get(doc)
    if (found !== undefined) return found.all
    const text = doc.getText(coeditRoot)
    const length = { all: 0 }
    for (const { insert, attributes } of text.toDelta() as readonly Op[]) {
      length.all += typeof insert === 'string' ? insert.length : 1 + JSON.stringify(insert).length
      if (attributes !== undefined) length.all += JSON.stringify(attributes).length
    }
    text.observe(({ changes }) => {
      for (const item of changes.added) length.all += lengthOfItem(item)
      for (const item of changes.deleted) length.all -= lengthOfItem(item)
    })
    lengths.set(doc, length)
    return length.all
  },
}
