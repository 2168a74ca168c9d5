// The editor schema of Word documents: how their nodes are rendered.
import { type DOMOutputSpec, Schema } from 'prosemirror-model'
import { child } from '../package/index.ts'
import { propertiesOf } from './formatting.ts'
import { addressOf, linkAttrs } from './insertions.ts'
import type { OpaqueAttrs } from './model.ts'
import { type Fonts, type RunStyle, type Styles } from './paragraph-styles.ts'

/** Pixels, scaled by the zoom factor of the page. */
const pixels = (size: number): string => `calc(var(--z) * ${size}px)`

/** Returns the CSS of run formatting. */
export function cssOf(look: RunStyle): string {
  const lines = [look.underline && 'underline', look.strike && 'line-through'].filter(Boolean).join(' ')
  return [
    look.bold && 'font-weight:700',
    look.italic && 'font-style:italic',
    lines !== '' && `text-decoration:${lines}`,
    look.color && look.color !== '#000000' && `color:${look.color}`,
    look.back && `background:${look.back}`,
    look.size && `font-size:${pixels(look.size)}`,
    look.raised && `vertical-align:${look.raised};font-size:.7em`,
    look.mono && 'font-family:var(--font-mono)',
  ]
    .filter(Boolean)
    .join(';')
}

interface ParagraphCss {
  readonly css: string
  readonly heading: number
}

/** The CSS of a paragraph, and the level of a heading. */
function paragraphCssOf(styles: Styles, pPr: string): ParagraphCss {
  const { look, run } = styles.paragraph(propertiesOf(pPr))
  const css = [
    look.align && `text-align:${look.align}`,
    look.indent && `margin-inline-start:${pixels(look.indent)}`,
    look.firstLine && `text-indent:${pixels(look.firstLine)}`,
    `margin-block:${pixels(look.before ?? 0)} ${pixels(look.after ?? 0)}`,
    look.line && `line-height:${Math.max(1.3, look.line * 1.3)}`,
    look.fill && `background:${look.fill}`,
  ].filter(Boolean)
  return {
    css: [...css, cssOf(run), fontCss(styles.fonts(undefined, propertiesOf(pPr)))]
      .filter((one) => one !== '')
      .join(';'),
    heading: look.heading ?? 0,
  }
}

export function schemaOf(styles: Styles): Schema {
  const paragraphCss = (pPr: string): ParagraphCss => paragraphCssOf(styles, pPr)
  return new Schema({
    nodes: {
      doc: { content: 'block+ aside*' },
      aside: {
        content: 'block+',
        isolating: true,
        defining: true,
        selectable: false,
        attrs: { part: {}, at: {}, kind: {}, which: { default: '' }, n: { default: 0 } },
        toDOM: (): DOMOutputSpec => ['section', 0],
      },
      paragraph: {
        content: 'inline*',
        group: 'block',
        attrs: { ref: { default: -1 }, pPr: { default: '' }, sect: { default: '' } },
        parseDOM: [{ tag: 'p' }, { tag: 'h1' }, { tag: 'h2' }, { tag: 'h3' }, { tag: 'li' }, { tag: 'div' }],
        toDOM(node): DOMOutputSpec {
          const { css, heading } = paragraphCss(String(node.attrs['pPr']))
          const section = node.attrs['sect'] === '' ? {} : { 'data-section': 'true' }
          return [
            'p',
            { style: css, ...section, ...(heading > 0 ? { role: 'heading', 'aria-level': String(heading) } : {}) },
            0,
          ]
        },
      },
      locked: {
        group: 'block',
        atom: true,
        attrs: { ref: { default: -1 }, text: { default: '' } },
        toDOM: (node): DOMOutputSpec => ['div', { class: 'dc-locked' }, String(node.attrs['text'])],
      },
      table: {
        content: 'row+',
        group: 'block',
        isolating: true,
        attrs: { ref: { default: -1 }, grid: { default: '' } },
        parseDOM: [{ tag: 'table' }],
        toDOM(node): DOMOutputSpec {
          const grid = String(node.attrs['grid']).split(' ').map(Number)
          const all = grid.reduce((sum, one) => sum + one, 0)
          const columns: readonly unknown[] =
            all > 0 ? grid.map((one) => ['col', { style: `width:${(one / all) * 100}%` }]) : []
          return ['table', ['colgroup', ...columns], ['tbody', 0]]
        },
      },
      row: {
        content: 'cell+',
        attrs: { ref: { default: -1 }, trPr: { default: '' } },
        parseDOM: [{ tag: 'tr' }],
        toDOM: (): DOMOutputSpec => ['tr', 0],
      },
      cell: {
        content: 'block+',
        isolating: true,
        attrs: {
          ref: { default: -1 },
          tcPr: { default: '' },
          across: { default: 1 },
          down: { default: 1 },
          hidden: { default: false },
        },
        parseDOM: ['td', 'th'].map((tag) => ({
          tag,
          getAttrs: (of: unknown) => spansOf(of as { readonly colSpan: number; readonly rowSpan: number }),
        })),
        toDOM({ attrs }): DOMOutputSpec {
          const look = [attrs['hidden'] === true && 'display:none', fillOf(String(attrs['tcPr']))]
          return [
            'td',
            { colspan: String(attrs['across']), rowspan: String(attrs['down']), style: look.filter(Boolean).join(';') },
            0,
          ]
        },
      },
      text: { group: 'inline' },
      line: {
        inline: true,
        group: 'inline',
        selectable: false,
        attrs: { rPr: { default: '' } },
        parseDOM: [{ tag: 'br' }],
        toDOM: (): DOMOutputSpec => ['br'],
      },
      kept: {
        inline: true,
        group: 'inline',
        atom: true,
        attrs: {
          xml: {},
          kind: { default: 'other' },
          text: { default: '' },
          image: { default: '' },
          data: { default: '' },
          width: { default: 0 },
          height: { default: 0 },
        },
        toDOM({ attrs }): DOMOutputSpec {
          const { kind, text, image, data, width } = attrs as OpaqueAttrs
          if (image + data !== '')
            return [
              'img',
              { src: image || data, alt: '', class: 'dc-picture', style: width > 0 ? `width:${pixels(width)}` : '' },
            ]
          return ['span', { class: `dc-kept is-${kind}`, contenteditable: 'false' }, text]
        },
      },
    },
    marks: {
      look: {
        attrs: { rPr: {} },
        toDOM: ({ attrs }): DOMOutputSpec => ['span', { style: runCss(styles, String(attrs['rPr'])) }, 0],
      },
      wrap: {
        attrs: { open: {}, close: {}, id: {}, href: { default: '' } },
        inclusive: false,
        parseDOM: [
          {
            tag: 'a[href]',
            getAttrs: (of: unknown) => {
              const href = addressOf((of as { readonly href: string }).href)
              return href === undefined ? false : linkAttrs(href)
            },
          },
        ],
        toDOM: ({ attrs }): DOMOutputSpec => [
          'span',
          attrs['href'] === ''
            ? { class: String(attrs['open']).startsWith('<w:hyperlink') ? 'dc-link' : 'dc-wrap' }
            : { class: 'dc-link', title: String(attrs['href']) },
          0,
        ],
      },
    },
  })
}

/** The spans of pasted cells come from their HTML. The table grid is normalized on insertion. */
const spansOf = (of: { readonly colSpan: number; readonly rowSpan: number }): Record<string, number> => ({
  across: of.colSpan,
  down: of.rowSpan,
})

function fillOf(tcPr: string): string {
  const fill = /<w:shd\s[^>]*w:fill="([0-9a-fA-F]{6})"/.exec(tcPr)?.[1]
  return fill === undefined ? '' : `background:#${fill}`
}

/** Missing fonts fall back to the font of the page. */
function fontCss({ latin, chinese }: Fonts): string {
  const names = [latin, chinese].flatMap((name) => (name === undefined ? [] : [`"${name.replace(/["\\;]/g, '')}"`]))
  return names.length === 0 ? '' : `font-family:${[...new Set(names), 'var(--font-ui)'].join(',')}`
}

function runCss(styles: Styles, rPr: string): string {
  const tree = propertiesOf(rPr)
  const off = (name: string): boolean =>
    ['0', 'false', 'off', 'none'].includes(child(tree, name)?.attributes['w:val'] ?? '1')
  const own = cssOf(styles.run(tree, {}))
  const less = [
    off('w:b') && 'font-weight:400',
    off('w:i') && 'font-style:normal',
    (off('w:u') || off('w:strike')) && 'text-decoration:none',
  ]
  return [own, fontCss(styles.fonts(tree)), ...less].filter(Boolean).join(';')
}
