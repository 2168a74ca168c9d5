// The code viewer: text with syntax highlighting if its language is known.
import { StreamLanguage } from '@codemirror/language'
import { classHighlighter, highlightTree } from '@lezer/highlight'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { type CodeParser, loadLanguage } from '../shared/code-languages.ts'
import './code-viewer.css'

/** The maximum number of characters to highlight; more takes too long. */
const mostColoured = 300_000

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

/** A text, with syntax highlighting as soon as its language is loaded. */
function HighlightedCode({ text, ext }: Pick<CodeViewerProps, 'text' | 'ext'>): ReactNode {
  const [loaded, setLoaded] = useState<{ readonly ext: string; readonly parser: CodeParser | undefined }>()
  useEffect(() => {
    let isGone = false
    void loadLanguage(ext).then((parser) => {
      if (!isGone) setLoaded({ ext, parser })
    })
    return () => {
      isGone = true
    }
  }, [ext])
  const parser = loaded?.ext === ext ? loaded.parser : undefined
  return useMemo(() => colored(text, parser), [text, parser])
}

/** The pieces of a text, coloured by the parser of its language. */
export function colored(text: string, parser: CodeParser | undefined): ReactNode {
  if (parser === undefined || text.length > mostColoured) return text
  const pieces: ReactNode[] = []
  let at = 0
  const put = (from: number, to: number, names?: string): void => {
    if (from < to)
      pieces.push(
        names === undefined ? (
          text.slice(from, to)
        ) : (
          <span key={from} className={names}>
            {text.slice(from, to)}
          </span>
        ),
      )
    at = to
  }
  highlightTree(StreamLanguage.define(parser).parser.parse(text), classHighlighter, (from, to, names) => {
    put(at, from)
    put(from, to, names)
  })
  put(at, text.length)
  return pieces
}
