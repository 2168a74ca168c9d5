/*
 * A co-edited Word document as one sequence of characters and pieces: the content of a paragraph followed by its end,
 * and the start and end of a table. Splitting or joining a paragraph adds or removes one piece, so concurrent text
 * edits are preserved. This file defines and validates the sequence; `coedit-document.ts` interprets it.
 */
import { treeOf } from '../package/index.ts'

/** The type name and the attributes of a node or mark. */
export type NodeSpec = readonly [name: string, attrs: Readonly<Record<string, unknown>>]
/** The number of an original node or mark, or a full definition. */
export type NodeRef = number | NodeSpec

export type Piece =
  | { readonly end: NodeRef }
  | { readonly leaf: NodeRef }
  | { readonly open: NodeRef }
  | { readonly close: string }

/** The marks by type, and under `as` the current definition of a piece. */
export type PieceAttributes = Readonly<Record<string, unknown>>

/** A run of characters with the same formatting, or a piece. */
export interface Op {
  readonly insert: string | Piece
  readonly attributes?: PieceAttributes
}

/** The attribute that replaces the definition of a piece with another of its kind. */
export const replacedAs = 'as'

const longest = 200_000
/** Attributes that are written to the document as raw XML and that contain elements. */
const raw = new Set(['xml', 'pPr', 'rPr', 'sect', 'trPr', 'tcPr'])
const isName = (value: unknown): value is string => typeof value === 'string' && /^[a-zA-Z]{1,40}$/.test(value)

/** Whether XML is well-formed, as one fragment or as an opening and a closing part. */
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

/** Whether a value is a valid piece of a document. */
export function isPiece(value: unknown): value is Piece {
  if (typeof value !== 'object' || value === null) return false
  const [[kind, named] = [], ...more] = Object.entries(value)
  if (more.length > 0) return false
  return kind === 'close' ? isName(named) : (kind === 'end' || kind === 'leaf' || kind === 'open') && isNodeRef(named)
}

/** Whether an attribute is valid for characters or pieces. */
export function isPieceAttribute(name: string, value: unknown): boolean {
  if (!isName(name)) return false
  if (value === null) return true
  return name === replacedAs ? isNodeRef(value) : (typeof value === 'number' && isNodeRef(value)) || isNodeSpec(value)
}
