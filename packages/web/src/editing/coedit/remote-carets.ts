// The cursors of the other users on a co-edited page.
import type { Node } from 'prosemirror-model'
import { Decoration, DecorationSet } from 'prosemirror-view'
import * as Y from 'yjs'
import type { CoeditSession } from './coedit-session.ts'

export interface Cursor {
  readonly anchor: Y.RelativePosition
  readonly head: Y.RelativePosition
}

/** `posOf` returns the position on the page. */
export function remoteCarets(
  others: CoeditSession['others'],
  posOf: (relative: Y.RelativePosition) => number | undefined,
  doc: Node,
): DecorationSet {
  const all: Decoration[] = []
  for (const [client, { user, cursor }] of others.getStates()) {
    const at = readCursor(cursor)
    const [anchor, head] = at === undefined ? [] : [posOf(at.anchor), posOf(at.head)]
    if (anchor === undefined || head === undefined || Math.max(anchor, head) > doc.content.size) continue
    const style = `background:${user.colorLight}`
    if (anchor !== head) all.push(Decoration.inline(Math.min(anchor, head), Math.max(anchor, head), { style }))
    all.push(Decoration.widget(head, () => caretOf(user), { key: `${client} ${user.name}`, side: 10 }))
  }
  return DecorationSet.create(doc, all)
}

function readCursor(cursor: unknown): Cursor | undefined {
  if (typeof cursor !== 'object' || cursor === null) return undefined
  const { anchor, head } = cursor as { readonly anchor?: unknown; readonly head?: unknown }
  if (typeof anchor !== 'object' || anchor === null || typeof head !== 'object' || head === null) return undefined
  return { anchor: Y.createRelativePositionFromJSON(anchor), head: Y.createRelativePositionFromJSON(head) }
}

function caretOf({ name, color }: { readonly name: string; readonly color: string }): HTMLElement {
  const caret = document.createElement('span')
  caret.className = 'hr-caret'
  caret.style.borderColor = color
  const label = caret.appendChild(document.createElement('span'))
  label.className = 'hr-caret-name'
  label.style.background = color
  label.textContent = name
  return caret
}
