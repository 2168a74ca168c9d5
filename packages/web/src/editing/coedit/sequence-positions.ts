// Conversion between positions in the shared sequence and on the page.
import type { Op } from '@cloudoc/office/document'
import { positionCount, totalLength } from '@cloudoc/office/document'
import type { Node } from 'prosemirror-model'

/** A part of the sequence, and its blocks: one, unless concurrent edits have broken the structure. */
export interface SharedBlock {
  readonly ops: readonly Op[]
  readonly nodes: readonly Node[]
  readonly length: number
}

export const hold = (ops: readonly Op[], nodes: readonly Node[]): SharedBlock => ({
  ops,
  nodes,
  length: totalLength(ops),
})

const sizeOf = (nodes: readonly Node[]): number => nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0)

/** The position on the page of an index of the sequence. */
export function posAt(held: readonly SharedBlock[], index: number): number {
  let at = 0
  let pos = 0
  for (const { nodes, length } of held) {
    if (index < at + length) return posIn(nodes, index - at, pos)
    at += length
    pos += sizeOf(nodes)
  }
  return Math.max(0, pos - 1)
}

/** The index of the sequence of a position on the page. */
export function indexAt(held: readonly SharedBlock[], pos: number): number {
  let at = 0
  let before = 0
  for (const { nodes, length } of held) {
    const size = sizeOf(nodes)
    if (pos < before + size) return at + Math.min(length, indexIn(nodes, pos - before))
    at += length
    before += size
  }
  return at
}

function posIn(nodes: readonly Node[], index: number, from: number): number {
  let left = index
  let pos = from
  for (const node of nodes) {
    const places = positionCount(node)
    if (left < places) {
      if (node.isTextblock) return pos + 1 + Math.min(left, node.content.size)
      return node.isLeaf || left === 0 ? pos : posIn(node.children, left - 1, pos + 1)
    }
    left -= places
    pos += node.nodeSize
  }
  return Math.max(0, pos - 1)
}

function indexIn(nodes: readonly Node[], offset: number): number {
  let left = offset
  let index = 0
  for (const node of nodes) {
    if (left < node.nodeSize) {
      if (left <= 0 || node.isLeaf) return index
      return index + (node.isTextblock ? Math.min(left - 1, node.content.size) : 1 + indexIn(node.children, left - 1))
    }
    left -= node.nodeSize
    index += positionCount(node)
  }
  return index
}
