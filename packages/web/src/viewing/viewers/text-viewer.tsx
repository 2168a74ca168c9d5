// The viewer of text and CSV: the first megabyte, decoded; code with syntax highlighting.

import { maxPreviewTextBytes, type TextEncodingName, tableValues } from '@cloudoc/domain'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { EncodingChoice } from '../controls/encoding-choice.tsx'
import { type DecodeStart, readStart } from '../rendition/start-of-text.ts'
import { isPlainText } from '../shared/preview-kind.ts'

const CodeViewer = lazyComponent(() => import('./code-viewer.tsx').then((module) => module.CodeViewer), <Spinner />)

/** The maximum number of table rows to show. */
const maxRows = 2000

interface TextViewerProps {
  readonly url: string
  readonly size: number
  readonly ext: string
  readonly table: boolean
  readonly onFail: (error: unknown) => void
}

/** Renders a text, or a CSV file as a table. */
export function TextViewer({ url, size, ext, table, onFail }: TextViewerProps): ReactNode {
  const t = useT()
  const [decode, setDecode] = useState<DecodeStart>()
  const [encoding, setEncoding] = useState<TextEncodingName>()
  const decoded = useMemo(() => decode?.(encoding), [decode, encoding])
  useEffect(() => {
    const abort = new AbortController()
    readStart(url, size, abort.signal)
      .then((made) => setDecode(() => made))
      .catch((error: unknown) => {
        if (!abort.signal.aborted) onFail(error)
      })
    return () => abort.abort()
  }, [url, size, onFail])

  if (decoded === undefined) return <Spinner />
  const { text } = decoded
  const choice = <EncodingChoice text={decoded} onChange={setEncoding} />
  const more = size > maxPreviewTextBytes && <p className="pv-more">{t('drive.preview.onlyStart')}</p>
  if (!table && !isPlainText(ext)) return <CodeViewer text={text} ext={ext} head={choice} more={more} />
  return (
    <div className="pv-scroll pv-text-scroll" tabIndex={0}>
      <div className="pv-paper">
        {choice}
        {table ? <Table rows={tableValues(text, ext, maxRows)} /> : <Lines text={text} />}
        {more}
      </div>
    </div>
  )
}

function Lines({ text }: { readonly text: string }): ReactNode {
  return (
    <pre className="pv-text" tabIndex={-1}>
      {text}
    </pre>
  )
}

function Table({ rows }: { readonly rows: readonly (readonly string[])[] }): ReactNode {
  const [head, ...body] = rows
  return (
    <table className="pv-table">
      <thead>
        <tr>
          {head?.map((cell, i) => (
            <th key={i}>{cell}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row, i) => (
          <tr key={i}>
            {row.map((cell, j) => (
              <td key={j}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
