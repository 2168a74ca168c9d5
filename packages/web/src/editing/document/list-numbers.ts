// Shows the numbers of numbered and bulleted paragraphs.
import type { Document, ParagraphStyle } from '@cloudoc/office/document'
import { propertiesOf } from '@cloudoc/office/document'
import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'

export interface ListNumbers {
  readonly plugin: () => Plugin
  /** The editor has another document, with other styles. */
  readonly forget: () => void
}

export function listNumbers(now: () => Document): ListNumbers {
  const lists = new Map<string, ParagraphStyle['list']>()
  const listOf = (pPr: string): ParagraphStyle['list'] => {
    if (!lists.has(pPr)) lists.set(pPr, now().styles.paragraph(propertiesOf(pPr)).look.list)
    return lists.get(pPr)
  }
  const numbers = (doc: Node): DecorationSet => {
    const numbering = now().lists.numbering(doc)
    const all: Decoration[] = []
    doc.descendants((node, at) => {
      if (node.type.name !== 'paragraph') return node.type.name !== 'locked'
      const list = listOf(String(node.attrs['pPr']))
      const next = list && numbering.next(list)
      if (list !== undefined && next !== undefined) {
        const indent = String(next.look.indent ?? 24 * (list.level + 1))
        all.push(Decoration.node(at, at + node.nodeSize, { 'data-mark': next.mark, style: `--list:${indent}px` }))
      }
      return false
    })
    return DecorationSet.create(doc, all)
  }
  return {
    plugin: () =>
      new Plugin({
        key: new PluginKey<DecorationSet>('numbers'),
        state: {
          init: (_, state) => numbers(state.doc),
          apply: (tr, value) => (tr.docChanged ? numbers(tr.doc) : value),
        },
        props: {
          decorations(state) {
            return this.getState(state)
          },
        },
      }),
    forget: () => lists.clear(),
  }
}
