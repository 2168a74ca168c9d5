// The code viewer: text with syntax highlighting if its language is known.
import { common, createLowlight } from 'lowlight'
import { type ReactNode, useMemo } from 'react'
import { isPlainText } from '../shared/preview-kind.ts'
import './code-viewer.css'

/** The maximum number of characters to highlight; more takes too long. */
const mostColoured = 300_000
const lowlight = createLowlight(common)
const languages: Readonly<Record<string, string>> = {
  vue: 'xml',
  svg: 'xml',
  mjs: 'javascript',
  cjs: 'javascript',
  jsonl: 'json',
  conf: 'ini',
  cfg: 'ini',
  properties: 'ini',
  toml: 'ini',
  bat: 'shell',
  cmd: 'shell',
  hpp: 'cpp',
  kt: 'kotlin',
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

interface CodeViewerProps {
  readonly text: string
  readonly ext: string
  /** Shown above the text. */
  readonly head?: ReactNode
  /** Shown below the text. */
  readonly more?: ReactNode
}

/** Renders a text. */
export function CodeViewer({ text, ext, head, more }: CodeViewerProps): ReactNode {
  return (
    <div className="pv-scroll pv-text-scroll" tabIndex={0}>
      <div className="pv-paper">
        {head}
        <pre className="pv-text" tabIndex={-1}>
          <HighlightedCode text={text} ext={ext} />
        </pre>
        {more}
      </div>
    </div>
  )
}

/** A text with syntax highlighting. */
export function HighlightedCode({ text, ext }: Pick<CodeViewerProps, 'text' | 'ext'>): ReactNode {
  return useMemo(() => coloured(text, ext), [text, ext])
}

function coloured(text: string, ext: string): ReactNode {
  const language = languages[ext] ?? ext
  if (isPlainText(ext) || text.length > mostColoured || !lowlight.registered(language)) return text
  return lowlight.highlight(language, text).children.map((node, n) => <Piece key={n} node={node} />)
}

function Piece({ node }: { readonly node: Node }): ReactNode {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return null
  const names = node.properties['className']
  return (
    <span className={Array.isArray(names) ? names.join(' ') : undefined}>
      {node.children.map((one, n) => (
        <Piece key={n} node={one} />
      ))}
    </span>
  )
}
