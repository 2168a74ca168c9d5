// Shows a file with the viewers of the product's previewer. Loaded on first use.
import { codes, extNameOf } from '@cloudoc/domain'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { ImageViewer } from '../../viewing/viewers/image-viewer.tsx'
import { RenditionViewer } from '../../viewing/viewers/rendition-viewer.tsx'
import { TextViewer } from '../../viewing/viewers/text-viewer.tsx'
import { WatermarkOverlay } from '../../viewing/watermark/watermark.tsx'
import { prefetchedContent, takePreview } from './prefetch.ts'
import { contentUrl, loadPreview, type VisitedPreview } from './visitor-api.ts'
import '../../viewing/shared/texts.ts'
import '../../viewing/shared/preview.css'

const PdfViewer = lazyComponent(
  () => import('../../viewing/pdf/pdf-viewer.tsx').then((module) => module.PdfViewer),
  <Spinner />,
)

const pictures = new Set('png jpg jpeg gif webp svg bmp ico avif'.split(' '))
const films = new Set('mp4 webm mov m4v ogv'.split(' '))
const sounds = new Set('mp3 wav flac m4a aac ogg opus oga'.split(' '))

interface ViewerProps {
  readonly fileId: number
  readonly name: string
  readonly size: number
  readonly failed: string
  readonly onGone: () => void
}

export function Viewer(props: ViewerProps): ReactNode {
  const [watermark, setWatermark] = useState<VisitedPreview['watermark']>(null)
  return (
    <>
      <ViewedFile {...props} onLooked={setWatermark} />
      {watermark !== null && <WatermarkOverlay watermark={watermark} />}
    </>
  )
}

interface ViewedFileProps extends ViewerProps {
  readonly onLooked: (watermark: VisitedPreview['watermark']) => void
}

function ViewedFile({ fileId, name, size, failed, onGone, onLooked }: ViewedFileProps): ReactNode {
  const [looked, setLooked] = useState<VisitedPreview>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const show = (answer: VisitedPreview): void => {
      setLooked(answer)
      onLooked(answer.watermark)
    }
    takePreview(fileId).then(show, (error: unknown) => {
      setProblem(error instanceof Error && error.message !== '' ? error.message : failed)
      onGone()
    })
  }, [fileId, failed, onGone, onLooked])
  const fail = useCallback(() => setProblem(failed), [failed])
  if (problem !== undefined) return <p className="vi-wait">{problem}</p>
  if (looked === undefined) return <Spinner />
  const ext = extNameOf(name).toLowerCase()
  if (looked.form === 'view') {
    const isWaiting = looked.state === codes.success.code || looked.state === codes.converting.code
    if (!isWaiting) return <p className="vi-wait">{looked.msg}</p>
    return (
      <RenditionViewer
        url={contentUrl(fileId, looked.version, 'view')}
        previewKey=""
        status={(signal) => loadPreview(fileId, signal)}
        name={name}
        onFail={fail}
        onRefused={(_state, message) => setProblem(message)}
      />
    )
  }
  const url = contentUrl(fileId, looked.version, 'original')
  if (pictures.has(ext)) return <ImageViewer url={url} name={name} mostFit={1} onFail={fail} />
  if (films.has(ext)) return <video className="vi-media" src={url} controls />
  if (sounds.has(ext)) return <audio className="vi-media" src={url} controls />
  if (ext === 'pdf') return <PdfViewer url={url} content={prefetchedContent(fileId, looked.version)} onFail={fail} />
  return <TextViewer url={url} size={size} ext={ext} table={ext === 'csv' || ext === 'tsv'} onFail={fail} />
}
