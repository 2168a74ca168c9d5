// Presentations: one text type for each text frame, by the name of the frame.
import { maxEditedOfficeBytes } from '@cloudoc/domain'
import { type FrameWords, frameKey, frameNameOf } from '@cloudoc/office/presentation'
import * as Y from 'yjs'
import type { Codec } from './codec.ts'
import { readFrames, writeOffice } from './office-files.ts'

/** The words of the frames that somebody has written into, and of those of the beginning. */
export function frameWordsOf(doc: Y.Doc): FrameWords[] {
  return [...doc.share.keys()].flatMap((key) => {
    const name = frameNameOf(key)
    return name === undefined ? [] : [[name, doc.getText(key).toJSON()] as const]
  })
}

export const slidesCodec: Codec = {
  name: 'slides',
  takes: (ext) => ext === 'pptx' || ext === 'pptm',
  mostBytes: maxEditedOfficeBytes,
  async seed(doc, bytes) {
    const frames = await readFrames(bytes)
    if (frames === undefined) return undefined
    doc.transact(() => {
      for (const [name, words] of frames) if (words !== '') doc.getText(frameKey(name)).insert(0, words)
    })
    return {}
  },
  written(doc) {
    const words = frameWordsOf(doc)
    return async ({ content }) => writeOffice({ kind: 'slides', words }, await content())
  },
  admits({ content, parent, parentSub }) {
    // An item without a parent inherits the parent of its neighbour.
    const isFrame = parent === null || (typeof parent === 'string' && frameNameOf(parent) !== undefined)
    if (parentSub !== null || !isFrame) return false
    return content instanceof Y.ContentDeleted || (content instanceof Y.ContentString && !content.str.includes('\r'))
  },
  lengthOf(doc) {
    let length = 0
    for (const key of doc.share.keys()) length += key.length + doc.getText(key).length
    return length
  },
}
