/*
 * A Word document that several people write in, as one row of characters and pieces: what stands in a paragraph and then its
 * end, a table's beginning and its end. So a paragraph that is split or joined is a piece more or less, and what others
 * write there meanwhile stays. This is what such a row may hold; what it means is read by `shared-document.ts`.
 */
import { treeOf } from './xml.ts'

/** A kind of node, or of mark, and what is said of it. */
export type NodeSpec = readonly [name: string, attrs: Readonly<Record<string, unknown>>]
/** The number of what the document began with, or spelled out. */
export type NodeRef = number | NodeSpec

export type Piece =
  | { readonly end: NodeRef }
  | { readonly leaf: NodeRef }
  | { readonly open: NodeRef }
  | { readonly close: string }

/** What a mark is, by its kind; and what a piece is by now, by `as`. */
export type PieceAttributes = Readonly<Record<string, unknown>>

/** Characters that look alike, or a piece. */
export interface Op {
  readonly insert: string | Piece
  readonly attributes?: PieceAttributes
}

/** What is said of a piece that has become another of its kind. */
export const replacedAs = 'as'

const longest = 200_000
/** What is written into a document as it stands, beside what holds elements. */
const raw = new Set(['xml', 'pPr', 'rPr', 'sect', 'trPr', 'tcPr'])
const isName = (value: unknown): value is string => typeof value === 'string' && /^[a-zA-Z]{1,40}$/.test(value)

/** XML that a document can take in, in one piece or as a beginning and an end. */
function isWhole(xml: string): boolean {
  if (/&(?!(?:\w+|#\d+|#x[\da-fA-F]+);)/.test(xml)) return false
  try {
    treeOf(xml)
    return true
  } catch {
    return false
  }
}

function isNodeSpec(attrs: unknown): attrs is NodeSpec[1] {
  if (typeof attrs !== 'object' || attrs === null || Array.isArray(attrs)) return false
  const said = attrs as Record<string, unknown>
  for (const [name, value] of Object.entries(said)) {
    const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value)
    if (!isName(name) || !isPlain) return false
    if (typeof value !== 'string' || value === '' || name === 'close') continue
    if (!value.includes('<') && raw.has(name)) return false
    const end = name === 'open' && typeof said['close'] === 'string' ? said['close'] : ''
    if (value.includes('<') && !isWhole(value + end)) return false
  }
  return JSON.stringify(said).length <= longest
}

function isNodeRef(value: unknown): value is NodeRef {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0
  return Array.isArray(value) && value.length === 2 && isName(value[0]) && isNodeSpec(value[1])
}

/** Whether such a piece can stand in a document. */
export function isPiece(value: unknown): value is Piece {
  if (typeof value !== 'object' || value === null) return false
  const [[kind, named] = [], ...more] = Object.entries(value)
  if (more.length > 0) return false
  return kind === 'close' ? isName(named) : (kind === 'end' || kind === 'leaf' || kind === 'open') && isNodeRef(named)
}

/** Whether characters can look like that, or a piece can be that. */
export function isPieceAttribute(name: string, value: unknown): boolean {
  if (!isName(name)) return false
  if (value === null) return true
  return name === replacedAs ? isNodeRef(value) : (typeof value === 'number' && isNodeRef(value)) || isNodeSpec(value)
}
