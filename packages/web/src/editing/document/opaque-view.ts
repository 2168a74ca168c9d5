// The node view of opaque pieces; pictures have a handle to resize them.

import type { OpaqueKind } from '@cloudoc/office/document'
import { withPictureSize } from '@cloudoc/office/document'
import type { Node } from 'prosemirror-model'
import type { EditorView, NodeView } from 'prosemirror-view'
import { t } from '../../core/i18n/i18n.ts'
import '../shared/office-texts.ts'

export function opaqueView(node: Node, view: EditorView, placeOf: () => number | undefined): NodeView {
  const { kind, image, data } = node.attrs as Record<string, string> & { readonly kind: OpaqueKind }
  return image === '' && data === ''
    ? { dom: pieceDom(kind, String(node.attrs['text'])) }
    : pictureView(node, view, placeOf)
}

function pieceDom(kind: OpaqueKind, text: string): HTMLElement {
  const piece = document.createElement('span')
  piece.className = `dc-kept is-${kind}`
  if (kind !== 'mark') {
    piece.textContent = text || t(`editor.doc.kept.${kind}`)
    piece.title = t(`editor.doc.kept.${kind}`)
  }
  return piece
}

/** The minimum picture size, in pixels. */
const smallest = 16

function pictureView(first: Node, view: EditorView, placeOf: () => number | undefined): NodeView {
  let node = first
  const dom = document.createElement('span')
  dom.className = 'dc-figure'
  const picture = document.createElement('img')
  picture.alt = ''
  picture.draggable = false
  picture.className = 'dc-picture'
  const corner = document.createElement('i')
  corner.className = 'dc-corner'
  corner.title = t('editor.doc.picture.size')
  dom.append(picture, corner)
  const show = (): void => {
    const source = String(node.attrs['image'] || node.attrs['data'])
    if (picture.src !== source) picture.src = source
    const width = Number(node.attrs['width'])
    picture.style.width = width > 0 ? `calc(var(--z) * ${width}px)` : ''
    corner.hidden = !view.editable || withPictureSize(node.attrs, 1, 1) === undefined
  }
  show()
  const resize = (width: number): void => {
    const at = placeOf()
    const [old, tall] = [Number(node.attrs['width']), Number(node.attrs['height'])]
    const attrs = withPictureSize(node.attrs, width, Math.max(1, Math.round((tall * width) / old)))
    if (at !== undefined && attrs !== undefined) view.dispatch(view.state.tr.setNodeMarkup(at, null, attrs))
  }
  corner.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    event.stopPropagation()
    corner.setPointerCapture(event.pointerId)
    const { width: shown } = picture.getBoundingClientRect()
    const old = Number(node.attrs['width'])
    let wanted = old
    const onMove = (move: PointerEvent): void => {
      wanted = Math.max(smallest, Math.round((old * (shown + move.clientX - event.clientX)) / shown))
      picture.style.width = `calc(var(--z) * ${wanted}px)`
    }
    const end = (): void => {
      corner.removeEventListener('pointermove', onMove)
      if (wanted !== old) resize(wanted)
    }
    corner.addEventListener('pointermove', onMove)
    corner.addEventListener('pointerup', end, { once: true })
    corner.addEventListener('pointercancel', end, { once: true })
  })
  return {
    dom,
    stopEvent: ({ target }) => target === corner,
    ignoreMutation: () => true,
    update(next) {
      if (next.type !== node.type || (next.attrs['image'] === '' && next.attrs['data'] === '')) return false
      node = next
      show()
      return true
    },
  }
}
