// The previewer: one file over the whole window on a dark ground in every skin, its neighbours in the list to the left
// and right.

import type { ItemRecord } from '@cloudoc/contract'
import { extNameOf, formatSize } from '@cloudoc/domain'
import {
  ArrowDownload20Regular,
  ChevronLeft20Regular,
  ChevronRight20Regular,
  Dismiss20Regular,
  Print20Regular,
} from '@fluentui/react-icons'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { tell } from '../actions/operations.ts'
import { FileIcon } from '../item/file-icon.tsx'
import { MiddleName } from '../item/middle-name.tsx'
import { noteRecent } from '../lists/recents.ts'
import { download } from '../transfer/download.ts'
import { ImageStage } from './image-stage.tsx'
import { previewKind } from './preview-kind.ts'
import { isPrintable, printFile } from './print.ts'
import { TextStage } from './text-stage.tsx'
import './preview.css'

const PdfStage = lazy(() => import('./pdf-stage.tsx').then((module) => ({ default: module.PdfStage })))

/** A file as the previewer needs it. */
export type PreviewFile = Pick<ItemRecord, 'fId' | 'fName' | 'fileSize'> & {
  readonly canPreview: boolean
  readonly canDownload: boolean
  readonly canPrint: boolean
}

export interface PreviewerProps {
  readonly files: PreviewFile[]
  readonly index: number
}

/** What the previewer answers: the file it showed last. */
export interface PreviewerResult {
  readonly fId: number
}

/** Shows the files of a list one at a time. */
export function Previewer({ files, index, close }: WindowProps<PreviewerProps, PreviewerResult>): ReactNode {
  const t = useT()
  const [at, setAt] = useState(index)
  const [printing, setPrinting] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const file = files[at]

  useEffect(() => root.current?.focus(), [])
  // What was opened, not what was passed on the way through a folder of pictures.
  const opened = files[index]?.fId
  useEffect(() => {
    if (opened !== undefined) noteRecent('files', { fType: 1, fId: opened })
  }, [opened])
  if (file === undefined) return null

  const mayPrint = file.canPreview && file.canPrint && isPrintable(file.fName)
  const print = async (): Promise<void> => {
    setPrinting(true)
    await printFile(file).catch(tell)
    setPrinting(false)
  }
  const leave = (): void => close({ fId: file.fId })
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const inMedia = event.target instanceof HTMLMediaElement
    if (event.key === 'Escape' || (event.key === ' ' && !inMedia && !(event.target instanceof HTMLButtonElement)))
      leave()
    else if (event.key === 'ArrowLeft' && !inMedia && at > 0) setAt(at - 1)
    else if (event.key === 'ArrowRight' && !inMedia && at < files.length - 1) setAt(at + 1)
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'p') {
      if (mayPrint && !printing) void print()
      else if (!mayPrint) tell(t(isPrintable(file.fName) ? 'drive.preview.noPrint' : 'drive.preview.noPrintKind'))
    } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
      const key = event.key === '=' ? '+' : event.key.toLowerCase()
      const button = root.current?.querySelector<HTMLButtonElement>(`[data-key="${CSS.escape(key)}"]`)
      if (!button) return
      button.click()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="pv on-dark" ref={root} tabIndex={-1} onKeyDown={onKeyDown}>
      <header className="pv-head">
        <FileIcon ext={extNameOf(file.fName)} />
        <b className="pv-name" title={file.fName}>
          {file.fName}
        </b>
        <span className="pv-size">{formatSize(file.fileSize)}</span>
        <span className="pv-count">{t('drive.preview.nth', { n: at + 1, count: files.length })}</span>
        <span className="pv-tools">
          {file.canDownload && (
            <button
              type="button"
              className="pv-button"
              title={t('drive.download')}
              aria-label={t('drive.download')}
              onClick={() => void download([{ fType: 1, ...file }]).catch(tell)}
            >
              <ArrowDownload20Regular />
            </button>
          )}
          {mayPrint && (
            <button
              type="button"
              className="pv-button"
              title={`${t('drive.print')} (Ctrl+P)`}
              aria-label={t('drive.print')}
              disabled={printing}
              onClick={() => void print()}
            >
              <Print20Regular />
            </button>
          )}
          <i className="pv-line" />
          <button
            type="button"
            className="pv-button"
            title={t('drive.close')}
            aria-label={t('drive.close')}
            onClick={leave}
          >
            <Dismiss20Regular />
          </button>
        </span>
      </header>
      <main className="pv-body">
        <Stage key={file.fId} file={file} />
        <Neighbour side="left" file={files[at - 1]} onGo={() => setAt(at - 1)} />
        <Neighbour side="right" file={files[at + 1]} onGo={() => setAt(at + 1)} />
      </main>
    </div>
  )
}

interface NeighbourProps {
  readonly side: 'left' | 'right'
  readonly file: PreviewFile | undefined
  readonly onGo: () => void
}

function Neighbour({ side, file, onGo }: NeighbourProps): ReactNode {
  const t = useT()
  if (file === undefined) return null
  const label = `${t(side === 'left' ? 'drive.preview.before' : 'drive.preview.after')}: ${isolated(file.fName)}`
  return (
    <button type="button" className={`pv-next ${side}`} aria-label={label} title={file.fName} onClick={onGo}>
      <span className="pv-round">{side === 'left' ? <ChevronLeft20Regular /> : <ChevronRight20Regular />}</span>
      <MiddleName name={file.fName} isFolder={false} className="pv-next-name" />
    </button>
  )
}

type Failure = { readonly text: string; readonly retry: boolean }

function Stage({ file }: { readonly file: PreviewFile }): ReactNode {
  const t = useT()
  const ext = extNameOf(file.fName)
  const kind = previewKind(ext)
  const [url, setUrl] = useState<string>()
  const [failure, setFailure] = useState<Failure>()
  const [attempt, setAttempt] = useState(0)

  const wanted = file.canPreview && kind !== undefined
  useEffect(() => {
    if (!wanted) return
    let gone = false
    api
      .getDocumentPreviewURL({ fileId: file.fId })
      .then((answer) => {
        if (!gone) setUrl(answer.url)
      })
      .catch((error: unknown) => {
        if (!gone) setFailure(failureOf(error, t))
      })
    return () => {
      gone = true
    }
  }, [wanted, file.fId, attempt, t])

  const onFail = useCallback((error?: unknown) => setFailure(failureOf(error, t)), [t])
  const again = (): void => {
    setFailure(undefined)
    setUrl(undefined)
    setAttempt(attempt + 1)
  }

  if (!file.canPreview)
    return <Unable file={file} title={t('drive.preview.noRight')} text={t('drive.preview.noRightWhy')} />
  if (kind === undefined) {
    return (
      <Unable file={file} title={t('drive.preview.noKind')} text={t('drive.preview.noKindWhy', { ext: ext || '—' })} />
    )
  }
  if (failure !== undefined) {
    return (
      <Unable
        file={file}
        title={t('drive.preview.failed')}
        text={failure.text}
        onRetry={failure.retry ? again : undefined}
      />
    )
  }
  if (url === undefined) return <Spinner />
  switch (kind) {
    case 'image':
      return <ImageStage url={url} name={file.fName} mostFit={ext === 'svg' ? 4 : 1} onFail={() => onFail()} />
    case 'pdf':
      return (
        <Suspense fallback={<Spinner />}>
          <PdfStage url={url} onFail={onFail} />
        </Suspense>
      )
    case 'text':
    case 'table':
      return <TextStage url={url} size={file.fileSize} ext={ext} table={kind === 'table'} onFail={onFail} />
    case 'audio':
      return (
        <div className="pv-audio">
          <FileIcon ext={ext} size={64} />
          {/* What people upload has no captions to offer. */}
          <audio src={url} controls autoPlay onError={() => onFail()} />
        </div>
      )
    case 'video':
      return <video className="pv-video" src={url} controls autoPlay onError={() => onFail()} />
  }
}

function failureOf(error: unknown, t: Translate): Failure {
  if (error instanceof CallError) return { text: error.message, retry: error.code !== 'notFound' }
  return { text: t('drive.preview.broken'), retry: true }
}

interface UnableProps {
  readonly file: PreviewFile
  readonly title: string
  readonly text: string
  readonly onRetry?: (() => void) | undefined
}

/** Why a file cannot be shown, and what can be done instead. */
function Unable({ file, title, text, onRetry }: UnableProps): ReactNode {
  const t = useT()
  return (
    <div className="pv-unable">
      <FileIcon ext={extNameOf(file.fName)} size={64} />
      <h2>{title}</h2>
      <p>{text}</p>
      <div>
        {onRetry !== undefined && (
          <button type="button" className="pv-wide" onClick={onRetry}>
            {t('drive.retry')}
          </button>
        )}
        {file.canDownload && (
          <button
            type="button"
            className="pv-wide is-main"
            onClick={() => void download([{ fType: 1, ...file }]).catch(tell)}
          >
            {t('drive.download')}
          </button>
        )}
      </div>
    </div>
  )
}
