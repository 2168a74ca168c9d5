// Text files: one text type in which a line end is one character. Unusual line ends are marked by an attribute.
import { coeditRoot } from '@cloudoc/contract'
import { commonLineEnd, isText, limits, readText, splitLines, writeText } from '@cloudoc/domain'
import * as Y from 'yjs'
import type { Codec, Encoding } from './codec.ts'

const lineEnds: readonly unknown[] = ['\n', '\r\n', '\r']

interface Piece {
  readonly insert?: unknown
  readonly attributes?: { readonly end?: unknown }
}

export const textCodec: Codec = {
  name: 'text',
  takes: isText,
  // Up to four bytes per character.
  mostBytes: 4 * limits.togetherLength,
  seed: (doc, bytes) => Promise.resolve(seedText(doc, bytes)),
  written(doc, { encoding, hasMark, end: usual }) {
    const pieces = doc.getText(coeditRoot).toDelta() as readonly Piece[]
    const text = pieces.map(({ insert, attributes }) => {
      const end = attributes?.end
      return String(insert).replaceAll('\n', String(lineEnds.includes(end) ? end : usual))
    })
    const bytes = writeText(text.join(''), { encoding: String(encoding), hasMark: hasMark === true })
    return () => Promise.resolve(bytes)
  },
  admits({ content, parent, parentSub }) {
    // An item without a parent inherits the parent of its neighbour.
    if (parentSub !== null || (parent !== null && (parent as unknown) !== coeditRoot)) return false
    if (content instanceof Y.ContentString) return !content.str.includes('\r')
    if (content instanceof Y.ContentFormat)
      return content.key === 'end' && (content.value === null || lineEnds.includes(content.value))
    return content instanceof Y.ContentDeleted
  },
  lengthOf: (doc) => doc.getText(coeditRoot).length,
}

function seedText(doc: Y.Doc, bytes: Uint8Array): Encoding | undefined {
  const { text, encoding, hasMark, isFaithful } = readText(bytes)
  if (!isFaithful) return undefined
  const { lines, ends } = splitLines(text)
  const usual = commonLineEnd(ends)
  const own = doc.getText(coeditRoot)
  if (ends.every((end) => end === usual)) own.insert(0, lines.join('\n'))
  else {
    own.applyDelta(
      lines.flatMap((line, n) => {
        const end = ends[n]
        const pieces: { insert: string; attributes?: object }[] = line === '' ? [] : [{ insert: line }]
        if (end === usual) pieces.push({ insert: '\n' })
        else if (end !== undefined) pieces.push({ insert: '\n', attributes: { end } })
        return pieces
      }),
    )
  }
  return { encoding, hasMark, end: usual }
}
